import type { Sql } from '../../../database/index.ts';
import { InvalidFields } from '../../../errors.ts';
import type { Visibility } from '../../../policy/index.ts';
import type { RunnersSetting } from '../../../values/attributes/group-attributes.ts';
import { isWider, refuseVisibility } from '../place/visibility.ts';
import type { GivenProjectAttributes } from './attributes/write.ts';
import { lockNamespace } from './statements/changes.ts';

/** What the group of a project allows it. */

/** Refuses a project more visible than its group. @throws InvalidFields */
export function refuseWiderThanGroup(wanted: Visibility, group: Visibility): void {
  if (isWider(wanted, group)) refuseVisibility(wanted, `in a ${group.toLowerCase()} group`);
}

/** Refuses the runners of the instance where the group disables them for good. @throws InvalidFields */
export function refuseRunners(group: RunnersSetting): void {
  if (group !== 'disabled_and_unoverridable') return;
  throw new InvalidFields({ sharedRunnersEnabled: ['cannot be enabled because parent group does not allow it'] });
}

/**
 * Refuses a change of an existing project that its group doesn't allow, and locks the group until the transaction ends.
 * @returns the id of the namespace, which may change until the project is locked too; undefined: the group allows any change
 * @throws InvalidFields
 */
export async function keepWithinGroup(
  sql: Sql,
  id: number,
  visibility: Visibility | undefined,
  attributes: GivenProjectAttributes = {},
): Promise<number | undefined> {
  // Null is the default, which is true.
  const wantsRunners = attributes.sharedRunnersEnabled === true || attributes.sharedRunnersEnabled === null;
  if (visibility === undefined && !wantsRunners) return undefined;
  const [row] = await sql.rows(lockNamespace, [id]);
  if (row && visibility !== undefined && visibility !== row.own) refuseWiderThanGroup(visibility, row.visibility);
  if (row && wantsRunners) refuseRunners(row.runners);
  return row?.id;
}
