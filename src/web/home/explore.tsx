import type { ComponentChildren } from 'preact';
import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../operation.ts';
import { Avatar, picturedFields, type Pictured } from '../places/avatars/avatar.tsx';
import { newGroupPath, newProjectPath } from '../places/creation/view.tsx';
import { placePath, visibilities, type Kind } from '../places/place/place.ts';
import { isKey, readQuery, withQuery } from '../site/forms/fields.ts';
import { SelectField, TextField } from '../site/forms/forms.tsx';
import { Layout } from '../site/layout/layout.tsx';
import { toAnswer } from '../site/layout/page.ts';
import { Ago } from '../site/records/day.tsx';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../site/records/paging.ts';
import { Badge, Nothing, Pager } from '../site/records/records.tsx';
import { requireVisitor, type PageRoute } from '../site/visit.ts';

export const explorePath = (kind: Kind) => `/explore/${kind}s`;

/** Places on a page. */
const size = 20;
/** The longest text that is searched. */
export const longest = 255;

/** A group or a project in a list, with its full path: names repeat. */
export interface FoundPlace extends Pictured {
  readonly fullPath: string;
  readonly description: string | null;
}

export const foundPlaceFields = `${picturedFields} fullPath description`;

interface PlaceLineProps {
  readonly kind: Kind;
  readonly place: FoundPlace;
  /** A word beside the name. */
  readonly mark?: ComponentChildren;
  /** What else there is to say. */
  readonly children?: ComponentChildren;
}

/** A place in a list. */
export const PlaceLine = ({ kind, place, mark, children }: PlaceLineProps) => (
  <div class="named">
    <Avatar of={place} kind={kind} />
    <div>
      <a href={placePath(kind, place.fullPath)}>
        <bdi>{place.name}</bdi>
      </a>{' '}
      <code>{place.fullPath}</code> {mark}
      {place.description && (
        <p class="hint">
          <bdi>{place.description.slice(0, 200)}</bdi>
        </p>
      )}
      {children}
    </div>
  </div>
);

interface ExploredPlace extends FoundPlace {
  readonly visibility: keyof typeof visibilities;
  readonly starCount?: number;
  readonly lastActivityAt?: string;
}

/** The orders of each kind, the usual one first. */
const orders = {
  project: {
    latest_activity_desc: 'Last activity',
    name_asc: 'Name',
    created_desc: 'Newest',
    stars_desc: 'Most stars',
  },
  group: { name_asc: 'Name', id_desc: 'Newest' },
} as const;

const titles = { project: 'Projects', group: 'Groups' };
const newPaths = { project: newProjectPath, group: newGroupPath };

/** What the instance has, as far as a visitor sees it: lists of projects and groups, at GitLab's addresses. */
export const exploredPages = (schema: GraphQLSchema): PageRoute[] =>
  (['project', 'group'] as const).map((kind) => pageOf(schema, kind));

function pageOf(schema: GraphQLSchema, kind: Kind): PageRoute {
  const path = explorePath(kind);
  const title = titles[kind];
  const [filter, fields] =
    kind === 'project'
      ? ['searchNamespaces: true, active: true, membership: $mine', 'starCount lastActivityAt']
      : ['allAvailable: $all', ''];
  const list = compileOperation<{ places: { nodes: readonly ExploredPlace[]; pageInfo: PageInfo } }>(
    schema,
    `query ($search: String, $sort: String, ${kind === 'project' ? '$mine' : '$all'}: Boolean, $first: Int, $after: String, $last: Int, $before: String) {
      places: ${kind}s(search: $search, sort: $sort, ${filter}, first: $first, after: $after, last: $last, before: $before) {
        nodes { ${foundPlaceFields} visibility ${fields} } ${pageInfoFields}
      }
    }`,
  );
  return {
    path,
    name: `explore ${kind}s`,
    async get(visit) {
      const { site, context, exchange } = visit;
      const query = readQuery(exchange);
      const mine = query.scope === 'mine';
      if (mine) requireVisitor(visit);
      const search = (query.search ?? '').trim().slice(0, longest);
      const [usual] = Object.keys(orders[kind]) as [string];
      const sort = isKey(orders[kind], query.sort ?? '') ? query.sort! : usual;
      const scope = mine ? 'mine' : '';
      const { nodes, pageInfo } = (
        await list.execute(context, {
          search,
          sort,
          ...(kind === 'project' ? { mine } : { all: !mine }),
          ...pageArguments(query, size),
        })
      ).places;
      return toAnswer(
        <Layout site={site} title={title} current={explorePath('project')}>
          <h1>{title}</h1>
          <p class="lead">
            {site.visitor ? <a href={newPaths[kind]}>New {kind}</a> : 'Sign in to see those that aren’t public.'}
          </p>
          <nav class="tabs" aria-label="What to list">
            {(['project', 'group'] as const).map((of) => (
              <a href={withQuery(explorePath(of), { scope })} aria-current={of === kind ? 'page' : undefined}>
                {titles[of]}
              </a>
            ))}
          </nav>
          <form class="filters" method="get" action={path}>
            <TextField name="search" label="Name or path" type="search" value={search} />
            {site.visitor && (
              <SelectField
                name="scope"
                label="Which"
                value={scope}
                options={[
                  { value: '', label: 'All' },
                  { value: 'mine', label: 'Yours' },
                ]}
              />
            )}
            <SelectField
              name="sort"
              label="Sort by"
              value={sort}
              options={Object.entries(orders[kind]).map(([value, label]) => ({ value, label }))}
            />
            <button class="button">Show</button>
          </form>
          {nodes.length === 0 ? (
            <Nothing
              says={search ? `No ${kind}s match.` : mine ? `You aren’t a member of a ${kind} yet.` : `No ${kind}s yet.`}
              all={search || mine ? path : undefined}
            />
          ) : (
            <ul class="records">
              {nodes.map((place) => (
                <li>
                  <PlaceLine
                    kind={kind}
                    place={place}
                    mark={<Badge>{visibilities[place.visibility].split(':')[0]}</Badge>}
                  >
                    {place.lastActivityAt && (
                      <p class="hint">
                        <Stars count={place.starCount!} />
                        Changed <Ago at={place.lastActivityAt} />
                      </p>
                    )}
                  </PlaceLine>
                </li>
              ))}
            </ul>
          )}
          <Pager of={`${kind}s`} {...pagesAround(path, query, pageInfo)} labels={['Previous', 'Next']} />
        </Layout>,
      );
    },
  };
}

const Stars = ({ count }: { readonly count: number }) =>
  count === 0 ? null : <>{count === 1 ? '1 star' : `${count} stars`} · </>;
