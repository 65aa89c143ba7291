import { objectSchema } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** How much the person has to do. */

interface Counted {
  readonly count: number;
}

interface CountsData {
  readonly currentUser: {
    readonly assignedMergeRequests: Counted;
    readonly reviewRequestedMergeRequests: Counted;
    readonly todos: Counted;
  };
  readonly issues: Counted;
}

const count = { type: 'integer' };

export const userCountRoutes: readonly AnyRoute[] = [
  route<CountsData>({
    method: 'GET',
    path: '/api/v4/user_counts',
    summary: 'Count your open issues and merge requests, and your pending to-dos',
    tag: 'Users',
    parameters: [],
    operation: `query {
      currentUser {
        assignedMergeRequests(state: opened) { count }
        reviewRequestedMergeRequests(state: opened) { count }
        todos(state: [pending]) { count }
      }
      issues(scope: ASSIGNED_TO_ME, state: opened) { count }
    }`,
    variables: () => ({}),
    person: 401,
    record: {
      name: 'UserCounts',
      schema: objectSchema({
        merge_requests: { ...count, description: 'The same as `assigned_merge_requests`. Obsolete.' },
        assigned_issues: count,
        assigned_merge_requests: count,
        review_requested_merge_requests: count,
        todos: count,
      }),
      present: ({ currentUser, issues }) => ({
        merge_requests: currentUser.assignedMergeRequests.count,
        assigned_issues: issues.count,
        assigned_merge_requests: currentUser.assignedMergeRequests.count,
        review_requested_merge_requests: currentUser.reviewRequestedMergeRequests.count,
        todos: currentUser.todos.count,
      }),
    },
    dialect: 'version 4',
  }),
];
