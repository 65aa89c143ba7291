import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

const ofPlace = (scope: 'project' | 'group') =>
  statement<{ id: number }>(
    `import_${scope}_variable`,
    `insert into ci_variables (${scope}_id, key, sealed, variable_type, protected, masked, raw, environment_scope, description)
     select $1::int, $2, $3::bytea, $4, $5, $6, $7, $8, $9
      where (select count(*) from ci_variables other where other.${scope}_id = $1::int) < $10::int
     on conflict do nothing returning id`,
  );

/**
 * Sets a variable. $1 place, $2 name, $3 value, sealed, $4 type, $5 protected, $6 masked, $7 raw, $8 environments, $9
 * description, $10 the most that the place may have. No row: there is one of that name, or there are as many.
 */
export const insertVariable = { project: ofPlace('project'), group: ofPlace('group') } as const;

/** Changes a variable. $1 id, $2 value, sealed, $3 type, $4 protected, $5 masked, $6 raw, $7 description. */
export const changeVariable = statement<{ id: number }>(
  'change_imported_variable',
  `update ci_variables set sealed = $2::bytea, variable_type = $3, protected = $4, masked = $5, raw = $6, description = $7,
      updated_at = now() where id = $1::int returning id`,
);

/**
 * Makes a trigger. $1 project, $2 owner, $3 description, $4 digest, $5 token, sealed, $6 its beginning, $7 when it was made,
 * $8 the most that a project may have, $9 the id to keep or null. No row: it has as many.
 */
export const insertTrigger = statement<{ id: number }>(
  'import_trigger',
  `insert into ci_triggers (id, project_id, owner_id, description, digest, sealed, start, created_at)
   select ${idOrNext('ci_triggers', '$9')}, $1::int, $2::int, $3, $4::bytea, $5::bytea, $6, $7::timestamptz
    where (select count(*) from ci_triggers other where other.project_id = $1::int) < $8::int
   returning id`,
);

/** Changes a trigger. $1 id, $2 description. */
export const changeTrigger = statement<{ id: number }>(
  'change_imported_trigger',
  'update ci_triggers set description = $2, updated_at = now() where id = $1::int returning id',
);
