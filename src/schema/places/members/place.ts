import type { Context } from '../../../context.ts';
import type { Scope } from './statements/row.ts';
import { groupStatement, projectStatement, type PlaceRow } from '../../../database/access/places.ts';
import { BadRequest, Forbidden } from '../../../errors.ts';
import { holds, isAdministrator, roles } from '../../../policy/index.ts';
import { facts, lookUp } from '../place/look-up.ts';
import { managing } from '../place/managing.ts';
import { mayRequestAccess } from '../place/permission.ts';

/** A group or a project, for the management of its members. */
export interface Place {
  readonly scope: Scope;
  readonly id: number;
  readonly fullPath: string;
  /** Whether the viewer may manage its members. */
  readonly managed: boolean;
  /** The highest role that the viewer may give, or change. */
  readonly ceiling: number;
  /** Whether the viewer may ask for a role. */
  readonly mayBeRequested: boolean;
}

interface Row extends PlaceRow {
  full_path: string;
  /** Of a project. */
  archived?: boolean;
  attributes: { readonly [name: string]: unknown };
}

const statements = {
  group: groupStatement<Row>('find_group_with_members', ', n.full_path, n.attributes'),
  project: projectStatement<Row>('find_project_with_members', ', p.full_path, p.archived, p.attributes'),
};

/** The group or the project that an input names. @throws BadRequest unless it names exactly one, NotFound */
export async function memberPlace(
  context: Context,
  { group, project }: { group?: string | null | undefined; project?: string | null | undefined },
): Promise<Place> {
  if ((group == null) === (project == null)) throw new BadRequest('Name a group or a project.');
  const scope = group == null ? 'project' : 'group';
  const { subject, manage } = managing[scope];
  const row = await lookUp(context, statements[scope], subject, (group ?? project)!);
  return {
    scope,
    id: row.id,
    fullPath: row.full_path,
    managed: holds(manage, context.viewer, facts(row)),
    ceiling: isAdministrator(context.viewer) ? roles.owner : (row.access_level ?? 0),
    mayBeRequested: mayRequestAccess(context, { ...facts(row), attributes: row.attributes, archived: row.archived }),
  };
}

/**
 * Requires the right to manage members. People can't give a role above their own, nor take one away.
 * @throws Forbidden
 */
export function requireManaging({ managed, ceiling }: Place, ...levels: (number | null)[]): void {
  if (!managed || levels.some((level) => level !== null && level > ceiling)) throw new Forbidden();
}
