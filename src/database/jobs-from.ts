import { storedWith, type JobName } from '../values/kinds/job-kinds.ts';

/** Where a part of a statement finds what its jobs are made of: SQL over `from`. */
interface JobsFrom {
  readonly payload: string;
  readonly key: string;
  /** The earliest moment to run. Default: at once. */
  readonly runAt?: string;
  /** What comes after the columns of a select: `from …`, or `where …` for one job. */
  readonly from: string;
  /**
   * What becomes of a job that waits with the same key: it stays as it is, or runs sooner if the new one would. Transactions
   * with the latter wait for each other: they do that last.
   */
  readonly waiting: 'stays' | 'runs sooner';
}

/** SQL that puts a job into the queue for each row, in the transaction of what causes it: `enqueue` for several. */
export function jobsFrom(name: JobName, { payload, key, runAt = 'now()', from, waiting }: JobsFrom): string {
  const { priority, attempts } = storedWith(name);
  const settled = waiting === 'stays' ? 'nothing' : 'update set run_at = least(jobs.run_at, excluded.run_at)';
  return `insert into jobs (name, payload, key, run_at, priority, max_attempts)
   select '${name}', ${payload}, ${key}, ${runAt}, ${priority}::smallint, ${attempts}::int ${from}
   on conflict (name, key) where lease is null and dead_at is null do ${settled}`;
}
