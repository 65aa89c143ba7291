import { LookUp, statement } from '../../database/index.ts';
import { accessTokenExpired, accessTokenRevoked, parties, remaining } from './live.ts';

/** Whether a personal access token `t` was revoked, and whether it has run out: on its last day it works no more. */
export const personalTokenRevoked = 't.revoked_at is not null';
export const personalTokenExpired = `coalesce(t.expires_at <= (now() at time zone 'utc')::date, false)`;

/** What a token look-up brings of the person, in one shape for every kind of token. */
interface Owner {
  user_id: number;
  username: string;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  state: 'ACTIVE' | 'BLOCKED';
}

export interface PersonalTokenRow extends Owner {
  id: number;
  scopes: string[];
  expired: boolean;
  revoked: boolean;
  /** Of a token in whose place another one stands: those that came of each other. */
  replaced_in: number | null;
  /** Whether its use is to be noted: that is done every 10 minutes at most. */
  unnoted: boolean;
}

/** $1 the digest. */
export const findPersonalToken = new LookUp<PersonalTokenRow>(
  'personal_token',
  'user_id',
  `select t.id, t.scopes, ${personalTokenRevoked} as revoked, ${personalTokenExpired} as expired,
          case when t.rotated_at is not null then t.family_id end as replaced_in,
          coalesce(t.last_used_at < now() - interval '10 minutes', true) as unnoted,
          u.id as user_id, u.username, u.administrator, u.tier, u.state
     from personal_access_tokens t
     join users u on u.id = t.user_id
    where t.digest = $1`,
);

/** $1 the id of a token that is being used, as it was found: others may have noted it meanwhile. */
export const noteUse = statement(
  'note_use',
  `update personal_access_tokens set last_used_at = now()
    where id = $1 and coalesce(last_used_at < now() - interval '10 minutes', true)`,
);

export interface AccessTokenRow extends Partial<Owner> {
  id: number;
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  expired: boolean;
  revoked: boolean;
  application_id: number | null;
  application_uid: string | null;
}

/**
 * $1 the digest. A token of the client credentials grant has no user. A person's
 * state is judged by whoever asks, since a blocked one is told so.
 */
export const findAccessToken = new LookUp<AccessTokenRow>(
  'access_token',
  'user_id',
  `select t.id, ${remaining('t.scopes')} as scopes, t.created_at, t.expires_at,
          ${accessTokenExpired} as expired, ${accessTokenRevoked} as revoked,
          a.id as application_id, a.uid as application_uid,
          u.id as user_id, u.username, u.administrator, u.tier, u.state
     from access_tokens t
     join grants g on g.id = t.grant_id ${parties('g')}
    where t.digest = $1`,
);
