import type { Sql, Statement } from '../database/index.ts';
import { markProjects, removeEmptyGroups, removeMembers } from '../schema/places/groups/statements/removal.ts';

/** Rows that one statement removes. */
const batch = 500;

/**
 * Removes the groups that were taken out of sight, as far as nothing lies in them any
 * more, and marks the projects that do. In any process, and taken up again after a
 * stop: the marks are all there is to know.
 * @returns how many rows went or were marked
 */
export async function removeGroups(sql: Sql): Promise<number> {
  let total = 0;
  for (const step of [markProjects, removeMembers, removeEmptyGroups]) total += await untilNoneIsLeft(sql, step);
  return total;
}

/** Also after a batch that wasn't full: without its last child a group is a leaf itself. */
async function untilNoneIsLeft(sql: Sql, step: Statement<{ removed: number }>): Promise<number> {
  for (let total = 0; ;) {
    const [row] = await sql.rows(step, [batch]);
    if (row!.removed === 0) return total;
    total += row!.removed;
  }
}
