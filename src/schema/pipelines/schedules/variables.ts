import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import type { InstanceKeys } from '../../../auth/index.ts';
import { InvalidFields, NotFound } from '../../../errors.ts';
import { problemsOfKey, problemsOfValue, type VariableType } from '../../../values/ci/variables.ts';
import { Problems } from '../../engine/input.ts';
import { openSecret, requireSecret, sealSecret } from '../variables/sealing.ts';
import {
  deleteScheduleVariable,
  findScheduleVariable,
  insertScheduleVariable,
  updateScheduleVariable,
} from './statements/changes.ts';
import type { ScheduleVariableRow } from './statements/reading.ts';

/** The variables of schedules. Their values are sealed, and shown to those who may change the schedule. */

/** Variables of one schedule. */
const mostVariables = 100;

/** What a value is bound to. */
const rowOf = (scheduleId: number, key: string) => `variable ${key} of pipeline schedule ${scheduleId}`;

/** The value; null if no instance key opens it any more. */
export const valueOf = (keys: InstanceKeys, { scheduleId, key, sealed }: ScheduleVariableRow): string | null =>
  openSecret(keys, rowOf(scheduleId, key), sealed);

/** The same for a pipeline. @throws InstanceKeyError */
export const requireValue = (keys: InstanceKeys, { scheduleId, key, sealed }: ScheduleVariableRow): string =>
  requireSecret(keys, rowOf(scheduleId, key), sealed);

/** What a request says of a variable. */
export interface GivenScheduleVariable {
  readonly key: string;
  readonly value?: string | null | undefined;
  readonly variableType?: VariableType | null | undefined;
  readonly raw?: boolean | null | undefined;
}

/** @throws InvalidFields */
function check(key: string | undefined, value: string | null | undefined): void {
  const problems = new Problems();
  for (const [field, message] of [
    ...(key === undefined ? [] : problemsOfKey(key)),
    ...(value == null ? [] : problemsOfValue(value)),
  ])
    problems.add(field, [message]);
  problems.refuse();
}

async function read(sql: Sql, scheduleId: number, key: string): Promise<ScheduleVariableRow> {
  const [found] = await sql.rows(findScheduleVariable, [scheduleId, key]);
  if (!found) throw new NotFound('Pipeline Schedule Variable');
  return found;
}

/** Sets a new variable. @throws InvalidFields */
export async function makeScheduleVariable(
  { keys }: Pick<Context, 'keys'>,
  sql: Sql,
  scheduleId: number,
  given: GivenScheduleVariable,
): Promise<ScheduleVariableRow> {
  const key = given.key.trim();
  check(key, given.value);
  const sealed = sealSecret(keys, rowOf(scheduleId, key), given.value ?? '');
  const values = [scheduleId, key, sealed, given.variableType ?? 'env_var', given.raw ?? false, mostVariables];
  const [made] = await sql.rows(insertScheduleVariable, values);
  if (made) return await read(sql, scheduleId, key);
  const [known] = await sql.rows(findScheduleVariable, [scheduleId, key]);
  throw new InvalidFields(
    known
      ? { key: ['has already been taken'] }
      : { base: [`Maximum number of pipeline schedule variables (${mostVariables}) exceeded`] },
  );
}

/** Changes a variable; what is omitted stays. @throws NotFound, InvalidFields */
export async function changeScheduleVariable(
  { keys }: Pick<Context, 'keys'>,
  sql: Sql,
  scheduleId: number,
  { key, value, variableType, raw }: GivenScheduleVariable,
): Promise<ScheduleVariableRow> {
  const before = await read(sql, scheduleId, key);
  check(undefined, value);
  const sealed = value == null ? before.sealed : sealSecret(keys, rowOf(scheduleId, key), value);
  await sql.rows(updateScheduleVariable, [before.id, sealed, variableType ?? before.variableType, raw ?? before.raw]);
  return await read(sql, scheduleId, key);
}

/** @throws NotFound */
export async function removeScheduleVariable(sql: Sql, scheduleId: number, key: string): Promise<ScheduleVariableRow> {
  const variable = await read(sql, scheduleId, key);
  await sql.rows(deleteScheduleVariable, [variable.id]);
  return variable;
}
