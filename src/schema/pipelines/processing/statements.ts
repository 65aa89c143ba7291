import type { PlannedRetry } from '../../../ci/plan.ts';
import type { TurnJob } from '../../../ci/progress.ts';
import { allowsRollback, isOutdated } from '../../../database/access/outdated-deployments.ts';
import { statement } from '../../../database/index.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';

/**
 * Statements of the state machine. Code that runs one that changes jobs has locked their pipeline first; only a runner’s
 * claim, from `pending` to `running`, happens without that. So each change names the statuses that it begins from.
 */

/** A job, as its turn is decided by. */
export interface TurnRow extends TurnJob {
  readonly id: number;
  readonly startIn: number | null;
}

/** The jobs of a pipeline that count, in the order of their stages. $1 pipeline. */
export const findTurns = statement<TurnRow>(
  'find_turns_of_jobs',
  `select id, name, status, allow_failure as "allowFailure", stage_index as "stageIndex",
          case when kind = 'job' then coalesce(when_to_run, 'on_success') end as "when",
          case when has_needs then needs end as needs, start_in as "startIn"
     from ci_jobs where pipeline_id = $1::int and not retried order by stage_index, id`,
);

/** Gives jobs that were created their status. $1 ids, $2 statuses: pairs at the same position. */
export const startJobs = statement<{ id: number; scheduledAt: Date | null }>(
  'start_ci_jobs',
  `update ci_jobs j
      set status = turn.status, updated_at = now(),
          queued_at = case when turn.status = 'pending' then clock_timestamp() else j.queued_at end,
          scheduled_at = case when turn.status = 'scheduled'
            then clock_timestamp() + make_interval(secs => coalesce(j.start_in, 0)) end
     from unnest($1::int[], $2::text[]) turn(id, status)
    where j.id = turn.id and j.status = 'created'
   returning j.id, j.scheduled_at as "scheduledAt"`,
);

/** Has jobs that were skipped wait for their turn again. $1 ids. */
export const resetSkipped = statement<object>(
  'reset_skipped_jobs',
  `update ci_jobs set status = 'created', finished_at = null, updated_at = now()
    where id = any($1::int[]) and status = 'skipped'`,
);

/**
 * Has a job wait for a runner: it was created, or waits for a person or its time. $1 id, $2 who starts it, or null: no one
 * else.
 */
export const enqueueCiJob = statement<{ id: number }>(
  'enqueue_ci_job',
  `update ci_jobs set status = 'pending', queued_at = clock_timestamp(), scheduled_at = null, finished_at = null,
          user_id = coalesce($2::int, user_id), updated_at = now()
    where id = $1::int and status in ('created', 'manual', 'scheduled', 'skipped') returning id`,
);

/** Starts a delayed job whose time has come. $1 id. */
export const enqueueDue = statement<{ id: number }>(
  'enqueue_due_job',
  `update ci_jobs set status = 'pending', queued_at = clock_timestamp(), scheduled_at = null, updated_at = now()
    where id = $1::int and status = 'scheduled' and scheduled_at <= clock_timestamp() returning id`,
);

/** Has a delayed job wait for a person instead of its time. $1 id. */
export const unscheduleCiJob = statement<{ id: number }>(
  'unschedule_ci_job',
  `update ci_jobs set status = 'manual', scheduled_at = null, updated_at = now()
    where id = $1::int and status = 'scheduled' returning id`,
);

/** The pipeline of a job, to be locked first. $1 job. */
export const findPipelineOfJob = statement<{ pipelineId: number; projectId: number }>(
  'find_pipeline_of_job',
  `select pipeline_id as "pipelineId", project_id as "projectId" from ci_jobs where id = $1::int and kind = 'job'`,
);

/** What decides how the end of a job counts. */
export interface EndingRow {
  readonly id: number;
  readonly name: string;
  readonly status: CiStatus;
  readonly retried: boolean;
  /** The name of its environment. */
  readonly environment: string | null;
  readonly exitCodes: readonly number[];
  readonly retry: PlannedRetry | null;
  /** How often it was tried already. */
  readonly tries: number;
  readonly allowFailure: boolean;
  /** Whether its failure cancels the rest of its pipeline. */
  readonly cancelsRest: boolean;
}

/** A job that ends, locked. $1 id. */
export const lockEnding = statement<EndingRow>(
  'lock_ending_job',
  `select j.id, j.name, j.status, j.retried, j.environment, coalesce(p.plan->'allowedExitCodes', '[]') as "exitCodes",
          p.plan->'retry' as retry,
          (select count(*)::int from ci_jobs other
            where other.pipeline_id = j.pipeline_id and other.name = j.name and other.retried and other.kind = 'job') as tries,
          j.allow_failure as "allowFailure", coalesce(pl.cancel_on_job_failure = 'all', false) as "cancelsRest"
     from ci_jobs j join pipelines pl on pl.id = j.pipeline_id left join ci_job_plans p on p.job_id = j.id
    where j.id = $1::int for update of j`,
);

/**
 * Ends a job: its token is worth nothing from now on. $1 id, $2 status, $3 reason of a failure, $4 exit code, $5 coverage, $6
 * whether the failure is allowed because of the exit code, $7 the statuses that it may have now.
 */
export const endJob = statement<{ id: number }>(
  'end_ci_job',
  `update ci_jobs
      set status = $2, failure_reason = $3, exit_code = $4::int, coverage = coalesce($5::float8, coverage),
          allow_failure = allow_failure or $6::boolean, finished_at = clock_timestamp(), token_digest = null,
          scheduled_at = null, updated_at = now()
    where id = $1::int and status = any($7::text[]) returning id`,
);

