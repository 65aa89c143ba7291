import type { Context } from '../../../context.ts';
import { openSecret } from './sealing.ts';
import { findJobVariables } from './statements/reading.ts';
import { rowOf } from './types.ts';

/**
 * The values that no one reads in the logs of a project: of all its masked variables, of its groups and of the instance,
 * whatever their scope. One that no instance key opens is left out.
 */
export async function maskedValuesOf(
  { database, keys }: Pick<Context, 'database' | 'keys'>,
  projectId: number,
): Promise<readonly string[]> {
  const rows = await database.rows(findJobVariables, [projectId, true, true]);
  return rows.flatMap((row) => {
    const value = row.masked ? openSecret(keys, rowOf(row), row.sealed) : null;
    return value === null ? [] : [value];
  });
}
