import { listRoute } from '../../engine/list-route.ts';
import type { AnyRoute } from '../../engine/route.ts';
import { ofCommit } from '../../repository/commits/around.ts';
import { listedMergeRequests } from './list.ts';

/** The merge requests of a commit. */
export const mergeRequestsOfCommits: readonly AnyRoute[] = [
  listRoute({
    ...listedMergeRequests,
    ...ofCommit,
    path: '/api/v4/projects/:id/repository/commits/:sha/merge_requests',
    summary: 'List the merge requests that bring, or brought, a commit',
    tag: 'Commits',
    parameters: [
      {
        name: 'state',
        type: 'string',
        allowed: ['opened', 'closed', 'locked', 'merged', 'all'],
        description: 'Only those in this state.',
      },
    ],
    field: 'mergeRequests',
    args: { state: 'MergeRequestState' },
    variables: ({ id: project, sha: ref, state }) => ({
      project,
      ref,
      state: state ?? null,
      details: false,
      html: false,
    }),
    withoutRepository: 404,
  }),
];
