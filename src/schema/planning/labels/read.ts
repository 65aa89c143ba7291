import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { seePlace, toSql } from '../../../policy/index.ts';
import { NotFound } from '../../../errors.ts';
import { idOf } from '../../engine/global-id.ts';
import { planningPlace, type Check, type PlanningPlace } from '../place/look-up.ts';
import { labelList, readLabels, type LabelFilter, type LabelRow, type LabelsOf } from './statements/list.ts';

/** The labels of a place, as the viewer sees them. */
export const labelsIn = ({ viewer }: Context, of: LabelsOf, filter: LabelFilter) =>
  labelList(viewer.person?.id ?? null, of, (columns) => toSql(seePlace, viewer, columns), filter);

/** Which labels of a place, besides its own ones. */
export type Around = Pick<LabelFilter, 'ancestors' | 'descendants' | 'projects'>;

/** Only labels of the place itself, and of the group of a project. */
const ownLabels: Around = { ancestors: false, descendants: false, projects: false };
/** Those of all groups above, too. */
export const availableLabels: Around = { ...ownLabels, ancestors: true };

const byTitle = { name: 'title', column: 'l.title', type: 'text', direction: 'asc' } as const;
const first = { after: null, before: null, offset: 0, limit: 100, inverted: false } as const;

/**
 * A label by its number or its title: a number is taken for an id first. Of labels with one title, the nearest.
 * @throws NotFound
 */
export async function labelNamed(
  context: Context,
  place: PlanningPlace,
  name: string,
  around: Around,
): Promise<LabelRow> {
  const id = idOf(name, 'Label');
  const find = async (where: Around) => {
    const list = labelsIn(context, place, { ...where, named: { id, title: name } });
    const { statement, values } = list.page(byTitle, first);
    const found = await context.database.rows(statement, values);
    return found.find((one) => one.id === id) ?? found.find((one) => isOwn(one, place)) ?? found[0];
  };
  const nearest = await find({ ...around, descendants: false, projects: false });
  const found = nearest ?? (around.descendants || around.projects ? await find(around) : undefined);
  if (!found) throw new NotFound('Label');
  return found;
}

/** Whether a label belongs to a place itself. */
const isOwn = ({ projectId, groupId }: LabelRow, { scope, id }: PlanningPlace): boolean =>
  (scope === 'project' ? projectId : groupId) === id;

/** A label as it is shown in a place. @throws NotFound if it was removed */
export async function labelById(
  database: Context['database'] | Sql,
  { viewer }: Context,
  id: number,
  shownIn: Pick<PlanningPlace, 'scope' | 'id'>,
): Promise<LabelRow> {
  const values = [[id], viewer.person?.id ?? null, shownIn.scope === 'project' ? shownIn.id : null];
  const [found] = await database.rows(readLabels, values);
  if (!found) throw new NotFound('Label');
  return found;
}

/** How an input names a label: by its id, or by a place and its number or title there. */
export interface LabelName {
  readonly id?: string | null | undefined;
  readonly projectPath?: string | null | undefined;
  readonly groupPath?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/**
 * The label that an input names, and the place where it was looked for: its own, if no other was named.
 * @throws BadRequest, NotFound for a label or a place that the viewer doesn't see; what the check throws
 */
export async function namedLabel(
  context: Context,
  { id, projectPath, groupPath, name }: LabelName,
  around: Around,
  check?: Check,
): Promise<{ label: LabelRow; place: PlanningPlace }> {
  if (projectPath == null && groupPath == null && id != null) {
    const number = idOf(id, 'Label') || idOf(id, 'ProjectLabel') || idOf(id, 'GroupLabel');
    const [known] = await context.database.rows(readLabels, [[number], null, null]);
    if (!known) throw new NotFound('Label');
    const place = await placeOf(context, known);
    check?.(place);
    return { label: await labelById(context.database, context, known.id, place), place };
  }
  const place = await planningPlace(context, { project: projectPath, group: groupPath });
  check?.(place);
  return { label: await labelNamed(context, place, id ?? name ?? '', around), place };
}

/** The place of a label. @throws NotFound for a label of a place that the viewer doesn't see */
async function placeOf(context: Context, { projectId, groupId }: LabelRow): Promise<PlanningPlace> {
  try {
    return await planningPlace(context, {
      project: projectId === null ? null : String(projectId),
      group: groupId === null ? null : String(groupId),
    });
  } catch (error) {
    if (error instanceof NotFound) throw new NotFound('Label');
    throw error;
  }
}

/**
 * The label that an input names: of the place itself or, in a project, of its group.
 * @throws BadRequest, NotFound, what the check throws
 */
export const labelNearby = (context: Context, name: LabelName, check: Check) =>
  namedLabel(context, name, ownLabels, check);

/**
 * The label that an input names, for a change of it: of the place itself. A label of a group is changed in the group.
 * @throws BadRequest, NotFound, what the check throws
 */
export async function ownLabel(
  context: Context,
  name: LabelName,
  check: Check,
): Promise<{ label: LabelRow; place: PlanningPlace }> {
  const found = await labelNearby(context, name, check);
  if (!isOwn(found.label, found.place)) throw new NotFound('Label');
  return found;
}
