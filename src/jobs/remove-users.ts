import type { Database } from '../database/index.ts';
import { givings, makeGhost } from '../schema/accounts/users/statements/ghost.ts';
import { isGone, markedUsers, removals, removeUser } from '../schema/accounts/users/statements/users.ts';

/** Rows that one statement removes. */
const batch = 500;

/**
 * Removes a marked person with their data, in batches; what they wrote in projects goes to the ghost: no statement holds locks for long, and several processes may
 * do it at once.
 * @param most maximum number of batches
 * @returns whether all is removed
 */
export async function removeMarkedUser(
  database: Database,
  userId: number,
  most = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  let batches = 0;
  await database.rows(makeGhost, [userId]);
  for (const one of [...givings, ...removals]) {
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

/** Finishes removals that a request started, or a stopped process left unfinished. */
export async function removeMarkedUsers(database: Database): Promise<void> {
  for (const { id } of await database.rows(markedUsers, [])) await removeMarkedUser(database, id);
}
