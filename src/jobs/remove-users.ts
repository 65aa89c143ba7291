import type { Database } from '../database/index.ts';
import { isGone, markedUsers, removals, removeUser } from '../schema/accounts/users/statements/users.ts';

/** Rows that one statement removes. */
const batch = 500;

/**
 * Removes a person who is marked, with all that is stored of them: batch after
 * batch, so that no statement holds locks for long, and any number of processes
 * may be at it at once.
 * @param most how many batches at most
 * @returns whether nothing is left
 */
export async function removeMarkedUser(
  database: Database,
  userId: number,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let batches = 0;
  for (const one of removals) {
    for (;;) {
      if (batches++ >= most) return false;
      const [row] = await database.rows(one, [userId, batch]);
      if (row!.removed < batch) break;
    }
  }
  await database.rows(removeUser, [userId]);
  const [row] = await database.rows(isGone, [userId]);
  return row!.gone;
}

/** Takes up whatever is left over, by a request that has done its part or by a process that was stopped. */
export async function removeMarkedUsers(database: Database): Promise<void> {
  for (const { id } of await database.rows(markedUsers, [])) await removeMarkedUser(database, id);
}
