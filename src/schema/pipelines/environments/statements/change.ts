import type { EnvironmentState } from '../../../../values/ci/environments.ts';
import { statement } from '../../../../database/index.ts';

/**
 * Makes an environment. No row: its name or its slug is taken, or the project has as many as it may have. $1 project, $2
 * name, $3 slug, $4 address, $5 tier, $6 description, $7 whether it stops by itself without a job, $8 the most of a project.
 */
export const insertEnvironment = statement<{ id: number }>(
  'insert_environment',
  `insert into environments (project_id, name, slug, external_url, tier, description, auto_stop_setting)
   select $1::int, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text
    where (select count(*) from environments other where other.project_id = $1::int) < $8::int
   on conflict do nothing returning id`,
);

/** An environment with a name or a slug. $1 project, $2 name, $3 slug. */
export const findTaken = statement<{ isName: boolean }>(
  'find_taken_environment',
  `select name = $2::text as "isName" from environments
    where project_id = $1::int and (name = $2::text or slug = $3::text) order by (name = $2::text) desc limit 1`,
);

/** An environment that this transaction has locked. */
export interface LockedEnvironment {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly slug: string;
  readonly tier: string;
  readonly externalUrl: string | null;
  readonly state: EnvironmentState;
}

const locked = `id, project_id as "projectId", name, slug, tier, external_url as "externalUrl", state`;

/** Locks an environment until the transaction ends. $1 id. */
export const lockEnvironment = statement<LockedEnvironment>(
  'lock_environment',
  `select ${locked} from environments where id = $1::int for update`,
);

/** The same by name. $1 project, $2 name. */
export const lockEnvironmentNamed = statement<LockedEnvironment>(
  'lock_environment_by_name',
  `select ${locked} from environments where project_id = $1::int and name = $2::text for update`,
);

/**
 * Changes an environment. Null keeps a value. $1 id, $2 name, $3 whether to set the address, $4 the address, $5 tier, $6
 * whether to set the description, $7 the description, $8 when it stops by itself.
 */
export const updateEnvironment = statement<{ id: number }>(
  'update_environment',
  `update environments set name = coalesce($2::text, name),
          external_url = case when $3::boolean then $4::text else external_url end,
          tier = coalesce($5::text, tier), description = case when $6::boolean then $7::text else description end,
          auto_stop_setting = coalesce($8::text, auto_stop_setting), updated_at = now()
    where id = $1::int returning id`,
);

/** Removes an environment with its deployments, if it is stopped. $1 id. */
export const deleteEnvironment = statement<{ id: number }>(
  'delete_environment',
  `delete from environments where id = $1::int and state = 'stopped' returning id`,
);

/** Sets the state of an environment; what isn't available doesn't stop by itself. $1 id, $2 state. */
export const setState = statement<object>(
  'set_environment_state',
  `update environments set state = $2::text, updated_at = now(),
          auto_stop_at = case when $2::text = 'available' then auto_stop_at end
    where id = $1::int`,
);

/**
 * After a deployment succeeded: the environment is available, at its address, for the time that the job says. Null keeps an
 * address. $1 id, $2 address, $3 seconds until it stops, or null.
 */
export const deployedTo = statement<object>(
  'environment_deployed_to',
  `update environments set state = 'available', external_url = coalesce($2::text, external_url), updated_at = now(),
          auto_stop_at = now() + $3::int * interval '1 second'
    where id = $1::int`,
);

/** Keeps an environment from stopping by itself. $1 id. */
export const keepEnvironment = statement<object>(
  'keep_environment',
  'update environments set auto_stop_at = null, updated_at = now() where id = $1::int',
);

/** Environments whose time is over. $1 the most. */
export const dueEnvironments = statement<{ id: number; needsJob: boolean }>(
  'due_environments',
  `select e.id, e.auto_stop_setting = 'with_action' as "needsJob" from environments e
    where e.auto_stop_at <= now() and e.state = 'available' order by e.auto_stop_at limit $1::int`,
);

/**
 * Environments on which a branch is that is gone, and that a job stops. $1 project, $2 branch, $3 the most.
 */
export const environmentsOfBranch = statement<{ id: number }>(
  'environments_of_branch',
  `select e.id from environments e
     join lateral (
       select d.ref, d.tag, d.job_id from deployments d
        where d.environment_id = e.id and d.status = 'success' order by d.id desc limit 1) last on true
     join job_environments its on its.job_id = last.job_id and its.on_stop is not null
    where e.project_id = $1::int and e.state = 'available' and last.ref = $2::text and not last.tag
    order by e.id limit $3::int`,
);

/**
 * Environments on which a pipeline of a merge request is, which isn't open any more, and that a job stops. $1 event of its
 * end, $2 the most.
 */
export const environmentsOfMergeRequest = statement<{ id: number; projectId: number; actorId: number | null }>(
  'environments_of_merge_request',
  `select e.id, e.project_id as "projectId", ended.actor_id as "actorId" from events ended
     join merge_requests m on m.id = ended.subject_id and m.state <> 'OPENED'
     join pipelines q on q.merge_request_id = m.id
     join ci_jobs j on j.pipeline_id = q.id
     join job_environments its on its.job_id = j.id and its.on_stop is not null
     join environments e on e.id = its.environment_id and e.state = 'available'
    where ended.id = $1::bigint and ended.subject_kind = 'MergeRequest'
      and its.job_id = (
        select d.job_id from deployments d
         where d.environment_id = e.id and d.status = 'success' order by d.id desc limit 1)
    order by e.id limit $2::int`,
);
