import { storedWith, type JobName, type PayloadOf } from '../values/kinds/job-kinds.ts';
import type { Sql } from '../database/index.ts';
import { insertJob } from './statements/queue.ts';

export interface EnqueueOptions {
  /**
   * Jobs of the same name and key are one job while it waits: it keeps the earlier time and gets the newer payload. A
   * job that waits for a running one of its key runs after it.
   */
  readonly key?: string;
  /** The earliest moment to run. Default: at once. */
  readonly runAt?: Date;
}

/**
 * Puts a job into the queue. In a transaction, the job exists if and when the transaction commits; the commit wakes a
 * worker. A handler may run more than once for one job (after a crash), so it must be repeatable.
 *
 * With a key, transactions that enqueue the same job wait for each other: call it last.
 */
export async function enqueue<Name extends JobName>(
  sql: Sql,
  name: Name,
  payload: PayloadOf<Name>,
  { key, runAt }: EnqueueOptions = {},
): Promise<void> {
  const { priority, attempts } = storedWith(name);
  await sql.rows(insertJob, [name, JSON.stringify(payload), key ?? null, runAt ?? null, priority, attempts]);
}
