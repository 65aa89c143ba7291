import type { Sql } from '../../database/index.ts';
import { keepMailedToken as keep, type MailedTokenKind } from '../statements/mailed-tokens.ts';
import { newToken } from '../credentials/tokens.ts';

/** Seconds for which a link in a message works. */
const mailedTokenLives: Readonly<Record<MailedTokenKind, number>> = { VERIFY_EMAIL: 86_400, RESET_PASSWORD: 3_600 };

/**
 * Creates the token of a link in a message.
 * @param emailId id of an address; if it doesn't exist, the same work is done and nothing is stored
 * @returns the secret, which only the message contains
 */
export async function keepMailedToken(sql: Sql, kind: MailedTokenKind, emailId: number): Promise<string> {
  const { secret, digest } = newToken('mailed');
  await sql.rows(keep, [kind, emailId, digest, mailedTokenLives[kind]]);
  return secret;
}
