import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import { Layout } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { requireVisitor, seeOther, type PageRoute, type Visit } from '../../site/visit.ts';
import { mergeRequestLister } from './list.ts';
import { MergeRequestList } from './list-view.tsx';
import { readMergeRequestQuery } from './query.ts';

const root = '/dashboard/merge_requests';

/** The lists of a person: the end of the address, the name in the log, the scope, the filter without use, the tab. */
const lists = [
  ['reviews', 'my reviews', 'REVIEWS_FOR_ME', 'reviewer', 'Reviews asked of you'],
  ['assigned', 'my merge requests', 'ASSIGNED_TO_ME', 'assignee', 'Assigned to you'],
  ['created', 'merge requests created by me', 'CREATED_BY_ME', 'author', 'Created by you'],
] as const;

type List = (typeof lists)[number][0];

/** How many open merge requests each list has. */
type Waiting = { readonly [Name in List]: { readonly opened: number } };

/** The merge requests that concern a person, everywhere. */
export function myMergeRequestPages(schema: GraphQLSchema): PageRoute[] {
  const list = mergeRequestLister(schema);
  const counts = lists.map(([name, , scope]) => `${name}: mergeRequestStateCounts(scope: ${scope}) { opened }`);
  const waiting = compileOperation<Waiting>(schema, `{ ${counts.join(' ')} }`);
  const pages = lists.map(([end, name, scope, without]): PageRoute => ({
    path: `${root}/${end}`,
    name,
    async get(visit) {
      requireVisitor(visit);
      const query = readMergeRequestQuery(visit.exchange);
      const [page, open] = await Promise.all([list(visit, { scope }, query), waiting.execute(visit.context, {})]);
      return toAnswer(
        <Layout site={visit.site} title="Your merge requests" current={root}>
          <h1>Your merge requests</h1>
          <nav class="tabs" aria-label="Which merge requests">
            {lists.map(([to, , , , label]) => (
              <a href={`${root}/${to}`} aria-current={to === end ? 'page' : undefined}>
                {label} <span class="count">{open[to].opened}</span>
              </a>
            ))}
          </nav>
          <MergeRequestList
            path={`${root}/${end}`}
            query={query}
            page={page}
            without={without}
            begin={<Elsewhere open={open} here={end} />}
          />
        </Layout>,
      );
    },
  }));
  return [
    {
      path: root,
      name: 'what of merge requests waits for me',
      async get(visit) {
        requireVisitor(visit);
        const { query } = visit.exchange;
        if (query !== '') return seeOther(addressOf(query, visit));
        const { reviews } = await waiting.execute(visit.context, {});
        return seeOther(`${root}/${reviews.opened > 0 ? 'reviews' : 'assigned'}`);
      },
    },
    ...pages,
  ];
}

/** The list that GitLab has at the root, with filters: what one reviews, by one's own name, or what one is assigned to. */
function addressOf(query: string, { site }: Visit): string {
  const filters = new URLSearchParams(query);
  const reviewer = filters.get('reviewer_username')?.replace(/^@/, '').toLowerCase();
  if (reviewer !== site.visitor?.username.toLowerCase()) return `${root}/assigned?${query}`;
  filters.delete('reviewer_username');
  return `${root}/reviews${filters.size > 0 ? `?${filters.toString()}` : ''}`;
}

/** Where an empty list leads on: to what waits in the others, or to a project. */
function Elsewhere({ open, here }: { readonly open: Waiting; readonly here: List }) {
  const others = lists.filter(([name]) => name !== here && open[name].opened > 0);
  if (others.length === 0)
    return (
      <>
        Merge requests belong to projects: <a href="/explore/projects?scope=mine">find one</a>.
      </>
    );
  return (
    <>
      There are others:{' '}
      {others.map(([name, , , , label], at) => (
        <>
          {at > 0 && ', '}
          <a href={`${root}/${name}`}>
            {label.toLowerCase()} ({open[name].opened})
          </a>
        </>
      ))}
      .
    </>
  );
}
