import type { Sql, Statement } from '../database/index.ts';
import { markProjects, removeEmptyGroups, removeMembers } from '../schema/places/groups/statements/removal.ts';

/** Rows that one statement removes. */
const batch = 500;

/**
 * Removes groups marked as deleted once they are empty, and marks the projects in them. Runs in any process and resumes
 * after a stop: the marks are its only state.
 * @returns how many rows were removed or marked
 */
export async function removeGroups(sql: Sql): Promise<number> {
  let total = 0;
  for (const step of [markProjects, removeMembers, removeEmptyGroups]) total += await untilNoneIsLeft(sql, step);
  return total;
}

/** Continues after a batch that wasn't full: a group becomes empty when its last child is removed. */
async function untilNoneIsLeft(sql: Sql, step: Statement<{ removed: number }>): Promise<number> {
  for (let total = 0; ;) {
    const [row] = await sql.rows(step, [batch]);
    if (row!.removed === 0) return total;
    total += row!.removed;
  }
}
