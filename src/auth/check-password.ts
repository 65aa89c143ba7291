import type { Sql } from '../database/index.ts';
import {
  countAttempt,
  findAccount,
  forgiveAttempt,
  isKnownPlace,
  rememberPlaces,
  type AccountRow,
} from '../database/statements/attempts.ts';
import { addressKey } from './address.ts';
import { digest, verifyPassword } from './crypto.ts';
import { passwordQueue } from './password-queue.ts';

/** How many failed checks a counter bears, and for how long it counts, in seconds. */
const bounds = { accountFromAddress: 10, account: 50, address: 100, seconds: 600 } as const;

/** Days for which an account's sign-in makes a place known to it. */
const knownForDays = 30;

export interface PasswordCheck {
  /** As typed: a name or an address, whatever its case. */
  readonly login: string;
  readonly password: string;
  readonly address: string;
  /** What this browser has kept from an earlier sign-in, if anything. */
  readonly browser: string | null;
  /** Whether an authenticated confidential application stands behind the request. */
  readonly vouchedFor: boolean;
}

/**
 * The account; null for whatever doesn't fit, with the person whom the attempt was
 * about, if there is one; or how long nothing more is evaluated.
 */
export type PasswordChecked =
  | { readonly account: AccountRow }
  | { readonly account: null; readonly about: number | null }
  | { readonly retryAfter: number };

/**
 * Checks a password, on whichever path it came: they share their counters, which
 * count before anything is evaluated, for known and unknown names alike. An
 * unknown name, a blocked or unconfirmed account cost the same work as a wrong
 * password and look the same.
 * @throws Busy before anything is counted, when too many are being checked
 */
export function checkPassword(sql: Sql, check: PasswordCheck): Promise<PasswordChecked> {
  return passwordQueue.run(() => evaluate(sql, check));
}

async function evaluate(sql: Sql, check: PasswordCheck): Promise<PasswordChecked> {
  const login = check.login.trim().toLowerCase().slice(0, 255);
  const [account] = login === '' ? [] : await sql.rows(findAccount, [login]);
  const places = [`address ${addressKey(check.address)}`, ...(check.browser ? [`browser ${check.browser}`] : [])].map(digest);
  // Asked for an unknown name too: the same work.
  const known = (await sql.rows(isKnownPlace, [account?.id ?? 0, places, knownForDays])).length > 0;

  // An account is the user, whichever name was typed.
  const who = account ? `user ${account.id}` : `name ${digest(login).toString('base64url')}`;
  const where = addressKey(check.address);
  const counters: { [key: string]: number } = {
    [`account ${who} from ${where}`]: bounds.accountFromAddress,
    ...(known ? {} : { [`account ${who}`]: bounds.account }),
    ...(check.vouchedFor ? {} : { [`address ${where}`]: bounds.address }),
  };
  const keys = Object.keys(counters).toSorted();
  const rows = await sql.rows(countAttempt, [keys, bounds.seconds]);
  const full = rows.filter(({ key, count }) => count > counters[key]!);
  if (full.length > 0) {
    // Not evaluated, and so not counted either.
    await sql.rows(forgiveAttempt, [keys]);
    return { retryAfter: Math.max(...full.map(({ seconds_left: left }) => left), 1) };
  }

  const right = await verifyPassword(account?.password_hash ?? null, check.password.slice(0, 1_024));
  if (!right || !account || account.state === 'BLOCKED' || !account.confirmed) {
    return { account: null, about: account?.id ?? null };
  }
  await sql.rows(forgiveAttempt, [keys]);
  await sql.rows(rememberPlaces, [account.id, places]);
  return { account };
}
