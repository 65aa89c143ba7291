import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { holds, isAdministrator, readEpic, type Facts } from '../../../policy/index.ts';
import { orNull } from '../../engine/absent.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { findEpic, findEpicById, findGroupOfEpics, type EpicRecord } from './statements.ts';

/** The id of the group that a request names. @throws NotFound if the viewer doesn't see it, Forbidden if they don't read epics there */
export async function groupOfEpics(context: Context, group: string): Promise<number> {
  const row = await lookUp(context, findGroupOfEpics, 'Group', group);
  if (!holds(readEpic, context.viewer, facts(row))) throw new Forbidden();
  return row.id;
}

/** An epic by the number in its group. @throws NotFound, Forbidden */
export async function epicIn(context: Context, group: string, iid: string): Promise<EpicRecord> {
  const groupId = await groupOfEpics(context, group);
  const [epic] = /^\d{1,9}$/.test(iid) ? await context.database.rows(findEpic, [groupId, Number(iid)]) : [];
  if (!epic) throw new NotFound('Epic');
  return epic;
}

/**
 * An epic by its number in the instance, with what decides what the viewer may do in its group. For
 * administrators, too, who may not be on the higher tier. @throws NotFound for others who don't read it
 */
export async function lookUpEpic(
  context: Context,
  id: number,
): Promise<{ readonly epic: EpicRecord; readonly facts: Facts }> {
  const [epic] = await context.database.rows(findEpicById, [id]);
  const row = epic && (await orNull('Group', lookUp(context, findGroupOfEpics, 'Group', String(epic.groupId))));
  const { viewer } = context;
  if (!row || !(isAdministrator(viewer) || holds(readEpic, viewer, facts(row)))) throw new NotFound('Epic');
  return { epic, facts: facts(row) };
}

/** The same; null if the viewer doesn't read it. */
export const readableEpicById = async (context: Context, id: number): Promise<EpicRecord | null> =>
  (await orNull('Epic', lookUpEpic(context, id)))?.epic ?? null;
