import type { Context } from '../../context.ts';
import { NotFound } from '../../errors.ts';
import { reference } from '../places/look-up.ts';

/**
 * The user with an id, whom only administrators name like this.
 * @throws NotFound also for one who is being removed
 */
export async function existingUser({ database }: Context, given: string) {
  const { by, value } = reference(given);
  const user = by === 'id' ? await database.prisma.user.findUnique({ where: { id: Number(value), deletingSince: null } }) : null;
  if (!user) throw new NotFound('User');
  return user;
}
