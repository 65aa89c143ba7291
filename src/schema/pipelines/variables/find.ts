import type { Sql } from '../../../database/index.ts';
import { Conflict, NotFound } from '../../../errors.ts';
import type { VariableScope } from '../../../values/ci/variables.ts';
import type { VariablePlace } from './place.ts';
import { findVariables, lockVariables } from './statements/changes.ts';
import type { VariableRow } from './statements/reading.ts';

/** How a request names a variable: by its name, and by its environments if there are several of the name. */
export interface VariableName {
  readonly key: string;
  readonly filter?: { readonly environmentScope?: string | null | undefined } | null | undefined;
}

const subjects: Readonly<Record<VariableScope, string>> = {
  project: 'Variable',
  group: 'GroupVariable',
  instance: 'InstanceVariable',
};

/** @throws NotFound, Conflict if there are several */
export async function variableNamed(
  sql: Sql,
  { scope, id }: VariablePlace,
  { key, filter }: VariableName,
  how: 'to read' | 'locked' = 'to read',
): Promise<VariableRow> {
  const statements = how === 'locked' ? lockVariables : findVariables;
  const [found, another] = await sql.rows(statements[scope], [id, key, filter?.environmentScope ?? null]);
  if (!found) throw new NotFound(subjects[scope]);
  if (another)
    throw new Conflict("There are multiple variables with provided parameters. Please use 'filter[environment_scope]'");
  return found;
}
