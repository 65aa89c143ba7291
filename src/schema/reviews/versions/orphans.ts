import { operatorContext, type Application } from '../../../context.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { publishMergeRequest } from '../../planning/live/publish.ts';
import { changeWithin } from '../merge-requests/changes/change.ts';
import { lockOrphan } from './statements.ts';

/** Milliseconds until the author of a merge request may be gone. */
const untilGone = 3_000;

/**
 * The job `close_orphaned_merge_request`: closes a merge request that can't be merged any more, as its source project was
 * removed, or isn't a relative of its target. One that was related again in the meantime stays open.
 */
export async function closeOrphaned(
  application: Application,
  { mergeRequestId: id, actorId }: PayloadOf<'close_orphaned_merge_request'>,
): Promise<void> {
  const context = operatorContext(application);
  const effect = await context.database.transaction(async (sql) => {
    const [orphan] = await sql.rows(lockOrphan, [id, actorId]);
    if (!orphan) return undefined;
    const { project_id: projectId, actor_id: actor, leaving } = orphan;
    // What is written for an author who is being removed would be in the way: later, it is the ghost's.
    if (leaving && actor === null) {
      const runAt = new Date(Date.now() + untilGone);
      await enqueue(sql, 'close_orphaned_merge_request', { mergeRequestId: id, actorId }, { key: String(id), runAt });
      return undefined;
    }
    return await changeWithin(sql, actor, { id, projectId }, { state: 'CLOSED' });
  });
  if (effect) publishMergeRequest(context, id, effect.parts);
}
