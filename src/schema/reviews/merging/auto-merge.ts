import { contextOfPerson, type Application, type Context } from '../../../context.ts';
import { DomainError, Conflict, NotMergeable } from '../../../errors.ts';
import { writeSystemNotes } from '../../planning/notes/system.ts';
import type { PayloadOf } from '../../../values/job-kinds.ts';
import { headStatusNow } from '../../pipelines/pipelines/read.ts';
import type { SeenMergeRequest } from '../merge-requests/look-up.ts';
import { headPipelineStatusOf } from '../merge-requests/pipeline.ts';
import { upToDate } from '../merge-requests/up-to-date.ts';
import { activePipeline, detailedStatusOf } from '../merge-requests/status.ts';
import type { MergeParams } from '../merge-requests/types.ts';
import { accept, mergeAccepted, requireMerging } from './merge.ts';
import { dropAutoMerge, findWaiting, storeAutoMerge } from './statements.ts';

/** Merging by itself, once the pipeline of the head succeeds. */

const noted = (one: SeenMergeRequest['mergeRequest'], authorId: number) => ({
  mergeRequestId: one.id,
  projectId: one.projectId,
  authorId,
});

/**
 * Has a merge request merged once its pipeline succeeds, if one runs.
 * @returns false if it has succeeded already: merge now
 * @throws NotMergeable without a pipeline, after one that failed, and for what the pipeline doesn't change
 */
export async function waitsForPipeline(
  context: Context,
  seen: SeenMergeRequest,
  params: MergeParams,
): Promise<boolean> {
  const { mergeRequest: one } = seen;
  const pipeline = await headPipelineStatusOf(context, one);
  if (pipeline === 'SUCCESS') return false;
  const status = detailedStatusOf(one, 'SUCCESS');
  if (status === 'NOT_OPEN') throw new NotMergeable(status);
  if (pipeline === null || !activePipeline.has(pipeline)) throw new NotMergeable('CI_MUST_PASS');
  const { headSha: head, sourceProjectId: projectId, sourceBranch: ref } = one;
  if (params.sha && params.sha !== head) throw new Conflict(`SHA does not match HEAD of source branch: ${head ?? ''}`);
  const person = context.viewer.person!.id;
  await context.database.transaction(async (sql) => {
    const [stored] = await sql.rows(storeAutoMerge, [one.id, person, JSON.stringify(params), head]);
    if (!stored) throw new Conflict('The merge request was changed in the meantime.');
    const body = `enabled an automatic merge when the pipeline for ${head!.slice(0, 8)} succeeds`;
    await writeSystemNotes(sql, noted(one, person), [{ body, action: 'merge' }]);
  });
  // A success that came meanwhile found nothing that waited for it.
  return (await headStatusNow(context, { projectId: projectId!, ref, sha: head! })) !== 'success';
}

/** @returns whether it was to be merged by itself */
export async function cancelAutoMerge(context: Context, { mergeRequest: one }: SeenMergeRequest): Promise<boolean> {
  return await context.database.transaction(async (sql) => {
    const [dropped] = await sql.rows(dropAutoMerge, [one.id]);
    if (!dropped) return false;
    const note = { body: 'canceled the automatic merge', action: 'merge' };
    await writeSystemNotes(sql, noted(one, context.viewer.person!.id), [note]);
    return true;
  });
}

/**
 * The job `merge_waiting`, after the success of a pipeline: merges what waited for it, each as the person who asked for it. What can't be merged yet
 * goes on waiting.
 */
export async function mergeWaiting(application: Application, { eventId }: PayloadOf<'merge_waiting'>): Promise<void> {
  for (const row of await application.database.rows(findWaiting, [eventId])) {
    const context = await contextOfPerson(application, row.merge_user_id);
    if (!context) continue;
    try {
      const seen = await upToDate(context, { project: String(row.project_id), iid: String(row.iid) });
      const { autoMerge, mergeParams, mergeUserId, headSha } = seen.mergeRequest;
      const isMeant = autoMerge && mergeUserId === row.merge_user_id && headSha === row.head_sha;
      if (!isMeant || (await headPipelineStatusOf(context, seen.mergeRequest)) !== 'SUCCESS') continue;
      await requireMerging(context, seen);
      await mergeAccepted(context, await accept(context, seen, row.head_sha), mergeParams ?? {}, true);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
