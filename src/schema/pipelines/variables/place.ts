import type { Context, PrefetchFor } from '../../../context.ts';
import { Forbidden } from '../../../errors.ts';
import { adminGroupVariables, adminVariables, holds, type Condition } from '../../../policy/index.ts';
import type { VariableScope } from '../../../values/ci/variables.ts';
import { requireAdministrator } from '../../engine/administrators.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { findGroup, findProject } from './statements/reading.ts';

/** Where variables are set: a project, a group, or the instance. */
export interface VariablePlace {
  readonly scope: VariableScope;
  /** Of the instance: 0. */
  readonly id: number;
  /** For people. */
  readonly name: string;
}

const places = {
  project: { statements: findProject, subject: 'Project', rule: adminVariables },
  group: { statements: findGroup, subject: 'Group', rule: adminGroupVariables },
} as const satisfies Record<string, { rule: Condition; subject: 'Project' | 'Group'; statements: unknown }>;

/** The look-up of `variablePlace` as a prefetch of a field with the argument `project` or `group`. */
export const prefetchVariablePlace = {
  project: (({ project }) => prefetchPlace(findProject, 'Project', project)) satisfies PrefetchFor,
  group: (({ group }) => prefetchPlace(findGroup, 'Group', group)) satisfies PrefetchFor,
};

/**
 * A place whose variables the viewer may see and set: maintainers of a project, owners of a group, administrators. Nothing
 * changes in an archived project.
 * @param given full path, global id or number; of the instance, nothing
 * @throws NotFound if the viewer doesn't see the place, Forbidden
 */
export async function variablePlace(
  context: Context,
  scope: VariableScope,
  given: string,
  to: 'read' | 'change',
): Promise<VariablePlace> {
  if (scope === 'instance') {
    requireAdministrator(context);
    return { scope, id: 0, name: 'the instance' };
  }
  const { statements, subject, rule } = places[scope];
  const row = await lookUp(context, statements, subject, given);
  if (!holds(rule, context.viewer, facts(row)) || (to === 'change' && row.archived)) throw new Forbidden();
  return { scope, id: row.id, name: row.full_path };
}
