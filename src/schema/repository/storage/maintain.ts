import { enqueue } from '../../../jobs/enqueue.ts';
import { editProject, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';

mutation('repositoryMaintain', {
  description: 'Puts the files of a repository in order, soon: a job does it. For maintainers.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ projectPath: t.id({ required: true, description: 'Full path, global id or number.' }) }),
  payload: (t: FieldsOf<{ repository: RepositoryRecord }>) => ({
    repository: t.expose('repository', { type: Repository }),
  }),
  resolve: async (context, { projectPath }) => {
    const repository = await repositoryIn(context, projectPath, editProject);
    const { id: projectId, git } = repository;
    if (git) await enqueue(context.database, 'maintain_repository', { projectId }, { key: String(projectId) });
    return { repository };
  },
});
