import { PlainBadRequest } from '../../../errors.ts';
import { noObject } from '../../../git/names/index.ts';
import { readCommit } from '../../../git/objects/index.ts';
import { writeCode, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { commitOn } from '../writing/commit.ts';
import { Commit, commitRecord, type CommitRecord } from './types.ts';

/** Submodules: the commit of another repository that a folder stands for. That repository is never fetched. */

mutation('submoduleUpdate', {
  description: 'Has a submodule name another commit, by a commit on a branch.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    path: t.string({ required: true, description: 'The path of the submodule.' }),
    branch: t.string({ required: true, description: 'The branch that gets the commit.' }),
    commitSha: t.string({
      required: true,
      description: 'The full name of the commit, which isn’t looked for: it is in another repository.',
    }),
    message: t.string({ description: 'That of the commit. If omitted, it names both.' }),
  }),
  payload: (t: FieldsOf<{ commit: CommitRecord }>) => ({ commit: t.expose('commit', { type: Commit }) }),
  resolve: async (context, { projectPath, path: given, branch, commitSha, message }) => {
    const repository = await repositoryIn(context, projectPath, writeCode);
    // Git checks out no tree in which a submodule names no commit.
    if (!/^[0-9a-f]{40}$/.test(commitSha) || commitSha === noObject) throw new PlainBadRequest('Invalid parameters');
    const path = given.replace(/^\//, '');
    const made = await commitOn(context, repository, {
      branch,
      message: message || `Update submodule ${path} with oid ${commitSha}`,
      author: (committer) => committer,
      actions: [{ action: 'submodule', path, commit: commitSha }],
    });
    return { commit: commitRecord(made.repository, (await readCommit(made.repository.git!, made.id))!) };
  },
});
