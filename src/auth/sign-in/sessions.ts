import type { Sql } from '../../database/index.ts';
import {
  closeSession,
  endEverything,
  noteSecondFactorDue,
  openSession,
  renewSession,
  useSession,
} from '../statements/sessions.ts';
import type { Viewer } from '../../policy/index.ts';
import { checkPassword, type PasswordCheck } from '../passwords/check-password.ts';
import { digest, equalDigests, keyedDigest } from '../keys/crypto.ts';
import { keepPending } from './pending-sign-in.ts';
import { newToken } from '../credentials/tokens.ts';

export type SignedIn =
  /**
   * `secondFactorDue`: until when a second factor must be set up, if a group requires it; `cameBack`: the account was
   * deactivated until now.
   */
  | {
      readonly session: string;
      readonly userId: number;
      readonly secondFactorDue: Date | null;
      readonly cameBack: boolean;
    }
  /** The second factor comes next. */
  | { readonly session: null; readonly pending: string; readonly userId: number }
  /** The password is right, and the account's address isn't confirmed yet. */
  | { readonly session: null; readonly unconfirmed: number }
  /** Refused. `about`: the id of the account that was tried, if it exists. */
  | { readonly session: null; readonly pending: null; readonly about: number | null }
  | { readonly retryAfter: number };

/** A password typed on a page, which can ask for a second factor next. */
export type TypedPassword = Omit<PasswordCheck, 'application' | 'secondStep'>;

const atPage = (typed: TypedPassword): PasswordCheck => ({ ...typed, application: null, secondStep: true });

/**
 * Checks the password and opens a session with a new id (against session fixation). If the account has a second
 * factor, stores a pending sign-in instead.
 */
export async function signIn(sql: Sql, typed: TypedPassword, userAgent: string): Promise<SignedIn> {
  const checked = await checkPassword(sql, { ...atPage(typed), unconfirmed: true });
  if ('retryAfter' in checked) return checked;
  if (!checked.account) return { session: null, pending: null, about: checked.about };
  if (!checked.account.confirmed) return { session: null, unconfirmed: checked.account.id };
  const { id: userId, checked_at: checkedAt, second_factor: secondFactor } = checked.account;
  if (secondFactor) return { session: null, pending: await keepPending(sql, userId, checkedAt, typed.browser), userId };
  const { secret, digest: stored } = newToken('session');
  const [opened] = await sql.rows(openSession, [userId, stored, typed.address, userAgent.slice(0, 255), checkedAt]);
  if (!opened) return { session: null, pending: null, about: userId };
  const [noted] = await sql.rows(noteSecondFactorDue, [userId]);
  return { session: secret, userId, secondFactorDue: noted?.due_at ?? null, cameBack: opened.came_back };
}

/** The session of a request. */
export interface OwnSession {
  readonly id: number;
  readonly userId: number;
}

/** Whether the signed-in person has this password; or the seconds until another attempt is evaluated. */
export async function isOwnPassword(
  sql: Sql,
  typed: TypedPassword,
  userId: number,
): Promise<boolean | { readonly retryAfter: number }> {
  const checked = await checkPassword(sql, atPage(typed));
  return 'retryAfter' in checked ? checked : checked.account?.id === userId;
}

/**
 * Gives a session a new id after the person confirmed their identity, against session fixation: the session may
 * do more now.
 * @returns its new secret; null if the session has ended meanwhile
 */
export async function renewed(sql: Sql, { id, userId }: OwnSession): Promise<string | null> {
  const { secret, digest: stored } = newToken('session');
  return (await sql.rows(renewSession, [id, userId, stored])).length > 0 ? secret : null;
}

/** The viewer behind a session cookie; null if the session is unknown or has ended. */
export async function bySession(sql: Sql, secret: string): Promise<Viewer | null> {
  const [row] = await sql.rows(useSession, [digest(secret)]);
  if (!row) return null;
  return {
    person: {
      id: row.user_id,
      username: row.username,
      administrator: row.administrator,
      premium: row.tier === 'PREMIUM',
      external: row.external,
    },
    credential: {
      kind: 'session',
      sessionId: row.id,
      recent: row.recent,
      checkedAt: row.checked_at,
      ...(row.timezone !== null && { timeZone: row.timezone }),
      ...(row.second_factor_due && { secondFactorDue: true }),
      ...(row.password_expired && { passwordExpired: true }),
    },
  };
}

/** Ends one session, and nothing else. */
export async function signOut(sql: Sql, sessionId: number, userId: number): Promise<void> {
  await sql.rows(closeSession, [sessionId, userId]);
}

/**
 * Ends every session, OAuth token and code of a person.
 * @param spared a session that stays open
 * @param passwordHash of a new password, set in the same statement
 * @param expired whether its owner has to change it, at the next sign-in
 */
export async function endAll(
  sql: Sql,
  userId: number,
  spared: number | null,
  passwordHash: string | null = null,
  expired = false,
): Promise<void> {
  await sql.rows(endEverything, [userId, spared, passwordHash, expired]);
  // Run it twice: a request admitted just before the first run may have stored something with a later time.
  await sql.rows(endEverything, [userId, spared, null, false]);
}

/**
 * The CSRF token of a form. It proves that one of our pages showed this form, with the same content, to this
 * browser.
 * @param secret of the session, or of the browser before sign-in
 * @param shown identifies the form and what it showed
 */
export function formToken(secret: string, shown: string): string {
  return keyedDigest(digest(`form ${secret}`), shown).toString('base64url');
}

/** Whether a CSRF token is valid for the session and for what the form showed. */
export function isFormToken(given: string, secret: string, shown: string): boolean {
  return equalDigests(Buffer.from(given), Buffer.from(formToken(secret, shown)));
}
