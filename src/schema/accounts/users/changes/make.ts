import type { Prisma } from '../../../../database/client/client.ts';

/** The values of a new account. */
export interface NewAccount {
  readonly username: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly address: string;
  /** Whether it waits for the approval of an administrator. */
  readonly pending?: boolean;
}

/**
 * Creates an account with its own namespace and an unconfirmed address, inside a transaction. It inserts the
 * name before the address, so that a taken name is refused without revealing whether the address is known.
 * @returns the ids of the account and of the address
 */
export async function makeAccount(
  prisma: Prisma.TransactionClient,
  { username, name, passwordHash, address, pending }: NewAccount,
): Promise<{ userId: number; emailId: number }> {
  const { id: userId } = await prisma.user.create({
    data: { username, name, passwordHash, ...(pending && { state: 'BLOCKED', blockedAs: 'BLOCKED_PENDING_APPROVAL' }) },
  });
  const namespace = await prisma.namespace.create({
    data: { kind: 'USER', ownerId: userId, path: username, name, fullPath: username, visibility: 'PUBLIC' },
  });
  await prisma.namespace.update({ where: { id: namespace.id }, data: { ancestry: [namespace.id] } });
  await prisma.route.create({ data: { path: username.toLowerCase(), namespaceId: namespace.id } });
  await prisma.formerPath.deleteMany({ where: { path: username.toLowerCase() } });
  const { id: emailId } = await prisma.email.create({ data: { userId, primaryOf: userId, address } });
  return { userId, emailId };
}
