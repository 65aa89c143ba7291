import type { Sql } from '../database/index.ts';
import { closeSession, endEverything, openSession, renewSession, useSession } from './statements/sessions.ts';
import type { Viewer } from '../policy/index.ts';
import { checkPassword, type PasswordCheck } from './check-password.ts';
import { digest, equalDigests, keyedDigest } from './crypto.ts';
import { keepPending } from './pending-sign-in.ts';
import { newToken } from './tokens.ts';

export type SignedIn =
  | { readonly session: string; readonly userId: number }
  /** The second factor is still to come. */
  | { readonly session: null; readonly pending: string; readonly userId: number }
  /** The password is right, and the account's address isn't confirmed yet. */
  | { readonly session: null; readonly unconfirmed: number }
  /** `about`: the person whose password didn't fit, if there is one. */
  | { readonly session: null; readonly pending: null; readonly about: number | null }
  | { readonly retryAfter: number };

/** A password at a page, where a second factor can be asked for next. */
export type TypedPassword = Omit<PasswordCheck, 'application' | 'secondStep'>;

const atPage = (typed: TypedPassword): PasswordCheck => ({ ...typed, application: null, secondStep: true });

/** Checks the password and opens a session, whose id is new in any case; or keeps the sign-in until the second factor came. */
export async function signIn(sql: Sql, typed: TypedPassword, userAgent: string): Promise<SignedIn> {
  const checked = await checkPassword(sql, { ...atPage(typed), unconfirmed: true });
  if ('retryAfter' in checked) return checked;
  if (!checked.account) return { session: null, pending: null, about: checked.about };
  if (!checked.account.confirmed) return { session: null, unconfirmed: checked.account.id };
  const { id: userId, checked_at: checkedAt, second_factor: secondFactor } = checked.account;
  if (secondFactor) return { session: null, pending: await keepPending(sql, userId, checkedAt, typed.browser), userId };
  const { secret, digest: stored } = newToken('session');
  const opened = await sql.rows(openSession, [userId, stored, typed.address, userAgent.slice(0, 255), checkedAt]);
  return opened.length > 0 ? { session: secret, userId } : { session: null, pending: null, about: userId };
}

/** A session of somebody who is there. */
export interface OwnSession {
  readonly id: number;
  readonly userId: number;
}

/** Whether it is the password of a person who is signed in; or for how many seconds that isn't evaluated. */
export async function isOwnPassword(
  sql: Sql,
  typed: TypedPassword,
  userId: number,
): Promise<boolean | { readonly retryAfter: number }> {
  const checked = await checkPassword(sql, atPage(typed));
  return 'retryAfter' in checked ? checked : checked.account?.id === userId;
}

/**
 * Gives the session of a person who was just confirmed a new id, since with the
 * confirmation it may do more than before.
 * @returns its secret; null when it has ended meanwhile
 */
export async function renewed(sql: Sql, { id, userId }: OwnSession): Promise<string | null> {
  const { secret, digest: stored } = newToken('session');
  return (await sql.rows(renewSession, [id, userId, stored])).length > 0 ? secret : null;
}

/** The person behind a session cookie; null when it doesn't count, or no more. */
export async function bySession(sql: Sql, secret: string): Promise<Viewer | null> {
  const [row] = await sql.rows(useSession, [digest(secret)]);
  if (!row) return null;
  return {
    person: {
      id: row.user_id,
      username: row.username,
      administrator: row.administrator,
      premium: row.tier === 'PREMIUM',
    },
    credential: {
      kind: 'session',
      sessionId: row.id,
      recent: row.recent,
      checkedAt: row.checked_at,
    },
  };
}

/** Ends one session, and nothing else. */
export async function signOut(sql: Sql, sessionId: number, userId: number): Promise<void> {
  await sql.rows(closeSession, [sessionId, userId]);
}

/**
 * Ends every session, OAuth token and code of a person.
 * @param spared a session that lives on
 * @param passwordHash of a new password, which is set in the same breath
 */
export async function endAll(
  sql: Sql,
  userId: number,
  spared: number | null,
  passwordHash: string | null = null,
): Promise<void> {
  await sql.rows(endEverything, [userId, spared, passwordHash]);
  // Once more: a request that came in just before may have been let in by the old state and dated a moment later.
  await sql.rows(endEverything, [userId, spared, null]);
}

/**
 * What a form carries to prove that it was shown by one of our pages, to this
 * browser, just as it comes back.
 * @param secret of the session, or of the browser before there is one
 * @param shown which form it is, and what the page said in it
 */
export function formToken(secret: string, shown: string): string {
  return keyedDigest(digest(`form ${secret}`), shown).toString('base64url');
}

/** Whether a form carries the token of just this session and just what was shown. */
export function isFormToken(given: string, secret: string, shown: string): boolean {
  return equalDigests(Buffer.from(given), Buffer.from(formToken(secret, shown)));
}
