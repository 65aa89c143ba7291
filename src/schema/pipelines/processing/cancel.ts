import type { Database } from '../../../database/index.ts';
import { settleDeployment } from '../deployments/of-jobs.ts';
import { cancelJobsOf } from '../jobs/states.ts';
import { lockPipelineById } from '../pipelines/open.ts';
import { settlePipeline } from '../pipelines/settle.ts';
import { findUninterruptible } from './statements.ts';

/**
 * Cancels everything in a pipeline that hasn’t finished.
 * @param onlyInterruptible not if a job has started that may not be interrupted
 * @returns whether there is such a pipeline
 */
export const cancelPipelineJobs = (
  { database }: { readonly database: Pick<Database, 'transaction'> },
  projectId: number,
  id: number,
  { actorId, onlyInterruptible = false }: { readonly actorId: number | null; readonly onlyInterruptible?: boolean },
): Promise<boolean> =>
  database.transaction(async (sql) => {
    const pipeline = await lockPipelineById(sql, projectId, id);
    if (!pipeline) return false;
    if (onlyInterruptible && (await sql.rows(findUninterruptible, [id])).length > 0) return true;
    const canceled = await cancelJobsOf(sql, id);
    for (const job of canceled)
      if (job.environment !== null) await settleDeployment(sql, { id: job.id, status: 'canceled' });
    if (canceled.length > 0) await settlePipeline(sql, pipeline, actorId);
    return true;
  });
