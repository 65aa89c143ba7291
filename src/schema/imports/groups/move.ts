import { isTaken, lockGroups, lockOfTrees, moveTree } from '../../../database/access/trees.ts';
import { maxFullPathLength } from '../../../values/text/place-names.ts';
import { tightenRunners } from '../../places/groups/attributes.ts';
import { findMove, keepPlanningOfGroup } from '../../places/transfer/move.ts';
import type { Batch } from '../origins/importing.ts';

/** Following a group that was renamed or transferred at its origin. */

/** Where a group belongs. */
export interface Wanted {
  readonly parentId: number | null;
  readonly path: string;
}

/** How a group moves, or why it stays; undefined if it is where it belongs, or was removed. */
export async function moveOf({ sql }: Batch, id: number, { parentId, path }: Wanted) {
  const now = await findMove(sql, id, parentId);
  if (!now || (parentId !== null && now.target_id === null)) return undefined;
  const to = now.target_path === null ? path : `${now.target_path}/${path}`;
  if (to === now.full_path) return undefined;
  const [found] = await sql.rows(isTaken, [id, to.toLowerCase()]);
  const isTooLong = now.longest - now.full_path.length + to.length > maxFullPathLength;
  // Within itself: what contains it there stayed in it here.
  const why = found!.taken ? 'is taken' : now.is_below ? 'is in it here' : isTooLong ? 'is too long' : undefined;
  return { now, to, why: why && `The path ${to} ${why}: it stays ${now.full_path}.` };
}

/** Moves a group with what is in it, unless it can't be meanwhile. Its former paths redirect. */
export async function followGroup(batch: Batch, id: number, wanted: Wanted): Promise<void> {
  const { sql } = batch;
  const { parentId, path } = wanted;
  await sql.rows(lockOfTrees.exclusive, [parentId === null ? [id] : [id, parentId]]);
  await sql.rows(lockGroups, [id]);
  const move = await moveOf(batch, id, wanted);
  if (!move || move.why !== undefined) return;
  const { now, to } = move;
  await sql.rows(moveTree, [id, parentId, path, to, now.full_path, now.target_visibility ?? 'PUBLIC']);
  if (now.target_runners) await tightenRunners(sql, id, now.runners, now.target_runners);
  await keepPlanningOfGroup(sql, id);
}
