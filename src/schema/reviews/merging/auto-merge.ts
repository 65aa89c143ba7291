import { contextOfPerson, type Application, type Context } from '../../../context.ts';
import { Conflict, DomainError, mayPass, NotMergeable } from '../../../errors.ts';
import { publishMergeRequest } from '../../planning/live/publish.ts';
import { writeSystemNotes } from '../../planning/notes/system.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { headStatusNow } from '../../pipelines/pipelines/read.ts';
import type { SeenMergeRequest } from '../merge-requests/look-up.ts';
import { headPipelineStatusOf } from '../merge-requests/pipeline.ts';
import { upToDate } from '../merge-requests/up-to-date.ts';
import {
  activePipeline,
  detailedStatusOf,
  refusedByPipeline,
  succeeds,
  waitsForTime,
} from '../merge-requests/status.ts';
import type { MergeParams } from '../merge-requests/types.ts';
import { accept, mergeAccepted, requireMerging } from './merge.ts';
import { dropAutoMerge, findWaiting, findWaitingForTime, storeAutoMerge, type WaitingRow } from './statements.ts';
import { mergeWhenDue } from './when-due.ts';

/** Merging by itself, once the pipeline of the head succeeds, and at a moment that was chosen. */

const noted = (one: SeenMergeRequest['mergeRequest'], authorId: number) => ({
  mergeRequestId: one.id,
  projectId: one.projectId,
  authorId,
});

/**
 * Has a merge request merged once its pipeline succeeds, if one runs, and not before the moment that was chosen for it.
 * @returns false if there is nothing to wait for: merge now
 * @throws NotMergeable after a pipeline that failed, without one unless only the moment is yet to come, and for what neither
 *   changes
 */
export async function waitsForPipeline(
  context: Context,
  seen: SeenMergeRequest,
  params: MergeParams,
): Promise<boolean> {
  const { mergeRequest: one } = seen;
  const pipeline = await headPipelineStatusOf(context, one);
  const isEarly = waitsForTime(one);
  const isDone = succeeds(one, pipeline);
  if (isDone && !isEarly) return false;
  const status = detailedStatusOf(one, 'SUCCESS');
  if (status === 'NOT_OPEN') throw new NotMergeable(status);
  const runs = pipeline !== null && activePipeline.has(pipeline);
  // Without a pipeline, there is only the moment to wait for; after a failure, there is nothing.
  const waitsAlone = isEarly && (isDone || pipeline === null) && !refusedByPipeline(one, pipeline);
  if (!runs && !waitsAlone) throw new NotMergeable('CI_MUST_PASS');
  const { headSha: head } = one;
  if (params.sha && params.sha !== head) throw new Conflict(`SHA does not match HEAD of source branch: ${head ?? ''}`);
  const person = context.viewer.person!.id;
  await context.database.transaction(async (sql) => {
    const [stored] = await sql.rows(storeAutoMerge, [one.id, person, JSON.stringify(params), head, one.targetBranch]);
    if (!stored) throw new Conflict('The merge request was changed in the meantime.');
    // The present moment: another person may have changed it since it was read.
    const { merge_after: mergeAfter } = stored;
    const waits = waitsForTime({ mergeAfter });
    const short = head!.slice(0, 8);
    const body = `enabled an automatic merge when ${waits ? `all merge checks for ${short} pass` : `the pipeline for ${short} succeeds`}`;
    await writeSystemNotes(sql, noted(one, person), [{ body, action: 'merge' }]);
    if (waits) await mergeWhenDue(sql, one.id, mergeAfter);
  });
  publishMergeRequest(context, one.id);
  // A success that came meanwhile may have found nothing that waited for it.
  const row = { project_id: one.projectId, iid: one.iid, merge_user_id: person, head_sha: head! };
  await mergeIfSucceeded(context, row).catch(async (error: unknown) => {
    if (!mayPass(error)) throw error;
    await mergeWhenDue(context.database, one.id, null);
  });
  return true;
}

/** @returns whether it was to be merged by itself */
export async function cancelAutoMerge(context: Context, { mergeRequest: one }: SeenMergeRequest): Promise<boolean> {
  const dropped = await context.database.transaction(async (sql) => {
    const [row] = await sql.rows(dropAutoMerge, [one.id]);
    if (!row) return false;
    const note = { body: 'canceled the automatic merge', action: 'merge' };
    await writeSystemNotes(sql, noted(one, context.viewer.person!.id), [note]);
    return true;
  });
  if (dropped) publishMergeRequest(context, one.id);
  return dropped;
}

/**
 * The job `merge_waiting`, after the success of a pipeline: merges what waited for it, each as the person who asked for it. What can't be merged yet
 * goes on waiting.
 */
export async function mergeWaiting(application: Application, { eventId }: PayloadOf<'merge_waiting'>): Promise<void> {
  for (const row of await application.database.rows(findWaiting, [eventId])) {
    const context = await contextOfPerson(application, row.merge_user_id);
    if (!context) continue;
    await mergeIfSucceeded(context, row);
  }
}

/** Milliseconds until it is tried again. */
const pause = 5_000;

/**
 * The job `merge_due`: merges what waited for a moment, or for the end of what kept it from being merged, as the person who asked
 * for it. One that was put off waits again.
 */
export async function mergeDue(application: Application, { mergeRequestId }: PayloadOf<'merge_due'>): Promise<void> {
  const { database } = application;
  const [row] = await database.rows(findWaitingForTime, [mergeRequestId]);
  if (!row) return;
  const { merge_after: mergeAfter } = row;
  if (mergeAfter && waitsForTime({ mergeAfter })) {
    // This clock may be behind that of the queue.
    const again = new Date(Math.max(mergeAfter.getTime(), Date.now() + pause));
    return await mergeWhenDue(database, mergeRequestId, again);
  }
  const context = await contextOfPerson(application, row.merge_user_id);
  if (context) await mergeIfSucceeded(context, row);
}

/**
 * Merges what waits, unless it has a pipeline that hasn't succeeded: as the person who asked for it, if it isn't cancelled until
 * then, or merged by another person.
 */
async function mergeIfSucceeded(context: Context, row: Omit<WaitingRow, 'id'>): Promise<void> {
  try {
    const seen = await upToDate(context, { project: String(row.project_id), iid: String(row.iid) });
    const { autoMerge, mergeParams, mergeUserId, headSha, sourceProjectId, sourceBranch: ref } = seen.mergeRequest;
    const isMeant = autoMerge && mergeUserId === row.merge_user_id && headSha === row.head_sha;
    if (!isMeant || sourceProjectId === null) return;
    const now = await headStatusNow(context, { projectId: sourceProjectId, ref, sha: row.head_sha, tag: false });
    const status = now?.toUpperCase() ?? null;
    // What waited for its moment alone has no pipeline.
    if (status !== null && !succeeds(seen.mergeRequest, status)) return;
    await requireMerging(context, seen);
    const accepted = await accept(context, seen, row.head_sha, status);
    await mergeAccepted(context, accepted, mergeParams ?? {}, true);
  } catch (error) {
    if (mayPass(error) || !(error instanceof DomainError)) throw error;
  }
}
