import type { Context } from '../../../context.ts';
import { takenIn, type Sql } from '../../../database/index.ts';
import { InvalidFields, PreconditionFailed } from '../../../errors.ts';
import { audit } from '../../../oauth/index.ts';
import type { AuditKind } from '../../../values/kinds/audit-kinds.ts';
import {
  anyEnvironment,
  canBeMasked,
  mostVariables,
  problemsOf,
  problemsOfKey,
  type VariableType,
} from '../../../values/ci/variables.ts';
import { Problems } from '../../engine/input.ts';
import { variableNamed, type VariableName } from './find.ts';
import type { VariablePlace } from './place.ts';
import { openSecret, sealSecret } from './sealing.ts';
import { deleteVariable, insertVariable, updateVariable } from './statements/changes.ts';
import type { VariableRow } from './statements/reading.ts';
import { rowOf } from './types.ts';

/** Changes of variables. Each is a transaction with its audit event, which names the variable and never its value. */

/** What a request says of a variable; null and undefined stay as they are, but for the description, which null removes. */
export interface GivenAttributes {
  readonly value?: string | null | undefined;
  readonly variableType?: VariableType | null | undefined;
  readonly protected?: boolean | null | undefined;
  readonly masked?: boolean | null | undefined;
  readonly raw?: boolean | null | undefined;
  readonly environmentScope?: string | null | undefined;
  readonly description?: string | null | undefined;
}

const note = (
  sql: Sql,
  { viewer, origin }: Context,
  { name }: VariablePlace,
  kind: AuditKind & `ci_variable_${string}`,
  { key, environmentScope: scope }: VariableRow,
) =>
  audit(
    { sql, origin },
    {
      kind,
      actorId: viewer.person?.id ?? null,
      detail: `${key} of ${name}${scope === anyEnvironment ? '' : ` (${scope})`}`,
    },
  );

const taken = (key: string) => new InvalidFields({ key: [`(${key}) has already been taken`] });

/** @throws InvalidFields */
function check(
  given: GivenAttributes,
  { key, masked, raw, value }: { key?: string; masked: boolean; raw: boolean; value: string | null },
): void {
  const problems = new Problems();
  const { description, environmentScope } = given;
  const all = [
    ...(key === undefined ? [] : problemsOfKey(key)),
    ...problemsOf({
      value: given.value ?? undefined,
      environmentScope: environmentScope ?? undefined,
      description: description ?? undefined,
    }),
  ];
  for (const [field, message] of all) problems.add(field, [message]);
  if (masked && value !== null && !canBeMasked(value, raw)) problems.add('value', ['is invalid']);
  problems.refuse();
}

/** Sets a new variable. @throws InvalidFields */
export async function makeVariable(
  context: Context,
  place: VariablePlace,
  given: GivenAttributes & { readonly key: string; readonly maskedAndHidden?: boolean | null | undefined },
): Promise<VariableRow> {
  const key = given.key.trim();
  const { scope, id } = place;
  const value = given.value ?? '';
  const hidden = given.maskedAndHidden ?? false;
  const masked = hidden || (given.masked ?? false);
  const raw = given.raw ?? false;
  check(given, { key, masked, raw, value });
  const row = rowOf({ projectId: scope === 'project' ? id : null, groupId: scope === 'group' ? id : null, key });
  const { most, words } = mostVariables[scope];
  const environments = given.environmentScope ?? anyEnvironment;
  return await context.database.transaction(async (sql) => {
    const [made] = await sql.rows(insertVariable[scope], [
      id,
      key,
      sealSecret(context.keys, row, value),
      given.variableType ?? 'env_var',
      given.protected ?? false,
      masked,
      hidden,
      raw,
      environments,
      given.description || null,
      most,
    ]);
    if (!made) {
      const known = await variableNamed(sql, place, { key, filter: { environmentScope: environments } }).catch(
        () => undefined,
      );
      if (known) throw taken(key);
      throw new InvalidFields({ base: [`Maximum number of ${words} (${most}) exceeded`] });
    }
    await note(sql, context, place, 'ci_variable_created', made);
    return made;
  });
}

/** Changes a variable. @throws NotFound, Conflict, InvalidFields */
export async function changeVariable(
  context: Context,
  place: VariablePlace,
  name: VariableName,
  given: GivenAttributes,
): Promise<VariableRow> {
  const { keys } = context;
  try {
    return await context.database.transaction(async (sql) => {
      const before = await variableNamed(sql, place, name, 'locked');
      if (before.hidden && given.masked === false)
        throw new InvalidFields({
          base: ['The visibility setting cannot be changed for masked and hidden variables.'],
        });
      const masked = given.masked ?? before.masked;
      const raw = given.raw ?? before.raw;
      const value = given.value ?? openSecret(keys, rowOf(before), before.sealed);
      check(given, { masked, raw, value });
      const [changed] = await sql.rows(updateVariable, [
        before.id,
        given.value == null ? before.sealed : sealSecret(keys, rowOf(before), given.value),
        given.variableType ?? before.variableType,
        given.protected ?? before.protected,
        masked,
        raw,
        given.environmentScope ?? before.environmentScope,
        given.description === undefined ? before.description : given.description || null,
      ]);
      await note(sql, context, place, 'ci_variable_updated', changed!);
      return changed!;
    });
  } catch (error) {
    throw takenIn(error) === 'ci_variables' ? taken(name.key) : error;
  }
}

/**
 * Deletes a variable.
 * @param unmodifiedSince refuses it if the variable was changed after this moment
 * @throws NotFound, Conflict, PreconditionFailed
 */
export async function removeVariable(
  context: Context,
  place: VariablePlace,
  name: VariableName,
  unmodifiedSince?: Date | null,
): Promise<VariableRow> {
  return await context.database.transaction(async (sql) => {
    const variable = await variableNamed(sql, place, name, 'locked');
    const second = (moment: Date) => Math.floor(moment.getTime() / 1000);
    if (unmodifiedSince && second(variable.updatedAt) > second(unmodifiedSince)) throw new PreconditionFailed();
    await sql.rows(deleteVariable, [variable.id]);
    await note(sql, context, place, 'ci_variable_deleted', variable);
    return variable;
  });
}
