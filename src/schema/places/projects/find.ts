import type { Context } from '../../../context.ts';
import { findProject, type PlaceRow } from '../../../database/access/places.ts';
import { Forbidden } from '../../../errors.ts';
import { holds, type Condition } from '../../../policy/index.ts';
import { facts, lookUp } from '../place/look-up.ts';

/**
 * A project for which the viewer has a permission.
 * @throws NotFound if they may not see it; Forbidden if they see it but lack the permission
 */
export async function projectFor(context: Context, rule: Condition, given: string): Promise<PlaceRow> {
  const row = await lookUp(context, findProject, 'Project', given);
  if (!holds(rule, context.viewer, facts(row))) throw new Forbidden();
  return row;
}
