import { recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { CommitDetail, commitFields, statsFields, type CommitData } from './record.ts';
import { writersOnly } from './writing.ts';

/** Changing which commit a submodule names. */
export const submoduleRoutes: readonly AnyRoute[] = [
  route<{ submoduleUpdate: { commit: CommitData & { repository: { projectId: number } } } }>({
    method: 'PUT',
    path: '/api/v4/projects/:id/repository/submodules/:submodule',
    summary: 'Have a submodule name another commit',
    tag: 'Commits',
    parameters: [
      { name: 'branch', type: 'string', required: true, description: 'The branch that gets the commit.' },
      { name: 'commit_sha', type: 'string', required: true, description: 'The full name of the other commit.' },
      { name: 'commit_message', type: 'string', description: 'Its message. If omitted, it names both.' },
    ],
    example: { branch: 'main', commit_sha: '3ddec28ea23acc5caa5d8331a6ecb2a65fc03e88' },
    operation: `mutation ($input: SubmoduleUpdateInput!) {
      submoduleUpdate(input: $input) { commit { ${commitFields} ${statsFields} repository { projectId: projectDatabaseId } } }
    }`,
    variables: (values) => ({
      input: {
        projectPath: values.id,
        path: values.submodule,
        branch: values.branch ?? '',
        commitSha: values.commit_sha ?? '',
        message: values.commit_message,
      },
    }),
    guard: writersOnly,
    record: recordOf(CommitDetail, ({ submoduleUpdate: { commit } }) => ({
      ...commit,
      projectId: commit.repository.projectId,
      latestPipeline: null,
    })),
    refusals: [404],
    dialect: 'version 4',
  }),
];
