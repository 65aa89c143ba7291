import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { holds, readEpic } from '../../../policy/index.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { findEpic, findGroupOfEpics, type EpicRecord } from './statements.ts';

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
