import type { Context } from '../../../context.ts';
import type { HandedDependency } from '../../../values/handed-job.ts';
import { artifactsOfJob } from '../artifacts/read.ts';

/** The archives that jobs left, by the jobs: what another one fetches. */
export async function archivesOf(
  context: Context,
  jobs: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, NonNullable<HandedDependency['artifactsFile']>>> {
  const found = await Promise.all(jobs.map(({ id }) => artifactsOfJob(context, id)));
  const archives = found.flat().filter(({ kind }) => kind === 'archive');
  return new Map(archives.map(({ jobId, filename, size }) => [jobId, { filename, size }]));
}
