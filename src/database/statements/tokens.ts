import type { LookUp } from '../index.ts';
import { accessTokenExpired, accessTokenRevoked, parties, remaining } from './oauth/live.ts';

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
}

/**
 * $1 the digest. Its use is noted every 10 minutes at most. Of an array PostgreSQL
 * can't know how long it is, and would plan the statement anew each time.
 */
export const findPersonalToken: LookUp<PersonalTokenRow> = {
  name: 'personal_token',
  common: `found as (
     select t.id, t.scopes, ${personalTokenRevoked} as revoked, ${personalTokenExpired} as expired,
            case when t.rotated_at is not null then t.family_id end as replaced_in, t.last_used_at,
            u.id as user_id, u.username, u.administrator, u.tier, u.state
       from personal_access_tokens t
       join users u on u.id = t.user_id
      where t.digest = $1
   ), used as (
     update personal_access_tokens t set last_used_at = now() from found
      where coalesce(found.last_used_at < now() - interval '10 minutes', true)
        and t.id = found.id and not found.revoked and not found.expired and found.state = 'ACTIVE'
        and t.last_used_at is not distinct from found.last_used_at
   )`,
  columns: ['id', 'scopes', 'revoked', 'expired', 'replaced_in', 'user_id', 'username', 'administrator', 'tier', 'state'],
  viewer: 'user_id',
};

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
export const findAccessToken: LookUp<AccessTokenRow> = {
  name: 'access_token',
  common: `found as (
     select t.id, ${remaining('t.scopes')} as scopes, t.created_at, t.expires_at,
            ${accessTokenExpired} as expired, ${accessTokenRevoked} as revoked,
            a.id as application_id, a.uid as application_uid,
            u.id as user_id, u.username, u.administrator, u.tier, u.state
       from access_tokens t
       join grants g on g.id = t.grant_id ${parties('g')}
      where t.digest = $1
   )`,
  columns: [
    'id', 'scopes', 'created_at', 'expires_at', 'expired', 'revoked', 'application_id', 'application_uid',
    'user_id', 'username', 'administrator', 'tier', 'state',
  ],
  viewer: 'user_id',
};
