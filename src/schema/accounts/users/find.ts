import type { Context } from '../../../context.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { findUser } from './statements/list.ts';
import { NotFound } from '../../../errors.ts';
import { reference } from '../../engine/global-id.ts';

/**
 * The user with an id; only administrators look people up like this.
 * @throws NotFound also for one who is being removed
 */
export async function existingUser({ database }: Context, given: string) {
  const { by, value } = reference(given, 'User');
  const user =
    by === 'id' ? await database.prisma.user.findUnique({ where: { id: Number(value), deletingSince: null } }) : null;
  if (!user) throw new NotFound('User');
  return user;
}

/** Whether an account is the instance's own, not a person's: the ghost, which has what removed people wrote. */
export const isInternal = (attributes: unknown): boolean =>
  (attributes as { readonly ghost?: unknown } | null)?.ghost === true;

/** A person by id or by username, case-insensitive. @throws NotFound */
export async function userByReference({ database }: Context, given: string): Promise<UserRecord> {
  const { by, value } = reference(given, 'User');
  const [user] = await database.rows(findUser[by], [value]);
  if (!user) throw new NotFound('User');
  return user;
}
