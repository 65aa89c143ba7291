import type { Sql } from '../../../database/index.ts';
import { lockPipelineById, type LockedPipeline } from '../pipelines/open.ts';
import { findPipelineOfJob } from './statements.ts';

/** Locks the pipeline of a job until the transaction ends: always before the job. Undefined without such a job. */
export async function lockPipelineOfJob(sql: Sql, jobId: number): Promise<LockedPipeline | undefined> {
  const [found] = await sql.rows(findPipelineOfJob, [jobId]);
  return found && (await lockPipelineById(sql, found.projectId, found.pipelineId));
}
