import type { Prisma } from '../../../../database/client/client.ts';
import { lockAdministrators, isLastAdministrator } from '../statements/users.ts';
import { Forbidden } from '../../../../errors.ts';

/**
 * Refuses to remove the last administrator. Call it before the change, in the transaction that takes this right from
 * a person: if two administrators take it from each other at once, one of them stays administrator.
 * @throws Forbidden
 */
export async function keepAnAdministrator(prisma: Prisma.TransactionClient, userId: number): Promise<void> {
  await prisma.$queryRawUnsafe(lockAdministrators.text, userId);
  const last = await prisma.$queryRawUnsafe<object[]>(isLastAdministrator.text, userId);
  if (last.length > 0) throw new Forbidden('The instance can’t do without an administrator.');
}
