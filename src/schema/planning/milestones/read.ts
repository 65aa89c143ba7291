import type { Context } from '../../../context.ts';
import type { MilestoneRecord } from '../../../database/access/planning.ts';
import { NotFound } from '../../../errors.ts';
import { idOf } from '../../engine/global-id.ts';
import { planningPlace, type Check, type PlanningPlace } from '../place/look-up.ts';
import { findMilestone, readMilestones } from './statements/list.ts';

/** The ids of a place as statements take them: the project or null, the group or null. */
export const placeIds = ({ scope, id }: PlanningPlace): readonly [number | null, number | null] =>
  scope === 'project' ? [id, null] : [null, id];

/** How a request names a milestone: by its id, and the place that it must belong to, if one is named. */
export interface MilestoneName {
  readonly id: string;
  readonly project?: string | null | undefined;
  readonly group?: string | null | undefined;
}

interface Found {
  readonly milestone: MilestoneRecord;
  readonly place: PlanningPlace;
}

/**
 * The milestone that a request names.
 * @throws NotFound for a missing one, one of another place, and one that the viewer doesn't see; BadRequest; what the check
 * throws
 */
export async function namedMilestone(
  context: Context,
  { id: given, project, group }: MilestoneName,
  check?: Check,
): Promise<Found> {
  const { database } = context;
  const id = idOf(given, 'Milestone');
  if (project != null || group != null) {
    const place = await planningPlace(context, { project, group });
    check?.(place);
    const [milestone] = await database.rows(findMilestone, [id, ...placeIds(place)]);
    if (!milestone) throw new NotFound('Milestone');
    return { milestone, place };
  }
  const [milestone] = await database.rows(readMilestones, [[id]]);
  if (!milestone) throw new NotFound('Milestone');
  const place = await placeOf(context, milestone);
  check?.(place);
  return { milestone, place };
}

/** @throws NotFound for a milestone of a place that the viewer doesn't see */
async function placeOf(context: Context, { projectId, groupId }: MilestoneRecord): Promise<PlanningPlace> {
  const [project, group] = [projectId, groupId].map((id) => (id === null ? null : String(id)));
  try {
    return await planningPlace(context, { project, group });
  } catch (error) {
    if (error instanceof NotFound) throw new NotFound('Milestone');
    throw error;
  }
}
