import { turnsOf } from '../../../ci/progress.ts';
import type { Sql } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { settlePipeline } from '../pipelines/settle.ts';
import type { LockedPipeline } from '../pipelines/open.ts';
import { findTurns, startJobs } from './statements.ts';

/**
 * Starts what can start in a pipeline, after some of its jobs changed in this transaction, and writes what follows for the
 * pipeline. Code that changes jobs locks the pipeline first, and calls this last.
 */
export async function processPipeline(sql: Sql, pipeline: LockedPipeline, actorId: number | null): Promise<void> {
  await startNext(sql, pipeline.id);
  await settlePipeline(sql, pipeline, actorId);
}

/** Gives each job whose turn has come its status. */
async function startNext(sql: Sql, pipelineId: number): Promise<void> {
  const turns = [...turnsOf(await sql.rows(findTurns, [pipelineId]))];
  if (turns.length === 0) return;
  const started = await sql.rows(startJobs, [turns.map(([{ id }]) => id), turns.map(([, turn]) => turn)]);
  for (const { id, scheduledAt } of started)
    if (scheduledAt) await enqueue(sql, 'start_delayed_job', { jobId: id }, { runAt: scheduledAt });
}
