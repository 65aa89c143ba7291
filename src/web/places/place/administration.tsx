import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { Avatar, picturedFields, type Pictured } from '../avatars/avatar.tsx';
import { Day } from '../../site/records/day.tsx';
import { readQuery } from '../../site/forms/fields.ts';
import { TextField } from '../../site/forms/forms.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../../site/records/paging.ts';
import { Badge, Pager, Table } from '../../site/records/records.tsx';
import { AdminLayout } from '../../site/layout/sections.tsx';
import type { PageRoute } from '../../site/visit.ts';
import { membersPath, placePath, settingsPath, type Kind } from './place.ts';

/** Places on a page. */
const size = 30;

interface ListedPlace extends Pictured {
  readonly fullPath: string;
  readonly visibility: string;
  /** Of projects. */
  readonly archived?: boolean;
  readonly createdAt: string;
}

/** All groups and all projects of the instance, for administrators. */
export const administeredPlacePages = (schema: GraphQLSchema): PageRoute[] =>
  (['group', 'project'] as const).map((kind) => pageOf(schema, kind));

function pageOf(schema: GraphQLSchema, kind: Kind): PageRoute {
  const path = `/admin/${kind}s`;
  const title = kind === 'group' ? 'Groups' : 'Projects';
  const list = compileOperation<{ places: { count: number; nodes: ListedPlace[]; pageInfo: PageInfo } }>(
    schema,
    `query ($search: String, $first: Int, $after: String, $last: Int, $before: String) {
      places: ${kind}s(search: $search, sort: "id_desc", first: $first, after: $after, last: $last, before: $before) {
        count nodes { ${picturedFields} fullPath visibility createdAt${kind === 'project' ? ' archived' : ''} } ${pageInfoFields}
      }
    }`,
  );
  return {
    path,
    name: `all ${kind}s`,
    async get({ site, context, exchange }) {
      const query = readQuery(exchange);
      const search = query.search?.slice(0, 255) ?? '';
      const { count, nodes, pageInfo } = (await list.execute(context, { search, ...pageArguments(query, size) }))
        .places;
      return toAnswer(
        <AdminLayout site={site} title={title} current={path}>
          <h1>{title}</h1>
          <p class="lead">
            {count > 10_000 ? `More than 10,000 ${kind}s.` : count === 1 ? `One ${kind}.` : `${count} ${kind}s.`}
          </p>
          <form class="filters" method="get" action={path}>
            <TextField name="search" label="Name or path" type="search" value={search} />
            <button class="button">Search</button>
          </form>
          <Table
            caption={title}
            columns={['Name', 'Visibility', 'Created', { hidden: 'Actions' }]}
            rows={nodes.map((place) => [
              <div class="named">
                <Avatar of={place} kind={kind} />
                <div>
                  <a href={placePath(kind, place.fullPath)}>
                    <bdi>{place.name}</bdi>
                  </a>{' '}
                  {place.archived && <Badge>Archived</Badge>}
                  <br />
                  <code>{place.fullPath}</code>
                </div>
              </div>,
              place.visibility,
              <Day at={place.createdAt} />,
              <span class="ways">
                <a href={membersPath(kind, place.fullPath)}>
                  Members<span class="hidden"> of {place.name}</span>
                </a>
                <a href={settingsPath(kind, place.fullPath)}>
                  Settings<span class="hidden"> of {place.name}</span>
                </a>
              </span>,
            ])}
            empty={`No ${kind}s.`}
          />
          <Pager of={`${kind}s`} {...pagesAround(path, query, pageInfo)} labels={['Newer', 'Older']} />
        </AdminLayout>,
      );
    },
  };
}
