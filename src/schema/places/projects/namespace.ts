import type { Context } from '../../../context.ts';
import { findNamespace, type NamespaceRow } from '../../../database/access/places.ts';
import { holds, makeProject } from '../../../policy/index.ts';
import { facts, reference } from '../place/look-up.ts';

/**
 * The place in which a project is to be made, if the viewer may make one there. Missing,
 * hidden and not allowed are one answer.
 * @param given number or full path of a group or of one's own place; undefined for the own one
 */
export async function namespaceForProject(
  { viewer, database }: Context,
  given: string | undefined,
): Promise<NamespaceRow | null> {
  const person = viewer.person?.id ?? null;
  const { by, value } = given === undefined ? { by: 'owner' as const, value: person } : reference(given);
  const [row] = await database.rows(findNamespace[by], [value, person]);
  return row && holds(makeProject, viewer, facts(row)) ? row : null;
}

/** Somebody's own place, in which administrators may make a project. */
export async function namespaceOf({ viewer, database }: Context, userId: number): Promise<NamespaceRow | null> {
  const [row] = await database.rows(findNamespace.owner, [userId, viewer.person?.id ?? null]);
  return row ?? null;
}
