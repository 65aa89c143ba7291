import { statement } from '../../database/index.ts';

export interface JobCountRow {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** Seconds since the oldest due job should have run. */
  readonly overdue: number;
}

/** Counts the jobs by name. */
export const countJobs = statement<JobCountRow>(
  'count_jobs',
  `select name, count(*) filter (where dead_at is null and lease is null)::int as waiting,
          count(*) filter (where lease is not null and run_at > now())::int as running,
          count(*) filter (where dead_at is not null)::int as dead,
          coalesce(extract(epoch from now() - min(run_at) filter (where dead_at is null)), 0)::float8 as overdue
     from jobs group by name order by name`,
);

export interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly key: string | null;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly run_at: Date;
  readonly created_at: Date;
  readonly dead_at: Date | null;
}

/** Jobs that have failed, the latest first: dead letters, and those to be tried again. $1 at most. */
export const failedJobs = statement<JobRow>(
  'failed_jobs',
  `select id::text as id, name, key, attempts, last_error, run_at, created_at, dead_at from jobs
    where last_error is not null or dead_at is not null order by dead_at desc nulls last, id desc limit $1`,
);

/**
 * Makes dead letters wait again, as new. One whose key waits already is removed: that one does its work. $1 the id, or
 * null for all.
 */
export const retryDead = statement<{ retried: number }>(
  'retry_dead_jobs',
  `with dead as (
     select id, name, key from jobs where dead_at is not null and ($1::bigint is null or id = $1::bigint) for update skip locked
   ), done as (
     delete from jobs j using dead d where j.id = d.id and exists (
       select from jobs w where w.name = d.name and w.key = d.key and w.lease is null and w.dead_at is null)
     returning j.id
   ), again as (
     update jobs j set dead_at = null, attempts = 0, run_at = now() from dead d
      where j.id = d.id and d.id not in (select id from done) returning 1
   )
   select (select count(*)::int from dead) as retried`,
);
