import type { Sql } from '../../database/index.ts';
import {
  completePendingSignIn,
  dropPendingSignIn,
  findPendingSignIn,
  keepPendingSignIn,
  type PendingSignInRow,
} from '../statements/second-factors.ts';
import { digest } from '../keys/crypto.ts';
import { rememberPlace } from '../passwords/attempt-limits.ts';
import type { InstanceKeys } from '../keys/instance-keys.ts';
import { checkCode, type CheckedCode, type RefusedCode } from './check-code.ts';
import { newToken } from '../credentials/tokens.ts';

/** Seconds for which a sign-in with a right password waits for the second factor. */
const pendingSeconds = 600;

/** The digest includes the browser cookie, so that the sign-in is bound to the browser. */
const pendingDigest = (secret: string, browser: string | null): Buffer => digest(`${secret} ${browser ?? ''}`);

/** Stores a sign-in whose password was right. @returns its secret, for a cookie */
export async function keepPending(
  sql: Sql,
  userId: number,
  checkedAt: string,
  browser: string | null,
): Promise<string> {
  const { secret } = newToken('pending');
  await sql.rows(keepPendingSignIn, [userId, pendingDigest(secret, browser), checkedAt, pendingSeconds]);
  return secret;
}

/** A code typed on the sign-in page. */
export interface TypedCode {
  readonly pending: string;
  readonly code: string;
  readonly browser: string | null;
  readonly address: string;
}

export type Completed =
  | ({ readonly session: string; readonly userId: number; readonly cameBack: boolean } & CheckedCode)
  | ({ readonly session: null; readonly userId: number } & RefusedCode)
  /** No sign-in is pending any more: the person must start again with the password. */
  | null;

/**
 * Opens the session if the second factor is right. The person must start again with the password after too many
 * wrong codes, and if they were blocked or signed out everywhere since.
 */
export async function completeSignIn(
  sql: Sql,
  keys: InstanceKeys,
  typed: TypedCode,
  userAgent: string,
): Promise<Completed> {
  const { address, browser } = typed;
  const pending = await pendingSignIn(sql, typed.pending, browser);
  if (!pending) return null;
  const checked = await checkCode(sql, keys, pending.user_id, typed.code, {
    address,
    browser,
    attempt: `sign-in ${pending.id}`,
  });
  if (checked.right) {
    const opened = await open(sql, pending, { ...typed, userAgent });
    return opened && { ...opened, ...checked };
  }
  if (checked.over) await sql.rows(dropPendingSignIn, [pending.id]);
  return { session: null, userId: pending.user_id, ...checked };
}

/** The sign-in of this browser that waits for its second factor. */
export async function pendingSignIn(
  sql: Sql,
  secret: string,
  browser: string | null,
): Promise<PendingSignInRow | undefined> {
  return (await sql.rows(findPendingSignIn, [pendingDigest(secret, browser)]))[0];
}

/** Opens the session of a sign-in whose second factor was right. @returns null if it isn't pending any more */
export async function open(
  sql: Sql,
  { id, user_id: userId }: PendingSignInRow,
  from: Pick<TypedCode, 'address' | 'browser'> & { readonly userAgent: string },
): Promise<{ readonly session: string; readonly userId: number; readonly cameBack: boolean } | null> {
  const { secret, digest: stored } = newToken('session');
  const [opened] = await sql.rows(completePendingSignIn, [id, stored, from.address, from.userAgent.slice(0, 255)]);
  if (!opened) return null;
  await rememberPlace(sql, userId, from);
  return { session: secret, userId, cameBack: opened.came_back };
}
