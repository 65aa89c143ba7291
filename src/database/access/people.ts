/** The states of people's accounts. One column says whether credentials work, another why they don't. */

/** Why an account is blocked, if it isn't a plain block. */
type BlockedAs = 'DEACTIVATED' | 'BANNED' | 'BLOCKED_PENDING_APPROVAL';

/** What the state of an account is shown as. Credentials work only in `ACTIVE`. */
export type PersonState = 'ACTIVE' | 'BLOCKED' | BlockedAs;

/** SQL for the state of the person `u`. */
export const shownState = `case when u.state = 'ACTIVE' then 'ACTIVE' else coalesce(u.blocked_as::text, 'BLOCKED') end`;

/**
 * SQL condition: a second factor is turned on, an authenticator app or a passkey.
 * @param person SQL for the id
 */
export const hasSecondFactor = (person: string) =>
  `(exists (select 1 from second_factors f where f.user_id = ${person} and f.confirmed_at is not null)
    or exists (select 1 from passkeys k where k.user_id = ${person}))`;

/** SQL condition: the person `u` may sign in. Signing in activates a deactivated account. */
export const maySignIn = `(u.state = 'ACTIVE' or u.blocked_as = 'DEACTIVATED')`;
