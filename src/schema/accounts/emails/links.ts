import { countAgainst, keepMailedToken } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { messages } from '../../../mail/index.ts';

/** How many messages to confirm it one address gets in a day. */
const ofAddress = { most: 5, seconds: 86_400 } as const;
/** And how many one person has sent in a day, to whichever addresses. */
const ofPerson = { most: 20, seconds: 86_400 } as const;

/** An address that is to be confirmed. */
export interface Unconfirmed {
  readonly id: number;
  readonly address: string;
  readonly userId: number;
  readonly username: string;
}

/**
 * Mails the link by which an address is confirmed.
 * @returns for how many seconds no more messages go there; null when it was sent
 */
export async function mailConfirmation(
  { database, mail, baseUrl }: Context,
  { id, address, userId, username }: Unconfirmed,
): Promise<number | null> {
  const wait = await countAgainst(database, {
    [`confirmation ${address}`]: ofAddress,
    [`confirmation by user ${userId}`]: ofPerson,
  });
  if (wait !== null) return wait;
  const token = await keepMailedToken(database, 'VERIFY_EMAIL', id);
  mail.send(
    address,
    messages.verifyAddress(username, address, `${baseUrl}/users/confirmation?confirmation_token=${token}`),
  );
  return null;
}
