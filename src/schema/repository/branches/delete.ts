import { enqueue } from '../../../jobs/enqueue.ts';
import { writeCode, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';
import { requireWritable } from '../writing/commit.ts';
import { deleteRef } from '../writing/delete.ts';
import { branchIn, heads } from './read.ts';

/** Deleting branches. */

mutation('branchDelete', {
  description: 'Deletes a branch, but not the default one.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true }),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses the removal if the branch’s commit was written after this moment.',
    }),
  }),
  payload: (t: FieldsOf<{ repository: RepositoryRecord }>) => ({
    repository: t.expose('repository', { type: Repository, description: 'The repository that it was in.' }),
  }),
  resolve: async (context, { projectPath, name, unmodifiedSince }) => {
    const repository = await repositoryIn(context, projectPath, writeCode);
    const { repository: found, commit: tip } = await branchIn(repository, name);
    await deleteRef(context, repository, {
      git: found.git,
      ref: `${heads}${name}`,
      value: tip,
      commit: tip,
      unmodifiedSince,
      moved: 'Could not update branch. Please refresh and try again.',
    });
    return { repository };
  },
});

mutation('mergedBranchesDelete', {
  description:
    'Deletes the branches whose commits the default branch all has, soon: a job does it, with your rights of then. The default branch, protected ones and those of open merge requests stay.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ projectPath: t.id({ required: true, description: 'Full path, global id or number.' }) }),
  payload: (t: FieldsOf<{ repository: RepositoryRecord }>) => ({
    repository: t.expose('repository', { type: Repository }),
  }),
  resolve: async (context, { projectPath }) => {
    const repository = await repositoryIn(context, projectPath, writeCode);
    requireWritable(context, repository);
    const { id: projectId } = repository;
    const personId = context.viewer.person?.id;
    if (repository.git && personId !== undefined) {
      const key = `${projectId} ${personId}`;
      await enqueue(context.database, 'remove_merged_branches', { projectId, personId }, { key });
    }
    return { repository };
  },
});
