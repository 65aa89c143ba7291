import { statement } from '../../../database/index.ts';
import { shownState, type PersonState } from '../../../database/access/people.ts';

/** Locks a person until the transaction ends. $1 their id. @returns their state; no row: they are being removed */
export const lockState = statement<{ state: PersonState }>(
  'lock_state',
  `select ${shownState} as state from users u where u.id = $1 and u.deleting_since is null for no key update`,
);

export interface ActivityRow {
  readonly id: number;
  /** The latest time of a sign-in, or of the use of a session or a token, as far as that is noted. */
  readonly last_activity_at: Date | null;
}

/**
 * When people last did something, from what is noted anyway: sign-ins, uses of sessions and personal access tokens, and
 * the issuing of OAuth access tokens. $1 their ids.
 */
export const readActivity = statement<ActivityRow>(
  'read_activity',
  `select u.id, greatest(u.current_sign_in_at,
            (select max(s.last_used_at) from sessions s where s.user_id = u.id),
            (select max(t.last_used_at) from personal_access_tokens t where t.user_id = u.id),
            (select max(a.created_at) from grants g join access_tokens a on a.grant_id = g.id where g.user_id = u.id)) as last_activity_at
     from users u where u.id = any($1::int[])`,
);
