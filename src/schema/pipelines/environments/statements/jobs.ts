import type { EnvironmentAction } from '../../../../values/ci/environments.ts';
import { statement } from '../../../../database/index.ts';

/** What jobs do with environments. */

/** Remembers it. $1 job, $2 environment, $3 action, $4 seconds until it stops, $5 the name of the job that stops it. */
export const insertJobEnvironment = statement<object>(
  'insert_job_environment',
  `insert into job_environments as known (job_id, environment_id, action, auto_stop_in, on_stop)
   values ($1::int, $2::int, $3, $4::int, $5)
   on conflict (job_id) do update set environment_id = excluded.environment_id, action = excluded.action,
     auto_stop_in = excluded.auto_stop_in, on_stop = excluded.on_stop`,
);

export interface JobEnvironmentRow {
  readonly environmentId: number;
  readonly action: EnvironmentAction;
  readonly autoStopIn: number | null;
}

/** What a job does. $1 job. */
export const environmentOfJob = statement<JobEnvironmentRow>(
  'environment_of_job',
  `select environment_id as "environmentId", action, auto_stop_in as "autoStopIn" from job_environments where job_id = $1::int`,
);

/**
 * The job that stops an environment: the newest of the name that the job of its last deployment says, in the same pipeline.
 * $1 environment.
 */
export const stopJob = statement<{ id: number; projectId: number; pipelineId: number; status: string }>(
  'stop_job_of_environment',
  `select j.id, j.project_id as "projectId", j.pipeline_id as "pipelineId", j.status
     from (select d.job_id from deployments d
            where d.environment_id = $1::int and d.status = 'success' order by d.id desc limit 1) last
     join job_environments its on its.job_id = last.job_id and its.on_stop is not null
     join ci_jobs started on started.id = its.job_id
     join ci_jobs j on j.pipeline_id = started.pipeline_id and j.name = its.on_stop and not j.retried
    order by j.id desc limit 1`,
);
