import { Created } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';

/** Upkeep of repositories. */
export const storageRoutes: readonly AnyRoute[] = [
  route<unknown>({
    method: 'POST',
    path: '/api/v4/projects/:id/housekeeping',
    summary: 'Put the files of a repository in order, soon (maintainers only)',
    tag: 'Repositories',
    parameters: [
      {
        name: 'task',
        type: 'string',
        allowed: ['eager', 'prune'],
        default: 'eager',
        description: 'Both do the same: all is packed, and what nothing refers to for two weeks is removed.',
      },
    ],
    operation:
      'mutation ($input: RepositoryMaintainInput!) { repositoryMaintain(input: $input) { repository { projectDatabaseId } } }',
    variables: ({ id }) => ({ input: { projectPath: id } }),
    withoutRepository: 404,
    status: 201,
    record: Created,
    refusals: [404],
    dialect: 'version 4',
  }),
];
