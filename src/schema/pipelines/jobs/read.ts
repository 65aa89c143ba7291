import { batched, batchedLists, batchedRows } from '../../engine/batched.ts';
import type { Context } from '../../../context.ts';
import { latestJobs, projectsWithJobs, readJobs, type JobRecord } from './statements.ts';

export type { JobRecord };

/** Whether the viewer reads the jobs of a project; those of a page are read in one statement. */
export const readsJobsIn = batched<true>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(projectsWithJobs(viewer), [ids, viewer.person?.id ?? null]);
  return new Map(rows.map(({ id }) => [id, true]));
});

const lists = batchedLists(
  (context, pipelines) => context.database.rows(latestJobs, [pipelines]),
  ({ pipelineId }: JobRecord) => pipelineId,
);

/**
 * The jobs and reported statuses of a pipeline that count, in the order of their stages. Where the viewer doesn’t read its
 * jobs, only the statuses. Those of many pipelines are read at once.
 */
export async function latestJobsOf(
  context: Context,
  { id, projectId }: { readonly id: number; readonly projectId: number },
): Promise<readonly JobRecord[]> {
  const jobs = await lists(context, id, null);
  const isReported = ({ kind }: JobRecord) => kind === 'status';
  return jobs.every(isReported) || (await readsJobsIn(context, projectId)) ? jobs : jobs.filter(isReported);
}

/** A job by id. */
export const jobById = batchedRows(readJobs);
