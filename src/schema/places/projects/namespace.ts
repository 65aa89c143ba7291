import type { Context } from '../../../context.ts';
import { findNamespace, type NamespaceRow } from '../../../database/access/places.ts';
import { holds, makeProject } from '../../../policy/index.ts';
import { reference } from '../../engine/global-id.ts';
import { facts } from '../place/look-up.ts';

/**
 * The namespace for a new project, if the viewer may create one there. A missing namespace, a hidden one and one
 * without this right get the same answer.
 * @param given id or full path of a group or of the viewer's own namespace; undefined for the latter
 */
export async function namespaceForProject(
  { viewer, database }: Context,
  given: string | undefined,
): Promise<NamespaceRow | null> {
  const person = viewer.person?.id ?? null;
  const { by, value } = given === undefined ? { by: 'owner' as const, value: person } : reference(given, 'Namespace');
  const [row] = await database.rows(findNamespace[by], [value, person]);
  return row && holds(makeProject[row.project_creation_level], viewer, facts(row)) ? row : null;
}

/** A person's own namespace, in which administrators may create a project. */
export async function namespaceOf({ viewer, database }: Context, userId: number): Promise<NamespaceRow | null> {
  const [row] = await database.rows(findNamespace.owner, [userId, viewer.person?.id ?? null]);
  return row ?? null;
}
