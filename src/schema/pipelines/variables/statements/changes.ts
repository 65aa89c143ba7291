import { statement } from '../../../../database/index.ts';
import type { VariableScope } from '../../../../values/ci/variables.ts';
import { columnsOf, ofPlace, type VariableRow } from './reading.ts';

const ofEach = <Value>(make: (scope: VariableScope) => Value): Readonly<Record<VariableScope, Value>> => ({
  project: make('project'),
  group: make('group'),
  instance: make('instance'),
});

const named = (scope: VariableScope) =>
  `${ofPlace('v', '$1::int')[scope]} and v.key = $2::text and ($3::text is null or v.environment_scope = $3::text)`;

/** The variables of a name. $1 place, $2 name, $3 the environments or null. */
export const findVariables = ofEach((scope) =>
  statement<VariableRow>(
    `find_${scope}_variables`,
    `select ${columnsOf('v')} from ci_variables v where ${named(scope)} order by v.id limit 2`,
  ),
);

/** The same, locked until the transaction ends. */
export const lockVariables = ofEach((scope) =>
  statement<VariableRow>(
    `lock_${scope}_variables`,
    `select ${columnsOf('v')} from ci_variables v where ${named(scope)} order by v.id limit 2 for update`,
  ),
);

/**
 * Sets a variable. No row: there is one of that name for these environments, or the place has as many as it may have.
 * $1 place, $2 name, $3 value, sealed, $4 type, $5 protected, $6 masked, $7 hidden, $8 raw, $9 environments, $10
 * description, $11 the most that the place may have.
 */
export const insertVariable = ofEach((scope) =>
  statement<VariableRow>(
    `insert_${scope}_variable`,
    `insert into ci_variables as v (project_id, group_id, key, sealed, variable_type, protected, masked, hidden, raw,
                                    environment_scope, description)
     select ${scope === 'project' ? '$1::int' : 'null'}, ${scope === 'group' ? '$1::int' : 'null'}, $2::text, $3::bytea,
            $4::text, $5::boolean, $6::boolean, $7::boolean, $8::boolean, $9::text, $10::text
      where (select count(*) from ci_variables other where ${ofPlace('other', '$1::int')[scope]}) < $11::int
     on conflict do nothing returning ${columnsOf('v')}`,
  ),
);

/**
 * Changes a variable. $1 id, $2 value, sealed, $3 type, $4 protected, $5 masked, $6 raw, $7 environments, $8 description.
 */
export const updateVariable = statement<VariableRow>(
  'update_ci_variable',
  `update ci_variables v set sealed = $2::bytea, variable_type = $3::text, protected = $4::boolean,
          masked = $5::boolean, raw = $6::boolean, environment_scope = $7::text, description = $8::text, updated_at = now()
    where v.id = $1::int returning ${columnsOf('v')}`,
);

/** $1 id. */
export const deleteVariable = statement<object>('delete_ci_variable', 'delete from ci_variables where id = $1::int');
