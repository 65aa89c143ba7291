import { PlainBadRequest, PlainForbidden, PreconditionFailed } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { readCommit } from '../../../git/objects/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { deletesProtected, writeCode, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';
import { requireWritable } from '../writing/commit.ts';
import { openForWriting, writeRefs } from '../writing/write.ts';
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
    const { author } = (await readCommit(found.git, tip))!;
    if (unmodifiedSince && author.seconds * 1000 > unmodifiedSince.getTime()) throw new PreconditionFailed();
    requireWritable(context, repository);
    const git = await openForWriting(context, repository);
    try {
      await writeRefs(context, repository, git, [{ ref: `${heads}${name}`, old: tip, new: undefined }]);
    } catch (error) {
      if (error instanceof PlainBadRequest && error.message === deletesProtected)
        throw new PlainForbidden(deletesProtected);
      if (asGitError(error)?.code === 'MISMATCH')
        throw new PlainBadRequest('Could not update branch. Please refresh and try again.');
      throw error;
    }
    return { repository };
  },
});

mutation('mergedBranchesDelete', {
  description:
    'Deletes the branches whose commits the default branch all has, soon: a job does it, with your rights of then. The default branch and protected ones stay.',
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
