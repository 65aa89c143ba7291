import type { Context } from '../../../context.ts';
import { onceFor } from '../../../values/once.ts';
import { Recent } from '../../../values/recent.ts';

/** Milliseconds for which one look counts. */
const lasts = 70_000;

/** Most jobs that are remembered. */
const most = 1_000;

/** The jobs whose log someone watches, in this process, and until when: their runners send it more often. By where logs are. */
const watched = onceFor<Context['files'], Recent<number, number>>(() => new Recent(most));

/** Whether someone watches the log of a job. */
export const isWatched = ({ files }: Pick<Context, 'files'>, job: number): boolean =>
  (watched(files).get(job) ?? 0) > performance.now();

/** Someone looks at the log of a job as it grows. */
export const watch = ({ files }: Pick<Context, 'files'>, job: number): void =>
  watched(files).set(job, performance.now() + lasts);
