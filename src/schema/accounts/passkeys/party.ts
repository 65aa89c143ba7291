import type { Context } from '../../../context.ts';
import { Conflict } from '../../../errors.ts';
import { relyingParty, type RelyingParty } from '../../../values/relying-party.ts';

/** The gateway as browsers know it; null where there are no passkeys. */
export function partyOf({ baseUrl }: Context): RelyingParty | null {
  const party = relyingParty(baseUrl);
  return typeof party === 'string' ? null : party;
}

/** @throws Conflict where there are no passkeys */
export function requireParty(context: Context): RelyingParty {
  const party = partyOf(context);
  if (!party) throw new Conflict('There are no passkeys at this address.');
  return party;
}