/**
 * Makes new jobs like others, which they count in place of. $1 ids, $2 who starts them, or null: the person who did before. Names
 * are unique among the jobs of a pipeline that count.
 */
export const repeatJobs = statement<{ id: number; formerId: number }>(
  'repeat_ci_jobs',
  `with former as (
     update ci_jobs set retried = true, updated_at = now()
      where id = any($1::int[]) and not retried and kind = 'job' returning *
   ), made as (
     insert into ci_jobs (kind, pipeline_id, project_id, name, stage, stage_index, ref, tag, sha, allow_failure, user_id,
                          when_to_run, needs, has_needs, start_in, tags, protected, interruptible, timeout, environment)
     select f.kind, f.pipeline_id, f.project_id, f.name, f.stage, f.stage_index, f.ref, f.tag, f.sha,
            coalesce((p.plan->>'allowFailure')::boolean, f.allow_failure), coalesce($2::int, f.user_id), f.when_to_run,
            f.needs, f.has_needs, f.start_in, f.tags, f.protected, f.interruptible, f.timeout, f.environment
       from former f left join ci_job_plans p on p.job_id = f.id order by f.id
     returning id, pipeline_id, name
   ), plans as (
     insert into ci_job_plans (job_id, plan)
     select m.id, p.plan from made m join former f on f.pipeline_id = m.pipeline_id and f.name = m.name
       join ci_job_plans p on p.job_id = f.id
   )
   select m.id, f.id as "formerId" from made m
     join former f on f.pipeline_id = m.pipeline_id and f.name = m.name order by m.id`,
);

/** The jobs of a pipeline that are tried again with it, without what its project doesn’t roll back. $1 pipeline. */
export const findRetryable = statement<{ id: number }>(
  'find_retryable_jobs',
  `select j.id from ci_jobs j join projects p on p.id = j.project_id
    where j.pipeline_id = $1::int and j.kind = 'job' and not j.retried and j.status in ('failed', 'canceled')
      and (${allowsRollback} or not ${isOutdated})
    order by j.id`,
);

/** The skipped jobs of a pipeline. $1 pipeline. */
export const findSkipped = statement<{ id: number }>(
  'find_skipped_jobs',
  `select id from ci_jobs where pipeline_id = $1::int and kind = 'job' and not retried and status = 'skipped'`,
);

/** Forgets the variables that someone gave a job. $1 job. */
export const forgetJobVariables = statement<object>(
  'forget_job_variables',
  'delete from ci_job_variables where job_id = $1::int',
);

/** The variables that people gave jobs. $1 jobs. */
export const readJobVariables = statement<{ readonly jobId: number; readonly key: string; readonly sealed: Buffer }>(
  'read_job_variables',
  'select job_id as "jobId", key, sealed from ci_job_variables where job_id = any($1::int[]) order by job_id, key',
);

/** Gives a job variables. $1 job, $2 keys, $3 sealed values. */
export const storeJobVariables = statement<object>(
  'store_job_variables',
  `insert into ci_job_variables (job_id, key, sealed)
   select $1::int, given.key, given.sealed from unnest($2::text[], $3::bytea[]) given(key, sealed)
   on conflict (job_id, key) do update set sealed = excluded.sealed`,
);

/** A job that no runner ends any more. */
export interface StuckRow {
  readonly id: number;
  readonly status: CiStatus;
  readonly reason: 'stuck_or_timeout_failure' | 'job_execution_timeout' | 'stale_schedule';
}

/**
 * Jobs that a clock ends: those that run longer than they may, those whose runner has been silent for an hour, those that
 * waited for a runner for a day, and delayed ones that no one started for an hour. $1 at most.
 */
export const findStuck = statement<StuckRow>(
  'find_stuck_jobs',
  `(select id, status, 'job_execution_timeout' as reason from ci_jobs
     where status = 'running' and kind = 'job' and contacted_at is not null
       and started_at < now() - make_interval(secs => coalesce(timeout, 3600) + 60) limit $1::int)
   union all
   (select id, status, 'stuck_or_timeout_failure' from ci_jobs
     where status = 'running' and kind = 'job'
       and coalesce(contacted_at, started_at, updated_at) < now() - interval '1 hour' limit $1::int)
   union all
   (select id, status, 'stuck_or_timeout_failure' from ci_jobs
     where status = 'pending' and kind = 'job' and queued_at < now() - interval '1 day' order by id limit $1::int)
   union all
   (select id, status, 'stale_schedule' from ci_jobs
     where status = 'scheduled' and scheduled_at < now() - interval '1 hour' limit $1::int)`,
);

/** What a newer commit cancels in a pipeline, which is locked. $1 pipeline. */
export const findSuperfluousPart = statement<{ part: 'all' | 'interruptible' | 'none' }>(
  'find_superfluous_part_of_pipeline',
  `select case when coalesce(p.cancel_on_new_commit, 'conservative') <> 'conservative' then p.cancel_on_new_commit
     when exists (
       select from ci_jobs j where j.pipeline_id = p.id and j.kind = 'job' and not j.interruptible and j.started_at is not null) then 'none'
     else 'all' end as part
     from pipelines p where p.id = $1::int`,
);

/** The expression that finds the coverage in the log of a job: its own, or its project’s. $1 job. */
export const findCoverage = statement<{ expression: string | null }>(
  'find_coverage_expression',
  `select coalesce(plan.plan->>'coverage', nullif(p.attributes->>'buildCoverageRegex', '')) as expression
     from ci_jobs j join projects p on p.id = j.project_id left join ci_job_plans plan on plan.job_id = j.id
    where j.id = $1::int`,
);
