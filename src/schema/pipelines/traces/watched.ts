import type { Context } from '../../../context.ts';

/** The jobs whose log someone watches, in this process, and until when: their runners send it more often. By where logs are. */
const watched = new WeakMap<Context['files'], Map<number, number>>();

/** Milliseconds for which one look counts. */
const lasts = 70_000;

/** Most jobs that are remembered. */
const most = 1_000;

/** Whether someone watches the log of a job. */
export const isWatched = ({ files }: Pick<Context, 'files'>, job: number): boolean =>
  (watched.get(files)?.get(job) ?? 0) > performance.now();

/** Someone looks at the log of a job as it grows. */
export function watch({ files }: Pick<Context, 'files'>, job: number): void {
  let jobs = watched.get(files);
  if (!jobs) watched.set(files, (jobs = new Map()));
  // In the order of the last look.
  jobs.delete(job);
  jobs.set(job, performance.now() + lasts);
  if (jobs.size > most) jobs.delete(jobs.keys().next().value!);
}
