import { batchedWrite, byNumber, statement } from '../../../database/index.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';

/** A log, as its records have it. Sizes are numbers: none reaches what a float can’t count. */
export interface TraceRow {
  readonly id: number;
  readonly location: string;
  readonly size: number;
  readonly debug: boolean;
}

const columns = `t.id, t.location, t.size::float8 as size, t.debug`;

/** SQL that doesn’t await the commit on the disk: if a crash loses the size, that of the file counts (`settledSize`). */
const unflushed = `set_config('synchronous_commit', 'off', true) as commits`;

/** SQL for whether the runner of a job should be noted to have said something. */
const silent = `coalesce(job.contacted_at < now() - interval '1 minute', true) as silent`;

/**
 * Makes the log of a running job longer by a piece that goes on where it ends: no other piece is given that part of the file. No
 * row: the log ends elsewhere or isn’t begun, or the job doesn’t run with that token. $1 job, $2 digest of the token, $3 where
 * the piece begins, $4 where it ends, $5 whether the log has everything that the runner does.
 */
export const growTrace = statement<{ readonly location: string; readonly silent: boolean }>(
  'grow_trace',
  `update ci_traces t set size = $4::float8::bigint, debug = t.debug or $5::boolean, updated_at = now()
     from ci_jobs job
    where t.job_id = $1::int and t.size = $3::float8::bigint
      and job.id = $1::int and job.token_digest = $2::bytea and job.status = 'running'
   returning t.location, ${silent}, ${unflushed}`,
);

/** A running job by its token, with its log: null if that isn’t begun. $1 job, $2 digest of the token. */
export const traceOfRunning = statement<
  { readonly silent: boolean } & (
    | Pick<TraceRow, 'location' | 'size'>
    | { readonly location: null; readonly size: null }
  )
>(
  'trace_of_running',
  `select ${silent}, t.location, t.size::float8 as size
     from ci_jobs job left join ci_traces t on t.job_id = job.id
    where job.id = $1::int and job.token_digest = $2::bytea and job.status = 'running'`,
);

/** Notes a log before its file is made, unless it has one: on the disk, so that no file is without a row. $1 job, $2 location. */
export const insertTrace = statement<object>(
  'insert_trace',
  `insert into ci_traces (job_id, location) values ($1::int, $2) on conflict (job_id) do nothing`,
);

/** Gives a log the size of its file, unless its row has changed since. $1 job, $2 bytes that it has by its row, $3 bytes that are there. */
export const resizeTrace = statement<object>(
  'resize_trace',
  `update ci_traces set size = $3::float8::bigint, updated_at = now() where job_id = $1::int and size = $2::float8::bigint`,
);

/** Notes that a runner sent something, unless another process changes the job just now. $1 job. */
export const noteContact = statement<object>(
  'note_contact_by_log',
  `update ci_jobs set contacted_at = now()
    where id = (select one.id from ci_jobs one where one.id = $1::int and one.status = 'running' for update skip locked)`,
);

/** How a job ended, for the runner that had it. $1 job, $2 digest of its token. */
export const statusForRunner = statement<{ status: CiStatus }>(
  'status_for_runner',
  `select j.status from ci_jobs j where j.id = $1::int and j.issued_digest = $2::bytea and j.status <> 'running'`,
);

/**
 * Keeps the secret values of a job, which are masked whenever its log is read. $1 job, $2 location of a new log, $3 sealed
 * values.
 */
export const keepMasks = batchedWrite<object>(
  'keep_masks',
  `insert into ci_traces (job_id, location, sealed_masks) values ($1::int, $2, $3::bytea)
   on conflict (job_id) do update set sealed_masks = excluded.sealed_masks`,
  byNumber,
);

/** The logs of jobs. $1 jobs. */
export const tracesOfJobs = statement<
  TraceRow & { readonly jobId: number; readonly projectId: number; readonly sealedMasks: Buffer | null }
>(
  'traces_of_jobs',
  `select t.job_id as "jobId", j.project_id as "projectId", ${columns}, t.sealed_masks as "sealedMasks"
     from ci_traces t join ci_jobs j on j.id = t.job_id where t.job_id = any($1::int[])`,
);

/** Gives logs up: their files are removed soon. $1 jobs. */
export const abandonTraces = statement<object>(
  'abandon_traces',
  `update ci_traces set job_id = null where job_id = any($1::int[])`,
);
