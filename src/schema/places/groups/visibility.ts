import type { Sql } from '../../../database/index.ts';
import { visibilityAround } from './statements/groups.ts';
import type { Visibility } from '../../../policy/index.ts';
import { isWider, refuseVisibility } from '../place/visibility.ts';

/** Refuses a visibility wider than that of the parent group. @throws InvalidFields */
export function refuseWiderThanParent(wanted: Visibility, parent: Visibility): void {
  if (isWider(wanted, parent))
    refuseVisibility(wanted, `since the parent group has a ${parent.toLowerCase()} visibility`);
}

/**
 * Refuses a visibility wider than that of the parent group, or narrower than that of the group's contents. Call it
 * after the change, in its transaction, with the tree locked.
 * @throws InvalidFields
 */
export async function keepVisibility(sql: Sql, id: number, wanted: Visibility): Promise<void> {
  const [around] = await sql.rows(visibilityAround, [id, wanted]);
  if (around?.parent) refuseWiderThanParent(wanted, around.parent);
  if (around?.wider_projects) refuseVisibility(wanted, 'since this group contains projects with higher visibility');
  if (around?.wider_groups) refuseVisibility(wanted, 'since there are sub-groups with higher visibility');
}
