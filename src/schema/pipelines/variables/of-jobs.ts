import type { Context } from '../../../context.ts';
import { matchesPattern } from '../../../policy/index.ts';
import { anyEnvironment, type VariableType } from '../../../values/ci/variables.ts';
import { requireSecret } from './sealing.ts';
import { findJobVariables, type JobVariableRow } from './statements/reading.ts';
import { rowOf } from './types.ts';

/** A variable as a job gets it, in clear. Never log it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  readonly variableType: VariableType;
  readonly masked: boolean;
  readonly raw: boolean;
}

/** What decides which variables a job gets. */
export interface VariablesOf {
  readonly projectId: number;
  /** Whether it is of a protected branch or tag: others get no protected variables. */
  readonly isProtected: boolean;
  /** The name of its environment; null without one. */
  readonly environment: string | null;
}

/** How exactly a scope names an environment: the name itself, then patterns with more of it, then all. */
function exactness(scope: string, environment: string): number {
  if (scope === anyEnvironment) return 0;
  return scope === environment ? Number.MAX_SAFE_INTEGER : scope.replaceAll('*', '').length + 1;
}

/**
 * The variables that people set for a job, the weakest first: of the instance, of groups from the root on, and of the
 * project; a later one of the same name counts. Of those of a name in one place, only the one whose scope names the
 * environment most exactly is there. One statement.
 * @throws InstanceKeyError for a value that no instance key opens
 */
export async function variablesOfJob(
  { database, keys }: Pick<Context, 'database' | 'keys'>,
  { projectId, isProtected, environment }: VariablesOf,
): Promise<JobVariable[]> {
  const rows = await database.rows(findJobVariables, [projectId, isProtected, environment !== null]);
  const chosen = new Map<string, JobVariableRow>();
  for (const row of rows) {
    const { level, key, environmentScope: scope } = row;
    if (scope !== anyEnvironment && (environment === null || !matchesPattern(scope, environment))) continue;
    const name = `${level} ${key}`;
    const other = chosen.get(name);
    const isWeaker =
      other && environment !== null && exactness(other.environmentScope, environment) >= exactness(scope, environment);
    if (!isWeaker) chosen.set(name, row);
  }
  return [...chosen.values()].map((row) => ({
    key: row.key,
    value: requireSecret(keys, rowOf(row), row.sealed),
    variableType: row.variableType,
    masked: row.masked,
    raw: row.raw,
  }));
}
