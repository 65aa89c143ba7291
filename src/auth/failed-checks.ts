import type { Sql } from '../database/index.ts';
import { isKnownPlace, rememberPlaces } from '../database/statements/attempts.ts';
import { addressKey } from './address.ts';
import type { Bounds } from './bounds.ts';
import { digest } from './crypto.ts';

/** How many failed checks a counter bears; for how long, in seconds. */
const seconds = 600;
const fromOneAddress = { most: 10, seconds } as const;
const fromAnywhere = { most: 50, seconds } as const;
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
 * @param account the user, whichever name was typed; or a name that nobody has, which is counted alike
 */
export async function failedChecks(sql: Sql, claim: Claim, account: number | string): Promise<Bounds> {
  const [userId, who] = typeof account === 'number' ? [account, `user ${account}`] : [0, `name ${digest(account).toString('base64url')}`];
  // Asked for an unknown name too: the same work.
  const known = (await sql.rows(isKnownPlace, [userId, placesOf(claim), knownForDays])).length > 0;
  const where = addressKey(claim.address);
  return {
    [`account ${who} from ${where}`]: fromOneAddress,
    ...(known ? {} : { [`account ${who}`]: fromAnywhere }),
    ...(claim.vouchedFor ? {} : { [`address ${where}`]: address }),
  };
}

/** Notes that an account signed in from there: attacks from elsewhere keep nobody out who comes from there again. */
export async function rememberPlace(sql: Sql, userId: number, from: Pick<Claim, 'address' | 'browser'>): Promise<void> {
  await sql.rows(rememberPlaces, [userId, placesOf(from)]);
}
