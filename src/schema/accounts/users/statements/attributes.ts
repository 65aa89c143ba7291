import type { Prisma } from '../../../../database/client/client.ts';
import { storedAttributes, type GivenAttributes } from '../../../../values/attributes.ts';
import { userAttributes, type UserAttributes } from '../../../../values/user-attributes.ts';

/** Stores the attributes that were sent. Attributes that have their default again aren't stored. */
export async function setAttributes(
  prisma: Prisma.TransactionClient,
  userId: number,
  given: GivenAttributes<UserAttributes>,
): Promise<void> {
  const { values, unset } = storedAttributes(userAttributes, given);
  const set = JSON.stringify(values);
  if (set === '{}' && unset.length === 0) return;
  await prisma.$executeRaw`
    update users set attributes = (attributes || ${set}::jsonb) - ${unset}::text[] where id = ${userId}`;
}
