import type { Sql } from '../database/index.ts';
import { isKnownPlace, rememberPlaces } from './statements/attempts.ts';
import { addressKey } from '../values/address.ts';
import type { Bounds } from './attempt-limits.ts';
import { digest } from './crypto.ts';

/** How many failed checks a counter bears; for how long, in seconds. */
const seconds = 600;
const fromOneAddress = { most: 10, seconds } as const;
const fromAnywhere = { most: 50, seconds } as const;
const address = { most: 100, seconds } as const;
const application = { most: 100, seconds } as const;

/** Days for which an account's sign-in makes a place known to it. */
const knownForDays = 30;

/** From where somebody claims to be somebody. */
export interface Claim {
  readonly address: string;
  /** What this browser has kept from an earlier sign-in, if anything. */
  readonly browser: string | null;
  /** The application that proved its secret with the request; null for a public one too, which proves nothing. */
  readonly application: ClaimingApplication | null;
}

/** An application through which passwords are tried. */
interface ClaimingApplication {
  readonly id: number;
  /** Whether it belongs to the instance, and not to a person, who may have registered it to guess with. */
  readonly ofInstance: boolean;
}

const placesOf = (from: Pick<Claim, 'address' | 'browser'>) =>
  [`address ${addressKey(from.address)}`, ...(from.browser ? [`browser ${from.browser}`] : [])].map(digest);

/**
 * The counters of failed checks that every path shares: passwords and second
 * factors, at the pages and at the token endpoint.
 * @param account the user, whichever name was typed; or a name that nobody has, which is counted alike
 */
export async function failedChecks(sql: Sql, claim: Claim, account: number | string): Promise<Bounds> {
  const [userId, who] =
    typeof account === 'number' ? [account, `user ${account}`] : [0, `name ${digest(account).toString('base64url')}`];
  // Asked for an unknown name too: the same work.
  const known = (await sql.rows(isKnownPlace, [userId, placesOf(claim), knownForDays])).length > 0;
  const where = addressKey(claim.address);
  return {
    [`account ${who} from ${where}`]: fromOneAddress,
    ...(known ? {} : { [`account ${who}`]: fromAnywhere }),
    ...addressBounds(where, claim.application),
  };
}

/**
 * An application of the instance sends the passwords of many people from one address, so none counts against the
 * address. Any other counts there like everyone's, and against the application, which may ask from many addresses.
 */
function addressBounds(where: string, through: ClaimingApplication | null): Bounds {
  if (through?.ofInstance) return {};
  return { [`address ${where}`]: address, ...(through && { [`application ${through.id}`]: application }) };
}

/** Notes that an account signed in from there: attacks from elsewhere keep nobody out who comes from there again. */
export async function rememberPlace(sql: Sql, userId: number, from: Pick<Claim, 'address' | 'browser'>): Promise<void> {
  await sql.rows(rememberPlaces, [userId, placesOf(from)]);
}
