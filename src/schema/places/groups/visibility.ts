import type { Sql } from '../../../database/index.ts';
import { visibilityAround } from './statements/groups.ts';
import type { Visibility } from '../../../policy/index.ts';
import { isWider, refuseVisibility } from '../place/visibility.ts';

/** A group shows nobody what the one above it hides. @throws InvalidFields */
export function refuseWiderThanParent(wanted: Visibility, parent: Visibility): void {
  if (isWider(wanted, parent))
    refuseVisibility(wanted, `since the parent group has a ${parent.toLowerCase()} visibility`);
}

/**
 * Refuses a visibility wider than that of the group above, or narrower than that of what lies in
 * the group. Called within the transaction that changes it, with the tree held, after the change.
 * @throws InvalidFields
 */
export async function keepVisibility(sql: Sql, id: number, wanted: Visibility): Promise<void> {
  const [around] = await sql.rows(visibilityAround, [id, wanted]);
  if (around?.parent) refuseWiderThanParent(wanted, around.parent);
  if (around?.wider_projects) refuseVisibility(wanted, 'since this group contains projects with higher visibility');
  if (around?.wider_groups) refuseVisibility(wanted, 'since there are sub-groups with higher visibility');
}
