import type { Context } from '../../../context.ts';
import {
  holdAdministrators,
  holdOwners,
  holdUser,
  isLastAdministrator,
  markUser,
  soleGroups,
} from './statements/users.ts';
import { Conflict, NotFound } from '../../../errors.ts';
import { removeMarkedUser } from '../../../jobs/remove-users.ts';

/** How much a request removes itself, in batches; the rest is left to the background. */
const ownShare = 40;

/**
 * Ends an account: all that the person could act by at once, and then what is
 * stored of them, as far as one request goes.
 * @param withGroups whether groups that nobody else owns go too
 * @returns whether everything is gone
 * @throws Conflict where somebody is needed in their place, NotFound for one who is being removed already
 */
export async function removeAccount({ database }: Context, id: number, withGroups: boolean): Promise<boolean> {
  await database.transaction(async (sql) => {
    await sql.rows(holdAdministrators, [id]);
    await sql.rows(holdUser, [id]);
    await sql.rows(holdOwners, [id]);
    const [last] = await sql.rows(isLastAdministrator, [id]);
    if (last) throw new Conflict('You are the only administrator. Make somebody else one first.');
    const sole = await sql.rows(soleGroups, [id]);
    if (sole.length > 0 && !withGroups) throw new Conflict('User cannot be removed while is the sole-owner of a group');
    const marked = await sql.rows(markUser, [id, sole.map((group) => group.id)]);
    if (marked.length === 0) throw new NotFound('User');
  });
  return await removeMarkedUser(database, id, ownShare);
}
