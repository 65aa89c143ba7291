import type { Context } from '../../../context.ts';
import { DomainError } from '../../../errors.ts';
import type { SeenMergeRequest } from '../../reviews/merge-requests/look-up.ts';
import { headPipelineStatusOf } from '../../reviews/merge-requests/pipeline.ts';
import { activePipeline, detailedStatusOf } from '../../reviews/merge-requests/status.ts';
import { waitsForPipeline } from '../../reviews/merging/auto-merge.ts';
import { accept, mergeAccepted, requireMerging } from '../../reviews/merging/merge.ts';
import { requestRebase, requireRebasing } from '../../reviews/merging/rebase.ts';

/** Commands that merge and rebase: they begin after the text was stored. */

/** What is done after the commit; `schedule` merges once the pipeline succeeds, or its moment has come. */
export type Later = 'merge' | 'schedule' | 'rebase';

/** Whether something would be refused now. */
async function isRefused(check: () => Promise<unknown>): Promise<boolean> {
  try {
    await check();
    return false;
  } catch (error) {
    if (error instanceof DomainError) return true;
    throw error;
  }
}

/**
 * Which of merging and rebasing the viewer may begin now, of those that are asked for.
 * @param head the head that they saw: another one isn't merged
 */
export async function readyFor(
  context: Context,
  seen: SeenMergeRequest | undefined,
  wanted: ReadonlySet<string>,
  head: string | null | undefined,
) {
  const ready = new Set<Later>();
  if (!seen) return ready;
  const isSeen = !head || head === seen.mergeRequest.headSha;
  if (wanted.has('merge') && isSeen && !(await isRefused(() => requireMerging(context, seen)))) {
    const pipeline = await headPipelineStatusOf(context, seen.mergeRequest);
    const status = detailedStatusOf(seen.mergeRequest, 'SUCCESS');
    const isEarly = status === 'MERGE_TIME';
    if (isEarly || (pipeline !== null && activePipeline.has(pipeline))) {
      if (isEarly || status === 'MERGEABLE') ready.add('schedule');
    } else if (!(await isRefused(() => accept(context, seen, undefined)))) ready.add('merge');
  }
  if (wanted.has('rebase') && seen.mergeRequest.state === 'OPENED')
    if (!(await isRefused(() => requireRebasing(context, seen)))) ready.add('rebase');
  return ready;
}

const mergeNow = async (context: Context, seen: SeenMergeRequest): Promise<void> =>
  mergeAccepted(context, await accept(context, seen, undefined), {});

async function schedule(context: Context, seen: SeenMergeRequest): Promise<void> {
  if (!(await waitsForPipeline(context, seen, {}))) await mergeNow(context, seen);
}

/** Begins what is due. Who changed the merge request meanwhile decides: the text was stored. */
export async function begin(context: Context, seen: SeenMergeRequest, due: ReadonlySet<Later>): Promise<void> {
  if (due.has('rebase')) await isRefused(() => requestRebase(context, seen));
  if (due.has('merge')) await isRefused(() => mergeNow(context, seen));
  if (due.has('schedule')) await isRefused(() => schedule(context, seen));
}
