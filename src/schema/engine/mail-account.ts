import type { Context } from '../../context.ts';
import type { Message } from '../../mail/index.ts';

/**
 * Mails a person about their account, to their confirmed primary address.
 * @param write makes the message
 * @param base where the gateway is reached
 */
export async function mailAccount(
  context: Context,
  userId: number,
  write: (username: string, base: string) => Message,
): Promise<void> {
  const { mail, database, baseUrl } = context;
  if (!mail.configured) return;
  const primary = await database.prisma.email.findUnique({
    where: { primaryOf: userId, verifiedAt: { not: null } },
    select: { address: true, user: { select: { username: true } } },
  });
  if (primary) mail.send(primary.address, write(primary.user.username, baseUrl));
}
