import type { Sql } from '../database/index.ts';
import { isKnownPlace, rememberPlaces } from '../database/statements/attempts.ts';
import { addressKey } from './address.ts';
import type { Bounds } from './bounds.ts';
import { digest } from './crypto.ts';

/** How many failed checks a counter bears; for how long, in seconds. */
const seconds = 600;
const fromOneAddress = { most: 10, seconds } as const;
const account = { most: 50, seconds } as const;
const address = { most: 100, seconds } as const;

/** Days for which an account's sign-in makes a place known to it. */
const knownForDays = 30;

/** From where somebody claims to be somebody. */
export interface Claim {
  readonly address: string;
  /** What this browser has kept from an earlier sign-in, if anything. */
  readonly browser: string | null;
  /** Whether an authenticated confidential application stands behind the request. */
  readonly vouchedFor: boolean;
}

const placesOf = (from: Pick<Claim, 'address' | 'browser'>) =>
  [`address ${addressKey(from.address)}`, ...(from.browser ? [`browser ${from.browser}`] : [])].map(digest);

/**
 * The counters of failed checks that every path shares: passwords and second
 * factors, at the pages and at the token endpoint.
 * @param userId null for a name that nobody has, which is counted alike
 */
export async function failedChecks(sql: Sql, claim: Claim, userId: number | null, login: string): Promise<Bounds> {
  // Asked for an unknown name too: the same work.
  const known = (await sql.rows(isKnownPlace, [userId ?? 0, placesOf(claim), knownForDays])).length > 0;
  // An account is the user, whichever name was typed.
  const who = userId === null ? `name ${digest(login).toString('base64url')}` : `user ${userId}`;
  const where = addressKey(claim.address);
  return {
    [`account ${who} from ${where}`]: fromOneAddress,
    ...(known ? {} : { [`account ${who}`]: account }),
    ...(claim.vouchedFor ? {} : { [`address ${where}`]: address }),
  };
}

/** Notes that an account signed in from there: attacks from elsewhere keep nobody out who comes from there again. */
export async function rememberPlace(sql: Sql, userId: number, from: Pick<Claim, 'address' | 'browser'>): Promise<void> {
  await sql.rows(rememberPlaces, [userId, placesOf(from)]);
}
