import type { Sql } from '../../database/index.ts';
import { findAccount, type AccountRow } from '../statements/attempts.ts';
import { addressKey } from '../../values/address.ts';
import { bounded } from './count-attempts.ts';
import { verifyPassword } from '../keys/crypto.ts';
import { failedChecks, rememberPlace, type Claim } from './attempt-limits.ts';
import { passwordQueue } from './password-queue.ts';

export interface PasswordCheck extends Claim {
  /** A name or an address as typed, case-insensitive. */
  readonly login: string;
  readonly password: string;
  /**
   * Whether the caller can ask for the second factor next. If it can't (R7, the password grant), the right
   * password of an account with a second factor gets the answer of a wrong one.
   */
  readonly secondStep: boolean;
  /** Whether to accept an account whose address isn't confirmed yet. */
  readonly unconfirmed?: boolean;
  /** Whether to accept an account that waits for approval. The caller must not sign it in. */
  readonly pending?: boolean;
}

/**
 * The result of a check. The account; or null if the check failed, with the id of the account that was tried as
 * `about`, if it exists; or the seconds until another attempt is evaluated.
 */
export type PasswordChecked =
  | { readonly account: AccountRow }
  | { readonly account: null; readonly about: number | null }
  | { readonly retryAfter: number };

/**
 * Checks a password; every way to sign in calls this. An unknown name and a blocked or unconfirmed account
 * cost the same work as a wrong password and get the same answer.
 * @throws Busy if the queue of checks is full; then the attempt isn't counted
 */
export function checkPassword(sql: Sql, check: PasswordCheck): Promise<PasswordChecked> {
  // Fair turns by address and client, not by name: a sender can invent any number of names.
  const flow = { address: addressKey(check.address), client: String(check.application?.id ?? '') };
  return passwordQueue.run(flow, () => evaluate(sql, check));
}

/** Whether the state of the account allows this. Deactivated people come back by signing in at a page. */
const maySignIn = ({ state }: AccountRow, { secondStep, pending }: PasswordCheck): boolean =>
  state === 'ACTIVE' ||
  (state === 'DEACTIVATED' && secondStep) ||
  (state === 'BLOCKED_PENDING_APPROVAL' && pending === true);

async function evaluate(sql: Sql, check: PasswordCheck): Promise<PasswordChecked> {
  const login = check.login.trim().toLowerCase().slice(0, 255);
  const [account] = await sql.rows(findAccount, [login]);
  const counters = await failedChecks(sql, check, account?.id ?? login);
  const tried = await bounded(sql, counters, async () => {
    const right = await verifyPassword(account?.password_hash ?? null, check.password.slice(0, 1_024));
    if (!right || !account || !maySignIn(account, check) || (!account.confirmed && !check.unconfirmed)) return null;
    return account.second_factor && !check.secondStep ? null : account;
  });
  if ('retryAfter' in tried) return tried;
  if (!tried.found) return { account: null, about: account?.id ?? null };
  // With a second factor the password alone is no sign-in yet.
  if (!tried.found.second_factor) await rememberPlace(sql, tried.found.id, check);
  return { account: tried.found };
}
