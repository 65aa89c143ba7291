import { countAgainst, keepMailedToken } from '../../../auth/index.ts';
import type { Context } from '../../../context.ts';
import { messages } from '../../../mail/index.ts';

/** Rate limit: confirmation messages to one address a day. */
const perAddress = { most: 5, seconds: 86_400 } as const;
/** Rate limit: confirmation messages of one person a day, to all addresses. */
const perPerson = { most: 20, seconds: 86_400 } as const;

/** An address that isn't confirmed yet. */
export interface Unconfirmed {
  readonly id: number;
  readonly address: string;
  readonly userId: number;
  readonly username: string;
}

/**
 * Sends the link that confirms an address.
 * @returns null when it was sent; otherwise the seconds until the rate limit allows another
 */
export async function mailConfirmation(
  { database, mail, baseUrl }: Context,
  { id, address, userId, username }: Unconfirmed,
): Promise<number | null> {
  const wait = await countAgainst(database, {
    [`confirmation ${address}`]: perAddress,
    [`confirmation by user ${userId}`]: perPerson,
  });
  if (wait !== null) return wait;
  const token = await keepMailedToken(database, 'VERIFY_EMAIL', id);
  mail.send(
    address,
    messages.verifyAddress(username, address, `${baseUrl}/users/confirmation?confirmation_token=${token}`),
  );
  return null;
}
