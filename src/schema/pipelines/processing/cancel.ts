import type { Database, Sql } from '../../../database/index.ts';
import { settleDeployment } from '../deployments/of-jobs.ts';
import { cancelJobsOf } from '../jobs/states.ts';
import { lockPipelineById } from '../pipelines/open.ts';
import { settlePipeline } from '../pipelines/settle.ts';
import { processPipeline } from './process.ts';
import { findSuperfluousPart } from './statements.ts';

type Transactions = { readonly database: Pick<Database, 'transaction'> };

/** Cancels everything in a pipeline that hasn’t finished. @returns whether there is such a pipeline */
export const cancelPipelineJobs = (
  { database }: Transactions,
  projectId: number,
  id: number,
  actorId: number | null,
): Promise<boolean> =>
  database.transaction(async (sql) => {
    const pipeline = await lockPipelineById(sql, projectId, id);
    if (!pipeline) return false;
    if (await cancelIn(sql, id, 'all')) await settlePipeline(sql, pipeline, actorId);
    return true;
  });

/** Cancels what a newer commit makes superfluous in a pipeline, by its `auto_cancel`. */
export const cancelSuperfluousJobs = (
  { database }: Transactions,
  projectId: number,
  id: number,
  actorId: number | null,
): Promise<void> =>
  database.transaction(async (sql) => {
    const pipeline = await lockPipelineById(sql, projectId, id);
    const [superfluous] = pipeline ? await sql.rows(findSuperfluousPart, [id]) : [];
    if (!pipeline || !superfluous || superfluous.part === 'none') return;
    if (await cancelIn(sql, id, superfluous.part)) await processPipeline(sql, pipeline, actorId);
  });

/** Cancels jobs of a pipeline that this transaction has locked. @returns whether there were any */
export async function cancelIn(sql: Sql, id: number, part: 'all' | 'interruptible'): Promise<boolean> {
  const canceled = await cancelJobsOf(sql, id, part === 'interruptible');
  for (const job of canceled)
    if (job.environment !== null) await settleDeployment(sql, { id: job.id, status: 'canceled' });
  return canceled.length > 0;
}
