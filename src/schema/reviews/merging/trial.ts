import { PlainBadRequest } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { merge } from '../../../git/merge/index.ts';
import { readCommit, readRef } from '../../../git/objects/index.ts';
import { changeRefs } from '../../../git/refs/transaction.ts';
import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { MergeRequest, type MergeRequestRecord } from '../merge-requests/types.ts';
import { mergeMessage } from './message.ts';

/** The merge as it would be: a commit that a pipeline can check out, at `refs/merge-requests/<iid>/merge`. */

const notMergeable = () => new PlainBadRequest('Merge request is not mergeable');

/** The name of the commit of a trial merge. The same heads make the same one. @throws PlainBadRequest if git can't merge */
async function trialOf(context: Context, one: MergeRequestRecord): Promise<string> {
  const { git } = await repositoryIn(context, String(one.projectId));
  const tip = git && (await readRef(git, `refs/heads/${one.targetBranch}`));
  const head = one.headSha === null || !git ? undefined : await readCommit(git, one.headSha);
  if (one.state !== 'OPENED' || !git || tip === undefined || !head) throw notMergeable();
  const by = { name: 'Causeway', email: 'merge@localhost', at: new Date(head.committer.seconds * 1000) };
  try {
    const message = await mergeMessage(context, { one, git, head: head.id, tip, issues: [], mergedBy: by });
    const commit = await merge(git, { target: tip, source: head.id, message, author: by, committer: by });
    const ref = `refs/merge-requests/${one.iid}/merge`;
    const old = await readRef(git, ref);
    if (old !== commit) await changeRefs(git, [{ ref, old, new: commit }]);
    return commit;
  } catch (error) {
    const code = asGitError(error)?.code;
    // Someone else asks at the same time: their answer is as good.
    if (code === 'MISMATCH') return (await readRef(git, `refs/merge-requests/${one.iid}/merge`))!;
    throw code === 'CONFLICT' || code === 'INVALID' || code === 'NOT_FOUND' ? notMergeable() : error;
  }
}

builder.objectField(MergeRequest, 'mergeRef', (t) =>
  t.string({
    description: 'The commit that merging would make. An error, if git can’t merge.',
    resolve: (one, _args, context) => trialOf(context, one),
  }),
);
