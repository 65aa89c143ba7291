import type { GraphQLSchema } from 'graphql';
import { Layout } from '../../site/layout/layout.tsx';
import { toAnswer } from '../../site/layout/page.ts';
import { requireVisitor, type PageRoute } from '../../site/visit.ts';
import { mergeRequestLister } from './list.ts';
import { MergeRequestList } from './list-view.tsx';
import { readMergeRequestQuery } from './query.ts';

const root = '/dashboard/merge_requests';

/** The lists of a person: the end of the address, the name in the log, the scope, the filter without use, the tab. */
const lists = [
  ['', 'my merge requests', 'ASSIGNED_TO_ME', 'assignee', 'Assigned to you'],
  ['/reviews', 'my reviews', 'REVIEWS_FOR_ME', 'reviewer', 'For you to review'],
  ['/created', 'merge requests created by me', 'CREATED_BY_ME', 'author', 'Created by you'],
] as const;

/** The merge requests that concern a person, everywhere. */
export function myMergeRequestPages(schema: GraphQLSchema): PageRoute[] {
  const list = mergeRequestLister(schema);
  return lists.map(([end, name, scope, without]) => ({
    path: `${root}${end}`,
    name,
    async get(visit) {
      requireVisitor(visit);
      const query = readMergeRequestQuery(visit.exchange);
      const page = await list(visit, { scope }, query);
      return toAnswer(
        <Layout site={visit.site} title="Your merge requests" current={root}>
          <h1>Your merge requests</h1>
          <nav class="tabs" aria-label="Which merge requests">
            {lists.map(([to, , , , label]) => (
              <a href={`${root}${to}`} aria-current={to === end ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
          <MergeRequestList
            path={`${root}${end}`}
            query={query}
            page={page}
            without={without}
            begin={
              <>
                Merge requests belong to projects: <a href="/explore/projects?scope=mine">find one</a>.
              </>
            }
          />
        </Layout>,
      );
    },
  }));
}
