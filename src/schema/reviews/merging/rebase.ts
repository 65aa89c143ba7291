import { contextOfPerson, operatorContext, type Application, type Context } from '../../../context.ts';
import { DomainError, Conflict, PlainForbidden } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { rebase } from '../../../git/merge/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { fetchRef } from '../../../git/storage/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { holds, mayPushTo, protectionOf, writeCode } from '../../../policy/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { rulesOf } from '../../repository/protected-branches/read.ts';
import { repositoryIn } from '../../repository/repositories/look-up.ts';
import { committerOf } from '../../repository/writing/committer.ts';
import { openForWriting, writeRefs } from '../../repository/writing/write.ts';
import type { SeenMergeRequest } from '../merge-requests/look-up.ts';
import { mergeRequestById } from '../merge-requests/read.ts';
import type { MergeRequestRecord } from '../merge-requests/types.ts';
import { refreshVersion } from '../versions/refresh.ts';
import { beginRebase, storeMergeError } from './statements.ts';

/** Rebasing: the source branch goes on from the target, in the background. */

const failed = 'Rebase failed. Please rebase locally';

/** Requires that the viewer may rebase it. @throws PlainForbidden without a source branch, or without the right to push there */
export async function requireRebasing(context: Context, { mergeRequest: one }: SeenMergeRequest): Promise<void> {
  const repository = one.sourceProjectId === null ? undefined : await sourceOf(context, one.sourceProjectId);
  const ref = `refs/heads/${one.sourceBranch}`;
  if (!repository?.git || (await readRef(repository.git, ref)) === undefined)
    throw new PlainForbidden('403 Forbidden - Source branch does not exist');
  const rules = await rulesOf(context, repository);
  const protection = protectionOf(rules, one.sourceBranch);
  const { viewer } = context;
  const { archived, facts } = repository;
  const mayPush = holds(writeCode, viewer, facts) && mayPushTo({ viewer, facts, archived, rules }, one.sourceBranch);
  if (!mayPush || (protection && !protection.allowForcePush))
    throw new PlainForbidden('403 Forbidden - Cannot push to source branch');
}

/**
 * Begins a rebase.
 * @param skipsCi whether the pipeline of the new head is skipped
 * @throws as `requireRebasing`; Conflict if it isn't open, or one runs
 */
export async function requestRebase(context: Context, seen: SeenMergeRequest, skipsCi = false): Promise<void> {
  await requireRebasing(context, seen);
  const { mergeRequest: one } = seen;
  const { viewer } = context;
  await context.database.transaction(async (sql) => {
    const [begun] = await sql.rows(beginRebase, [one.id]);
    if (!begun)
      throw new Conflict(
        'Failed to enqueue the rebase operation, possibly due to a long-lived transaction. Try again later.',
      );
    const payload = { mergeRequestId: one.id, personId: viewer.person!.id, skipsCi };
    await enqueue(sql, 'rebase_merge_request', payload, { key: String(one.id) });
  });
}

/** The repository of the source, if the viewer reads it. */
async function sourceOf(context: Context, id: number) {
  try {
    return await repositoryIn(context, String(id));
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** The job `rebase_merge_request`. May be repeated: what goes on from the target already stays as it is. */
export async function rebaseMergeRequest(
  application: Application,
  { mergeRequestId: id, personId, skipsCi }: PayloadOf<'rebase_merge_request'>,
  signal: AbortSignal,
): Promise<void> {
  const context = await contextOfPerson(application, personId);
  let problem: string | null = null;
  try {
    if (context) await rebaseNow(context, await mergeRequestById(context, id), { skipsCi: skipsCi === true, signal });
    else problem = failed;
  } catch (error) {
    if (!(error instanceof DomainError) && !asGitError(error)) throw error;
    problem = failed;
  }
  // A reader who sees that it is over sees the new version, too.
  if (problem === null) await refreshVersion(operatorContext(application), id, personId);
  await application.database.rows(storeMergeError, [id, problem]);
}

async function rebaseNow(
  context: Context,
  one: MergeRequestRecord,
  { skipsCi, signal }: { readonly skipsCi: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (one.state !== 'OPENED') throw new Conflict(failed);
  const project = await repositoryIn(context, String(one.sourceProjectId), writeCode);
  const source = await openForWriting(context, project);
  const head = await readRef(source, `refs/heads/${one.sourceBranch}`);
  const target = await tipIn(context, one, source);
  if (head === undefined || target === undefined) throw new Conflict(failed);
  const committer = await committerOf(context);
  const result = await rebase(source, { target, source: head, committer, signal });
  if (result === head) return;
  const ref = `refs/heads/${one.sourceBranch}`;
  const ciOptions = skipsCi ? ['ci.skip'] : [];
  await writeRefs(context, project, source, [{ ref, old: head, new: result }], { ciOptions });
}

/** The head of the target, whose objects are in the source by then. */
async function tipIn(
  context: Context,
  one: MergeRequestRecord,
  source: ReturnType<Context['git']['repository']>,
): Promise<string | undefined> {
  const branch = one.targetBranch;
  if (one.sourceProjectId === one.projectId) return await readRef(source, `refs/heads/${branch}`);
  const { git } = await repositoryIn(context, String(one.projectId));
  if (!git) return undefined;
  const to = `refs/merge-targets/${one.id}`;
  await fetchRef(source, git, { branch, to });
  return await readRef(source, to);
}
