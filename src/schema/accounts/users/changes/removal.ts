import type { Context } from '../../../../context.ts';
import {
  lockAdministrators,
  lockOwners,
  lockUser,
  isLastAdministrator,
  markUser,
  soleGroups,
} from '../statements/users.ts';
import { Conflict, NotFound } from '../../../../errors.ts';
import { enqueue } from '../../../../jobs/enqueue.ts';
import { removeMarkedUser } from '../../../../jobs/remove-users.ts';

/** Batches that the request itself removes; the background job removes the rest. */
const batchesPerRequest = 40;

/**
 * Removes an account: ends all credentials at once, then removes stored data, as far as one request goes.
 * @param withGroups whether to remove groups of which the person is the only owner
 * @returns whether everything is removed
 * @throws Conflict if the person is the last administrator or the only owner of a group, NotFound if a removal is
 * in progress already
 */
export async function removeAccount({ database }: Context, id: number, withGroups: boolean): Promise<boolean> {
  await database.transaction(async (sql) => {
    await sql.rows(lockAdministrators, [id]);
    await sql.rows(lockUser, [id]);
    await sql.rows(lockOwners, [id]);
    const [last] = await sql.rows(isLastAdministrator, [id]);
    if (last) throw new Conflict('You are the only administrator. Make someone else an administrator first.');
    const sole = await sql.rows(soleGroups, [id]);
    if (sole.length > 0 && !withGroups) throw new Conflict('User cannot be removed while is the sole-owner of a group');
    const marked = await sql.rows(markUser, [id, sole.map((group) => group.id)]);
    if (marked.length === 0) throw new NotFound('User');
  });
  const finished = await removeMarkedUser(database, id, batchesPerRequest);
  // If this process ends first, the sweep does it.
  if (!finished) await enqueue(database, 'remove_user', { userId: id }, { key: String(id) });
  return finished;
}
