import type { Context, PrefetchFor } from '../../../context.ts';
import {
  groupAccessLevel,
  groupStatement,
  levelColumns,
  projectStatement,
  type ByReference,
  type PlaceRow,
} from '../../../database/access/places.ts';
import { BadRequest, Forbidden } from '../../../errors.ts';
import { holds, mayChange, readPlanning, type Condition, type Facts } from '../../../policy/index.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';

/** The project or the group that a label or a milestone belongs to, with what the viewer may do there. */
export interface PlanningPlace {
  readonly scope: 'project' | 'group';
  readonly id: number;
  readonly archived: boolean;
  /** The group that contains the project; null in a personal namespace. Of a group: itself. */
  readonly groupId: number | null;
  readonly facts: Facts;
  /** What the viewer is in that group. */
  readonly groupFacts: Facts;
}

interface Row extends PlaceRow {
  archived: boolean;
  group_id: number | null;
  group_access_level: number | null;
}

const inGroup = `, case when n.kind = 'GROUP' then n.id end as group_id, ${groupAccessLevel('$2::int')} as group_access_level`;

const kinds = {
  project: {
    statements: projectStatement<Row>(
      'find_planning_project',
      `, p.archived${inGroup}${levelColumns('issues', 'mergeRequests')}`,
    ),
    subject: 'Project',
  },
  group: { statements: groupStatement<Row>('find_planning_group', `, false as archived${inGroup}`), subject: 'Group' },
} as const satisfies Record<PlanningPlace['scope'], { statements: ByReference<Row>; subject: 'Project' | 'Group' }>;

/** How a request names a place: exactly one of both. */
export interface PlaceName {
  readonly project?: string | null | undefined;
  readonly group?: string | null | undefined;
}

/**
 * The project or the group that a request names.
 * @throws BadRequest unless it names exactly one; NotFound if the viewer doesn't see it; Forbidden where they have neither
 * issues nor merge requests of the project
 */
export async function planningPlace(context: Context, { project, group }: PlaceName): Promise<PlanningPlace> {
  if ((project == null) === (group == null)) throw new BadRequest('Name a project or a group.');
  const scope = group == null ? 'project' : 'group';
  const { statements, subject } = kinds[scope];
  const row = await lookUp(context, statements, subject, (project ?? group)!);
  const own = facts(row);
  if (scope === 'project' && !holds(readPlanning, context.viewer, own)) throw new Forbidden();
  return {
    scope,
    id: row.id,
    archived: row.archived,
    groupId: row.group_id,
    facts: own,
    groupFacts: { ...own, accessLevel: row.group_access_level ?? 0 },
  };
}

/** Requires that the input of a creation names one place. @throws BadRequest with GitLab's text */
export function requireOnePlace({ projectPath, groupPath }: { projectPath?: unknown; groupPath?: unknown }): void {
  if ((projectPath == null) === (groupPath == null))
    throw new BadRequest('Exactly one of groupPath or projectPath arguments is required.');
}

/** Checks a place before anything is looked for in it. @throws Forbidden */
export type Check = (place: PlanningPlace) => void;

/** The look-up of `planningPlace` as a prefetch of a field with the arguments `project` and `group`. */
export const prefetchPlanningPlace: PrefetchFor = ({ project, group }) =>
  project == null
    ? prefetchPlace(kinds.group.statements, 'Group', group)
    : prefetchPlace(kinds.project.statements, 'Project', project);

/** Requires a permission in a place. Nothing changes in an archived project. @throws Forbidden from the check */
export const permission =
  ({ viewer }: Context, rule: Condition): Check =>
  (place) => {
    if (!mayChange(rule, viewer, place.facts, place.archived)) throw new Forbidden();
  };
