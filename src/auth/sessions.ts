import type { Sql } from '../database/index.ts';
import { closeSession, endEverything, openSession, useSession } from '../database/statements/sessions.ts';
import type { Viewer } from '../policy/index.ts';
import { checkPassword, type PasswordCheck } from './check-password.ts';
import { digest, keyedDigest } from './crypto.ts';
import { newToken } from './tokens.ts';

/** Seconds for which a sign-in counts as recent: long enough to do something that grants power. */
const recentSeconds = 15 * 60;

export type SignedIn =
  | { readonly session: string; readonly userId: number }
  | { readonly session: null }
  | { readonly retryAfter: number };

/** Checks the password and opens a session, whose id is new in any case. */
export async function signIn(sql: Sql, check: PasswordCheck, userAgent: string): Promise<SignedIn> {
  const checked = await checkPassword(sql, check);
  if ('retryAfter' in checked) return checked;
  if (!checked.account) return { session: null };
  const { secret, digest: stored } = newToken('session');
  await sql.rows(openSession, [checked.account.id, stored, check.address, userAgent.slice(0, 255)]);
  return { session: secret, userId: checked.account.id };
}

/** The person behind a session cookie; null when it doesn't count, or no more. */
export async function bySession(sql: Sql, secret: string): Promise<Viewer | null> {
  const [row] = await sql.rows(useSession, [digest(secret)]);
  if (!row) return null;
  return {
    person: { id: row.user_id, username: row.username, administrator: row.administrator, premium: row.tier === 'PREMIUM' },
    credential: {
      kind: 'session',
      sessionId: row.id,
      recent: Date.now() - row.authenticated_at.getTime() < recentSeconds * 1000,
    },
  };
}

/** Ends one session, and nothing else. */
export async function signOut(sql: Sql, sessionId: number, userId: number): Promise<void> {
  await sql.rows(closeSession, [sessionId, userId]);
}

/** Ends every session, OAuth token and code of a person. @param spared a session that lives on */
export async function endAll(sql: Sql, userId: number, spared: number | null): Promise<void> {
  await sql.rows(endEverything, [userId, spared]);
}

/** What a form of a session carries to prove that it came from one of our pages. */
export function formToken(secret: string): string {
  return keyedDigest(digest(`form ${secret}`), 'form token').toString('base64url');
}
