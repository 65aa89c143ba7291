import type { Context } from '../../../context.ts';
import { findProject, type PlaceRow } from '../../../database/access/places.ts';
import { Forbidden } from '../../../errors.ts';
import { holds, type Condition } from '../../../policy/index.ts';
import { facts, lookUp } from '../place/look-up.ts';

/**
 * A project to which the viewer may do something.
 * @throws NotFound for who may not see it, Forbidden for who may
 */
export async function projectFor(context: Context, rule: Condition, given: string): Promise<PlaceRow> {
  const row = await lookUp(context, findProject, 'Project', given);
  if (!holds(rule, context.viewer, facts(row))) throw new Forbidden();
  return row;
}
