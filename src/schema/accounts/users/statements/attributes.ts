import type { Prisma } from '../../../../database/client/client.ts';
import { storedAttributes, type Attributes, type GivenAttributes } from '../../../../values/attributes/attributes.ts';
import { userAttributes, userPreferences, type UserAttributes } from '../../../../values/attributes/user-attributes.ts';

/** Stores the attributes that were sent. Attributes that have their default again aren't stored. */
export const setAttributes = (
  prisma: Prisma.TransactionClient,
  userId: number,
  given: GivenAttributes<UserAttributes>,
): Promise<void> => store(prisma, userId, userAttributes, given);

/** Stores the preferences that were sent. */
export const setPreferences = (
  prisma: Prisma.TransactionClient,
  userId: number,
  given: GivenAttributes<typeof userPreferences>,
): Promise<void> => store(prisma, userId, userPreferences, given);

async function store<Table extends Attributes>(
  prisma: Prisma.TransactionClient,
  userId: number,
  table: Table,
  given: GivenAttributes<Table>,
): Promise<void> {
  const { columns, values, unset } = storedAttributes(table, given);
  if (columns.external !== undefined) await becomeExternal(prisma, userId, columns);
  if (Object.keys(columns).length > 0) await prisma.user.update({ where: { id: userId }, data: columns });
  const set = JSON.stringify(values);
  if (set === '{}' && unset.length === 0) return;
  await prisma.$executeRaw`
    update users set attributes = (attributes || ${set}::jsonb) - ${unset}::text[] where id = ${userId}`;
}

/** Stores the address for commits, or forgets it. */
export async function setCommitAddress(
  prisma: Prisma.TransactionClient,
  userId: number,
  address: string | null,
): Promise<void> {
  await prisma.$executeRaw`
    update users set attributes = case when ${address}::text is null then attributes - 'commitEmail'
                                       else attributes || jsonb_build_object('commitEmail', ${address}::text) end
     where id = ${userId}`;
}

const { canCreateGroup, projectsLimit } = userAttributes;

/** Adds what else changes when a person becomes external, or no longer is. */
async function becomeExternal(
  prisma: Prisma.TransactionClient,
  userId: number,
  columns: { [name: string]: unknown },
): Promise<void> {
  const [before] = await prisma.$queryRaw<[{ external: boolean }]>`
    select external from users where id = ${userId} for no key update`;
  if (before.external === columns.external) return;
  if (columns.external) Object.assign(columns, { canCreateGroup: false, projectsLimit: 0 });
  columns.canCreateGroup ??= canCreateGroup.unset;
  columns.projectsLimit ??= projectsLimit.unset;
}
