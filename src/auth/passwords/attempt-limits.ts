import type { Sql } from '../../database/index.ts';
import { isKnownPlace, rememberPlaces } from '../statements/attempts.ts';
import { addressKey } from '../../values/address.ts';
import type { Bounds } from './count-attempts.ts';
import { digest } from '../keys/crypto.ts';

/** How many failed checks each counter allows within the seconds. */
const seconds = 600;
const fromOneAddress = { most: 10, seconds } as const;
const fromAnywhere = { most: 50, seconds } as const;
const address = { most: 100, seconds } as const;
const application = { most: 100, seconds } as const;

/** Days for which a place counts as known after a sign-in from there. */
const knownForDays = 30;

/** Where an attempt to authenticate comes from. */
export interface Claim {
  readonly address: string;
  /** The cookie that this browser kept from an earlier sign-in, if any. */
  readonly browser: string | null;
  /** The application that authenticated with the request; null for a public one, which proves nothing. */
  readonly application: ClaimingApplication | null;
}

/** An application through which passwords are tried. */
interface ClaimingApplication {
  readonly id: number;
  /** Whether it belongs to the instance. Any other could have been registered to guess passwords. */
  readonly ofInstance: boolean;
}

const placesOf = (from: Pick<Claim, 'address' | 'browser'>) =>
  [`address ${addressKey(from.address)}`, ...(from.browser ? [`browser ${from.browser}`] : [])].map(digest);

/**
 * The counters of failed checks (brute-force protection). Passwords and second factors share them, on pages
 * and at the token endpoint.
 * @param account the user's id; for an unknown name the name itself, which is counted in the same way
 */
export async function failedChecks(sql: Sql, claim: Claim, account: number | string): Promise<Bounds> {
  const [userId, who] =
    typeof account === 'number' ? [account, `user ${account}`] : [0, `name ${digest(account).toString('base64url')}`];
  // Look this up for an unknown name too, so that it costs the same work.
  const known = (await sql.rows(isKnownPlace, [userId, placesOf(claim), knownForDays])).length > 0;
  const where = addressKey(claim.address);
  return {
    [`account ${who} from ${where}`]: fromOneAddress,
    ...(known ? {} : { [`account ${who}`]: fromAnywhere }),
    ...addressBounds(where, claim.application),
  };
}

/**
 * Counters by address. An application of the instance sends the passwords of many people from one address, so its
 * attempts don't count for the address. Attempts through any other application count for both.
 */
function addressBounds(where: string, through: ClaimingApplication | null): Bounds {
  if (through?.ofInstance) return {};
  return { [`address ${where}`]: address, ...(through && { [`application ${through.id}`]: application }) };
}

/** Notes that an account signed in from a place: attacks from elsewhere don't lock that place out. */
export async function rememberPlace(sql: Sql, userId: number, from: Pick<Claim, 'address' | 'browser'>): Promise<void> {
  await sql.rows(rememberPlaces, [userId, placesOf(from)]);
}
