import { batchedWrite, byNumber, statement } from '../../database/index.ts';

/** Seconds for which a claimed job belongs to its worker. The worker renews the lease while the job runs. */
export const leaseSeconds = 60;
const leaseEnd = `now() + interval '${leaseSeconds} s'`;

/**
 * Adds a job. One that waits with the same name and key takes it in: that row is locked until the transaction commits,
 * so that no worker claims it before what the transaction did can be seen. $1 name, $2 payload, $3 key or null, $4 when
 * or null, $5 priority, $6 attempts.
 */
export const insertJob = statement<object>(
  'insert_job',
  `insert into jobs (name, payload, key, run_at, priority, max_attempts)
   values ($1, $2::jsonb, $3, coalesce($4::timestamptz, now()), $5, $6)
   on conflict (name, key) where lease is null and dead_at is null
   do update set payload = excluded.payload, run_at = least(jobs.run_at, excluded.run_at)`,
);

/** A claimed job. */
export interface ClaimedRow {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly lease: string;
  /** This attempt included. */
  readonly attempts: number;
  readonly max_attempts: number;
}

/** A job isn't claimed while another one of its name and key has a lease, even one that ended: that one goes first. */
const noneRuns = `(j.key is null or not exists (
  select from jobs r where r.name = j.name and r.key = j.key and r.lease is not null and r.id <> j.id))`;
const claimed = 'j.id::text as id, j.name, j.payload, j.lease::text as lease, j.attempts, j.max_attempts';
const lease = `lease = gen_random_uuid(), run_at = ${leaseEnd}, attempts = j.attempts + 1`;

/**
 * Claims due jobs of the names $1, at most $2, the most urgent first. Each priority is a range of the index, so that
 * jobs of the future aren't read.
 */
export const claimJobs = statement<ClaimedRow>(
  'claim_jobs',
  `with due as (
     select d.id from unnest(array[0, 1, 2]::smallint[]) p(priority) cross join lateral (
       select j.id, j.run_at from jobs j
        where j.dead_at is null and j.priority = p.priority and j.run_at <= now() and j.name = any($1::text[]) and ${noneRuns}
        order by j.run_at, j.id limit $2 for update skip locked
     ) d order by p.priority, d.run_at, d.id limit $2
   )
   update jobs j set ${lease} from due where j.id = due.id returning ${claimed}`,
);

/** Makes a job due now and claims it, unless one of its key runs. $1 name, $2 key. */
export const claimOne = statement<ClaimedRow>(
  'claim_one_job',
  `with due as (
     select j.id from jobs j where j.name = $1 and j.key = $2 and j.dead_at is null and j.lease is null and ${noneRuns}
     for update skip locked
   )
   update jobs j set ${lease} from due where j.id = due.id returning ${claimed}`,
);

/**
 * Removes a finished job, and dead letters of its key: their work is done now. $1 id, $2 lease. No row: the lease was
 * lost.
 */
export const finishJob = batchedWrite<{ id: string }>(
  'finish_job',
  `with done as (
     delete from jobs where id = $1::bigint and lease = $2::uuid returning id, name, key
   ), settled as (
     delete from jobs j using done where j.name = done.name and j.key = done.key and j.dead_at is not null
   )
   select id::text as id from done`,
  byNumber,
);

/**
 * Ends a claim without success: the job waits again, or is a dead letter. If another one with its key waits already,
 * or is a dead letter already, that one replaces it. $1 id, $2 lease, $3 seconds to wait, $4 error or null, $5 whether
 * it is dead, $6 whether the attempt counts.
 */
export const releaseJob = statement<object>(
  'release_job',
  `with replaced as (
     delete from jobs j where j.id = $1::bigint and j.lease = $2::uuid and exists (
       select from jobs w where w.name = j.name and w.key = j.key and w.lease is null and (w.dead_at is not null) = $5::boolean)
     returning j.id
   )
   update jobs j set lease = null, run_at = now() + make_interval(secs => $3::float8),
          last_error = coalesce($4::text, j.last_error), dead_at = case when $5::boolean then now() end,
          attempts = case when $6::boolean then j.attempts else j.attempts - 1 end
    where j.id = $1::bigint and j.lease = $2::uuid and not exists (select from replaced)`,
);

/** Renews the leases $2 of the jobs $1. @returns the ids of those that still have them */
export const renewLeases = statement<{ id: string }>(
  'renew_leases',
  `update jobs j set run_at = ${leaseEnd} from unnest($1::bigint[], $2::uuid[]) mine(id, lease)
    where j.id = mine.id and j.lease = mine.lease returning j.id::text as id`,
);

/** The key of periodic jobs. */
export const periodKey = 'period';

/**
 * Enqueues the periodic jobs whose period has changed, by the clock of the database: once, whichever process does it. $1
 * names, $2 seconds of a period, $3 priorities, $4 attempts.
 */
export const beginPeriods = statement<object>(
  'begin_periods',
  `with due as (
     select k.*, to_timestamp(floor(extract(epoch from now()) / k.every) * k.every) as period
       from unnest($1::text[], $2::int[], $3::int[], $4::int[]) k(name, every, priority, attempts)
   ), begun as (
     insert into job_periods (name, period)
     select d.name, d.period from due d
      where not exists (select from job_periods p where p.name = d.name and p.period >= d.period)
     on conflict (name) do update set period = excluded.period where job_periods.period < excluded.period
     returning name
   )
   insert into jobs (name, key, payload, priority, max_attempts)
   select d.name, '${periodKey}', '{}', d.priority, d.attempts from begun join due d using (name)
   on conflict (name, key) where lease is null and dead_at is null do nothing`,
);
