import type { PersonState } from '../../database/access/people.ts';
import { Forbidden } from '../../errors.ts';
import type { Person } from '../../policy/index.ts';

/** Why a credential is refused, by the state of its person's account. */
const refusals: Readonly<Record<Exclude<PersonState, 'ACTIVE'>, string>> = {
  BLOCKED: 'Your account has been blocked.',
  BANNED: 'Your account has been blocked.',
  DEACTIVATED:
    'Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account.',
  BLOCKED_PENDING_APPROVAL: 'Your account is pending approval from your administrator and hence blocked.',
};

/** A person with the state of their account. */
export interface PersonRow {
  user_id: number;
  username: string;
  administrator: boolean;
  tier: string;
  external: boolean;
  state: PersonState;
}

/** The person of a row. @throws Forbidden unless the account is active */
export function livePerson(row: PersonRow): Person {
  if (row.state !== 'ACTIVE') throw new Forbidden(refusals[row.state]);
  return {
    id: row.user_id,
    username: row.username,
    administrator: row.administrator,
    premium: row.tier === 'PREMIUM',
    external: row.external,
  };
}
