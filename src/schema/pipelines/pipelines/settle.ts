import { compositeStatus } from '../../../ci/composite.ts';
import { durationOf } from '../../../ci/durations.ts';
import { timesAfter } from '../../../ci/transitions.ts';
import type { Sql } from '../../../database/index.ts';
import type { EventName } from '../../../events/kinds.ts';
import { record } from '../../../events/record.ts';
import { isCompleted, type CiStatus } from '../../../values/ci/statuses.ts';
import { mergeAllAfter } from '../../reviews/merging/when-due.ts';
import { statesOf, timesOf } from '../jobs/states.ts';
import { rememberEnd, settlePipelineRow, type LockedPipeline } from './statements/change.ts';

/**
 * Writes what follows from the jobs of a pipeline, after some of them changed in this transaction: its status by the
 * table, times, duration, coverage, and the event of its end. Code that changes jobs locks the pipeline first, and calls
 * this last.
 */
export async function settlePipeline(sql: Sql, pipeline: LockedPipeline, actorId: number | null): Promise<void> {
  const { states, coverage, startedAt } = await statesOf(sql, pipeline.id);
  const status = compositeStatus(states) ?? pipeline.status;
  const now = new Date();
  const before = { startedAt: pipeline.startedAt ?? startedAt, finishedAt: pipeline.finishedAt };
  const isAnotherEnd = isCompleted(status) && status !== pipeline.status;
  const times = timesAfter(isAnotherEnd ? { ...before, finishedAt: null } : before, status, now);
  const duration = isCompleted(status) ? durationOf(await timesOf(sql, pipeline.id), now) : null;
  await sql.rows(settlePipelineRow, [pipeline.id, status, times.startedAt, times.finishedAt, duration, coverage]);
  if (isAnotherEnd) await tellEnd(sql, pipeline, { status, actorId });
}

/** Ends a pipeline that has no jobs, with its event: its configuration is wrong, or nothing is to run. */
export async function endPipeline(
  sql: Sql,
  pipeline: LockedPipeline,
  { status, actorId }: { readonly status: 'failed' | 'skipped'; readonly actorId: number | null },
): Promise<void> {
  await sql.rows(settlePipelineRow, [pipeline.id, status, null, new Date(), null, null]);
  await tellEnd(sql, pipeline, { status, actorId });
}

const ends: { readonly [Status in CiStatus]?: EventName } = {
  success: 'pipeline.succeeded',
  failed: 'pipeline.failed',
  canceled: 'pipeline.canceled',
};

async function tellEnd(
  sql: Sql,
  { id, projectId, ref, tag }: LockedPipeline,
  { status, actorId }: { readonly status: CiStatus; readonly actorId: number | null },
): Promise<void> {
  const name = ends[status];
  // A skipped one has no event. Merge requests that wait for it are merged where it counts as a success.
  if (status === 'skipped') await mergeAllAfter(sql, id);
  if (name === undefined) return;
  const counts = status === 'success' || status === 'failed';
  const [former] = counts ? await sql.rows(rememberEnd, [projectId, tag, ref, status, id]) : [];
  const isFixed = status === 'success' && former?.before === 'failed';
  await record(sql, isFixed ? 'pipeline.fixed' : (name as 'pipeline.failed'), { actorId, projectId, subjectId: id });
}
