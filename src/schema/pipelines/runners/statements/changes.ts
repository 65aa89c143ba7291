import { statement } from '../../../../database/index.ts';

/**
 * Makes a runner. $1 type, $2 group, $3 project, $4 who, $5 description, $6 note, $7 paused, $8 locked, $9 untagged jobs,
 * $10 protected, $11 maximum timeout, $12 tags, $13 digest of its token.
 */
export const insertRunner = statement<{ id: number }>(
  'insert_runner',
  `with made as (
     insert into runners (kind, group_id, creator_id, description, maintenance_note, paused, locked, run_untagged, protected,
            maximum_timeout, tags, token_digest)
     values ($1, $2::int, $4::int, $5, $6, $7::boolean, $8::boolean, $9::boolean, $10::boolean, $11::int, $12::text[], $13)
     returning id
   ), given as (
     insert into runner_projects (runner_id, project_id) select id, $3::int from made where $3::int is not null
   )
   select id from made`,
);

/** Changes a runner. Null leaves a column as it is. $1 id, $2 to $9 as in `insertRunner` from $5 on; $10 whether $8 counts; $11 whether $3 does. */
export const updateRunner = statement<{ id: number }>(
  'update_runner',
  `update runners set description = coalesce($2, description),
          maintenance_note = case when $11::boolean then $3 else maintenance_note end,
          paused = coalesce($4::boolean, paused), locked = coalesce($5::boolean, locked),
          run_untagged = coalesce($6::boolean, run_untagged), protected = coalesce($7::boolean, protected),
          maximum_timeout = case when $10::boolean then $8::int else maximum_timeout end,
          tags = coalesce($9::text[], tags), updated_at = now()
    where id = $1::int returning id`,
);

/** Removes a runner. $1 id. */
export const deleteRunner = statement<{ id: number }>(
  'delete_runner',
  'delete from runners where id = $1::int returning id',
);

/** Gives a runner another token. $1 id, $2 digest. */
export const replaceToken = statement<{ id: number }>(
  'replace_token_of_runner',
  'update runners set token_digest = $2, updated_at = now() where id = $1::int returning id',
);

/** Removes a machine of a runner. $1 runner, $2 what it calls itself. */
export const deleteManager = statement<{ id: number }>(
  'delete_manager_of_runner',
  'delete from runner_managers where runner_id = $1::int and system_id = $2 returning id',
);

/** Gives a project a runner of another one. $1 runner, $2 project. No row: it has it already. */
export const assignRunner = statement<{ id: number }>(
  'assign_runner',
  `insert into runner_projects (runner_id, project_id) values ($1::int, $2::int)
   on conflict (runner_id, project_id) do nothing returning id`,
);

/** Takes a runner from a project, unless that is the only one. $1 runner, $2 project. */
export const unassignRunner = statement<{ id: number }>(
  'unassign_runner',
  `delete from runner_projects where runner_id = $1::int and project_id = $2::int
      and exists (select from runner_projects o where o.runner_id = $1::int and o.project_id <> $2::int) returning id`,
);

/** What runners register with. Each place has at most one. $1 project, $2 group. */
export const findRegistration = statement<{ id: number; sealed: Buffer }>(
  'find_registration_token',
  `select id, sealed from runner_registration_tokens
    where project_id is not distinct from $1::int and group_id is not distinct from $2::int`,
);

/** What runners of projects and groups register with. $1 projects, $2 groups. */
export const findRegistrations = statement<{ projectId: number | null; groupId: number | null; sealed: Buffer }>(
  'find_registration_tokens',
  `select project_id as "projectId", group_id as "groupId", sealed from runner_registration_tokens
    where project_id = any($1::int[]) or group_id = any($2::int[])`,
);

/** Makes or replaces what runners register with. $1 project, $2 group, $3 digest, $4 sealed, $5 whether to replace it. */
export const keepRegistration = statement<{ sealed: Buffer }>(
  'keep_registration_token',
  `with there as (
     select id from runner_registration_tokens
      where project_id is not distinct from $1::int and group_id is not distinct from $2::int for update
   ), changed as (
     update runner_registration_tokens t set digest = $3, sealed = $4 from there where t.id = there.id and $5::boolean
     returning t.sealed
   ), made as (
     insert into runner_registration_tokens (project_id, group_id, digest, sealed)
     select $1::int, $2::int, $3, $4 where not exists (select from there)
     on conflict do nothing returning sealed
   )
   select sealed from changed union all select sealed from made`,
);
