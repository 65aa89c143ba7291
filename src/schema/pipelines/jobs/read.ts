import { batchedLists, batchedRows } from '../../engine/batched.ts';
import type { Context } from '../../../context.ts';
import { latestJobs, readJobs, type JobRecord } from './statements.ts';

export type { JobRecord };

const lists = batchedLists(
  (context, pipelines) => context.database.rows(latestJobs, [pipelines]),
  ({ pipelineId }: JobRecord) => pipelineId,
);

/** The jobs of a pipeline that count, in the order of their stages. Those of many pipelines are read at once. */
export const latestJobsOf = (context: Context, pipelineId: number): Promise<readonly JobRecord[]> =>
  lists(context, pipelineId, null);

/** A job by id. */
export const jobById = batchedRows(readJobs);
