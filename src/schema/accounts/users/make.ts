import type { Prisma } from '../../../database/client/client.ts';

/** What an account begins with. */
export interface NewAccount {
  readonly username: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly address: string;
}

/**
 * Makes an account with its own namespace and an address that is still to be
 * confirmed, inside a transaction. The name is taken before the address: a name that
 * is taken refuses whatever the address, and so tells nothing of it.
 * @returns its id, and that of the address
 */
export async function makeAccount(
  prisma: Prisma.TransactionClient,
  { username, name, passwordHash, address }: NewAccount,
): Promise<{ userId: number; emailId: number }> {
  const { id: userId } = await prisma.user.create({ data: { username, name, passwordHash } });
  const namespace = await prisma.namespace.create({
    data: { kind: 'USER', ownerId: userId, path: username, name, fullPath: username, visibility: 'PUBLIC' },
  });
  await prisma.namespace.update({ where: { id: namespace.id }, data: { ancestry: [namespace.id] } });
  await prisma.route.create({ data: { path: username.toLowerCase(), namespaceId: namespace.id } });
  const { id: emailId } = await prisma.email.create({ data: { userId, primaryOf: userId, address } });
  return { userId, emailId };
}
