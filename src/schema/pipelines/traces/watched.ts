/** The jobs whose log someone watches, in this process, and until when: their runners send it more often. */
const watched = new Map<number, number>();

/** Milliseconds for which one look counts. */
const lasts = 70_000;

/** Most jobs that are remembered. */
const most = 1_000;

/** Whether someone watches the log of a job. */
export const isWatched = (job: number): boolean => (watched.get(job) ?? 0) > performance.now();

/** Someone looks at the log of a job as it grows. */
export function watch(job: number): void {
  // In the order of the last look.
  watched.delete(job);
  watched.set(job, performance.now() + lasts);
  if (watched.size > most) watched.delete(watched.keys().next().value!);
}
