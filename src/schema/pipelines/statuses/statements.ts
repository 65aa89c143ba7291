import type { CiStatus } from '../../../values/ci/statuses.ts';
import { statement } from '../../../database/index.ts';

/** A status that goes on. */
export interface OpenStatus {
  readonly id: number;
  readonly status: CiStatus;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** The status of a person that a report continues. $1 pipeline, $2 name, $3 ref, $4 person. */
export const findOpenStatus = statement<OpenStatus>(
  'find_open_status',
  `select id, status, started_at as "startedAt", finished_at as "finishedAt" from ci_jobs
    where pipeline_id = $1::int and name = $2::text and kind = 'status' and ref = $3::text and user_id = $4::int
      and status in ('pending', 'running') and not retried
    order by id desc limit 1`,
);

/**
 * Adds a status, which counts in place of older ones of its name; a job of that name stays. $1 pipeline, $2 project, $3 name, $4 ref, $5 tag, $6
 * commit, $7 status, $8 person, $9 start, $10 end, $11 reason of a failure, $12 description, $13 address, $14 coverage.
 */
export const insertStatus = statement<{ id: number }>(
  'insert_status',
  `with older as (
     update ci_jobs set retried = true, updated_at = now()
      where pipeline_id = $1::int and name = $3::text and kind = 'status' and not retried returning id
   )
   insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, tag, sha, status, user_id, queued_at,
                        started_at, finished_at, failure_reason, description, target_url, coverage)
   values ('status', $1::int, $2::int, $3::text, 'external', 1000000, $4, $5::boolean, $6, $7, $8::int, now(),
           $9::timestamptz, $10::timestamptz, $11, $12, $13, $14::float8)
   returning id`,
);

/**
 * Continues a status. Null keeps description, address and coverage. $1 id, $2 status, $3 start, $4 end, $5 reason of a
 * failure, $6 description, $7 address, $8 coverage.
 */
export const continueStatus = statement<{ id: number }>(
  'continue_status',
  `update ci_jobs set status = $2, started_at = $3::timestamptz, finished_at = $4::timestamptz, failure_reason = $5,
          description = coalesce($6::text, description), target_url = coalesce($7::text, target_url),
          coverage = coalesce($8::float8, coverage), updated_at = now()
    where id = $1::int returning id`,
);
