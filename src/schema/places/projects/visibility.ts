import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { findSource, lockNamespace } from './statements.ts';
import type { Visibility } from '../../../policy/index.ts';
import { isWider, refuseVisibility } from '../place/visibility.ts';

/** Refuses a fork more visible than its source. @throws InvalidFields */
export function refuseWider(wanted: Visibility, source: Visibility): void {
  if (isWider(wanted, source)) refuseVisibility(wanted, 'since the fork source project has lower visibility');
}

/** Refuses to make an existing fork more visible than its source, unless it is already. @throws InvalidFields */
export async function refuseWidening({ database }: Context, id: number, wanted: Visibility): Promise<void> {
  const [row] = await database.rows(findSource, [id]);
  if (row && wanted !== row.own) refuseWider(wanted, row.visibility);
}

/** Refuses a project more visible than its group. @throws InvalidFields */
export function refuseWiderThanGroup(wanted: Visibility, group: Visibility): void {
  if (isWider(wanted, group)) refuseVisibility(wanted, `in a ${group.toLowerCase()} group`);
}

/**
 * Refuses to make an existing project more visible than its group, and locks the group until the transaction ends.
 * @returns the id of the namespace, which may change until the project is locked too
 * @throws InvalidFields
 */
export async function keepWithinGroup(sql: Sql, id: number, wanted: Visibility): Promise<number | undefined> {
  const [row] = await sql.rows(lockNamespace, [id]);
  if (row && wanted !== row.own) refuseWiderThanGroup(wanted, row.visibility);
  return row?.id;
}
