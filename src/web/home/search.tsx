import type { ComponentChildren } from 'preact';
import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../operation.ts';
import { Avatar, picturedFields, type Pictured } from '../places/avatars/avatar.tsx';
import { readQuery } from '../site/forms/fields.ts';
import { TextField } from '../site/forms/forms.tsx';
import { Layout } from '../site/layout/layout.tsx';
import { toAnswer } from '../site/layout/page.ts';
import { pageArguments, pageInfoFields, pagesAround, type PageInfo } from '../site/records/paging.ts';
import { Badge, Pager, PersonName } from '../site/records/records.tsx';
import { requireVisitor, type PageRoute } from '../site/visit.ts';
import { foundPlaceFields, longest, PlaceLine, type FoundPlace } from './explore.tsx';

const searchPath = '/search';

/** Results on a page. */
const size = 20;

interface FoundPerson extends Pictured {
  readonly username: string;
}

interface FoundItem {
  readonly id: number;
  readonly title: string;
  readonly reference: string;
  readonly state: string;
  readonly webPath: string;
}

/** A page of results. */
interface Results {
  readonly nodes: readonly unknown[];
  readonly pageInfo: PageInfo;
}

/** What can be searched: a list of the schema, and how one of its records looks. */
interface Kind<Found> {
  readonly label: string;
  readonly list: string;
  /** Further arguments of the list. */
  readonly with?: string;
  readonly fields: string;
  readonly row: (found: Found) => ComponentChildren;
}
const kind = <Found,>(of: Kind<Found>) => of as Kind<unknown>;

const place = (of: 'group' | 'project') =>
  kind<FoundPlace>({
    label: of === 'group' ? 'Groups' : 'Projects',
    list: `${of}s`,
    with: of === 'group' ? ', allAvailable: true' : ', searchNamespaces: true',
    fields: foundPlaceFields,
    row: (found) => <PlaceLine kind={of} place={found} />,
  });

const items = (label: string, list: string) =>
  kind<FoundItem>({
    label,
    list,
    fields: 'id: databaseId title reference(full: true) state webPath',
    row: ({ title, reference, state, webPath }) => (
      <>
        <a href={webPath}>
          <bdi>{title}</bdi>
        </a>{' '}
        {state !== 'opened' && <Badge>{state === 'merged' ? 'Merged' : 'Closed'}</Badge>}
        <p class="hint">{reference}</p>
      </>
    ),
  });

const kinds = {
  projects: place('project'),
  groups: place('group'),
  users: kind<FoundPerson>({
    label: 'People',
    list: 'users',
    fields: `${picturedFields} username`,
    row: (found) => (
      <div class="named">
        <Avatar of={found} />
        <div>
          <PersonName person={found} />
          <p class="hint">{found.username}</p>
        </div>
      </div>
    ),
  }),
  issues: items('Issues', 'issues'),
  merge_requests: items('Merge requests', 'mergeRequests'),
};

type Scope = keyof typeof kinds;
const scopes = Object.keys(kinds) as Scope[];
const isScope = (given: string | undefined): given is Scope => given !== undefined && Object.hasOwn(kinds, given);

/** How many results of a kind are counted: so many that a further word helps more than their number. */
const mostCounted = 100;
const countText = (count: number) => (count > mostCounted ? `${mostCounted}+` : String(count));

/** Search of the whole instance, for what its visitor may see. The address is GitLab's. */
export function searchPages(schema: GraphQLSchema): PageRoute[] {
  const compile = <Data,>(source: string) => compileOperation<Data>(schema, source);
  const count = compile<Record<Scope, { readonly count: number }>>(
    `query ($search: String!) {
      ${scopes.map((scope) => `${scope}: ${kinds[scope].list}(search: $search${kinds[scope].with ?? ''}) { count(limit: ${mostCounted}) }`).join(' ')}
    }`,
  );
  const lists = Object.fromEntries(
    scopes.map((scope) => [
      scope,
      compile<{ found: Results }>(
        `query ($search: String!, $first: Int, $after: String, $last: Int, $before: String) {
          found: ${kinds[scope].list}(search: $search${kinds[scope].with ?? ''}, first: $first, after: $after, last: $last, before: $before) { nodes { ${kinds[scope].fields} } ${pageInfoFields} }
        }`,
      ),
    ]),
  ) as Record<Scope, ReturnType<typeof compile<{ found: Results }>>>;

  return [
    {
      path: searchPath,
      name: 'search',
      async get(visit) {
        requireVisitor(visit);
        const { site, context, exchange } = visit;
        const query = readQuery(exchange);
        const search = (query.search ?? '').trim().slice(0, longest);
        const form = (
          <form class="filters" method="get" action={searchPath}>
            <TextField name="search" label="Words" type="search" value={search} focused={search === ''} />
            {isScope(query.scope) && <input type="hidden" name="scope" value={query.scope} />}
            <button class="button primary">Search</button>
          </form>
        );
        if (search === '')
          return toAnswer(
            <Layout site={site} title="Search" current={searchPath}>
              <h1>Search</h1>
              <p class="lead">Projects, groups, people, issues and merge requests that you can see.</p>
              {form}
            </Layout>,
          );
        const chosen = isScope(query.scope) ? query.scope : undefined;
        const counts = await count.execute(context, { search });
        // Without a choice, the first kind of which there is something.
        const scope = chosen ?? scopes.find((one) => counts[one].count > 0) ?? 'projects';
        const { found } = await lists[scope].execute(context, { search, ...pageArguments(query, size) });
        const { nodes, pageInfo } = found;
        const address = (of: Scope) => `${searchPath}?${new URLSearchParams({ search, scope: of })}`;
        return toAnswer(
          <Layout site={site} title={`Search: ${search}`} current={searchPath}>
            <h1>Search</h1>
            {form}
            <nav class="tabs" aria-label="What to search">
              {scopes.map((of) => (
                <a href={address(of)} aria-current={of === scope ? 'page' : undefined}>
                  {kinds[of].label} <span class="count">{countText(counts[of].count)}</span>
                </a>
              ))}
            </nav>
            {nodes.length === 0 ? (
              <p class="empty">Nothing found. A search without a word of three letters must match the whole value.</p>
            ) : (
              <ul class="records">
                {nodes.map((node) => (
                  <li>{kinds[scope].row(node)}</li>
                ))}
              </ul>
            )}
            <Pager
              of="results"
              {...pagesAround(searchPath, { ...query, scope }, pageInfo)}
              labels={['Previous', 'Next']}
            />
          </Layout>,
        );
      },
    },
  ];
}
