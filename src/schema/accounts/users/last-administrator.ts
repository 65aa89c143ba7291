import type { Prisma } from '../../../database/client/client.ts';
import { holdAdministrators, isLastAdministrator } from './statements/users.ts';
import { Forbidden } from '../../../errors.ts';

/**
 * An instance keeps somebody who administers it. Called within the transaction that takes this
 * power from a person, before it does: of two administrators who take it from each other, one stays.
 * @throws Forbidden
 */
export async function keepAnAdministrator(prisma: Prisma.TransactionClient, userId: number): Promise<void> {
  await prisma.$queryRawUnsafe(holdAdministrators.text, userId);
  const last = await prisma.$queryRawUnsafe<object[]>(isLastAdministrator.text, userId);
  if (last.length > 0) throw new Forbidden('The instance can’t do without an administrator.');
}
