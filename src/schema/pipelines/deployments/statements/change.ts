import type { DeploymentStatus } from '../../../../values/ci/environments.ts';
import { statement } from '../../../../database/index.ts';

/**
 * Makes a deployment. $1 project, $2 environment, $3 ref, $4 whether that is a tag, $5 commit, $6 status, $7 person, $8
 * job or null, $9 whether it has finished.
 */
export const insertDeployment = statement<{ id: number }>(
  'insert_deployment',
  `with number as (
     insert into project_counters as c (project_id, kind, last) values ($1::int, 'DEPLOYMENT', 1)
     on conflict (project_id, kind) do update set last = c.last + 1 returning c.last
   )
   insert into deployments (project_id, iid, environment_id, ref, tag, sha, status, user_id, job_id, finished_at)
   select $1::int, number.last, $2::int, $3, $4::boolean, $5, $6, $7::int, $8::int, case when $9::boolean then now() end
     from number
   returning id`,
);

/** A deployment that this transaction has locked. */
export interface LockedDeployment {
  readonly id: number;
  readonly environmentId: number;
  readonly status: DeploymentStatus;
  readonly jobId: number | null;
}

const locked = `id, environment_id as "environmentId", status, job_id as "jobId"`;

/** Locks a deployment until the transaction ends. $1 id. */
export const lockDeployment = statement<LockedDeployment>(
  'lock_deployment',
  `select ${locked} from deployments where id = $1::int for update`,
);

/** The same, that of a job. $1 job. */
export const lockDeploymentOfJob = statement<LockedDeployment>(
  'lock_deployment_of_job',
  `select ${locked} from deployments where job_id = $1::int for update`,
);

/** Sets the status of a deployment. $1 id, $2 status, $3 whether it has finished. */
export const setDeploymentStatus = statement<object>(
  'set_deployment_status',
  `update deployments set status = $2::text, updated_at = now(),
          finished_at = case when $3::boolean then now() end where id = $1::int`,
);

/** Whether a deployment is what is on its environment now. $1 environment, $2 deployment. */
export const isCurrent = statement<{ current: boolean }>(
  'is_current_deployment',
  `select coalesce(max(d.id) = $2::int, false) as current from deployments d
    where d.environment_id = $1::int and d.status = 'success'`,
);

/** $1 id. */
export const deleteDeployment = statement<object>('delete_deployment', 'delete from deployments where id = $1::int');
