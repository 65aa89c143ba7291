import { LookUp, statement } from '../../database/index.ts';
import { shownState, type PersonState } from '../../database/access/people.ts';
import { pageTokenMinutes } from '../../values/page-tokens.ts';
import { accessTokenExpired, accessTokenRevoked, parties, remaining } from './live.ts';

/**
 * SQL conditions of a personal access token `t`. On the day `expires_at` it no longer works. That of a page lasts an
 * hour, and ends with its session.
 */
export const personalTokenRevoked = `(t.revoked_at is not null or t.session_id is not null and not exists (
          select 1 from sessions s join users o on o.id = s.user_id where s.id = t.session_id and s.valid_at > o.valid_from))`;
export const personalTokenExpired = `(coalesce(t.expires_at <= (now() at time zone 'utc')::date, false)
            or t.session_id is not null and t.created_at < now() - interval '${pageTokenMinutes} minutes')`;

/** The person of a token, in one shape for every kind of token. */
interface Owner {
  user_id: number;
  username: string;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  external: boolean;
  state: PersonState;
}

export interface PersonalTokenRow extends Owner {
  id: number;
  scopes: string[];
  expired: boolean;
  revoked: boolean;
  /** The rotation family of a token that was replaced; null for others. */
  replaced_in: number | null;
  /** Whether a page holds it. */
  of_page: boolean;
  /** Whether to note its use, which happens every 10 minutes at most. */
  unnoted: boolean;
}

/** $1 the digest. */
export const findPersonalToken = new LookUp<PersonalTokenRow>(
  'personal_token',
  'user_id',
  `select t.id, t.scopes, ${personalTokenRevoked} as revoked, ${personalTokenExpired} as expired,
          case when t.rotated_at is not null then t.family_id end as replaced_in, t.session_id is not null as of_page,
          coalesce(t.last_used_at < now() - interval '10 minutes', true) as unnoted,
          u.id as user_id, u.username, u.administrator, u.tier, u.external, ${shownState} as state
     from personal_access_tokens t
     join users u on u.id = t.user_id
    where t.digest = $1`,
);

/** Notes the use of a token, unless another request has noted it meanwhile. $1 id, $2 address. */
export const noteUse = statement(
  'note_use',
  `update personal_access_tokens set last_used_at = now(), last_used_ip = $2
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
 * $1 the digest. A token of the client credentials grant has no user. The caller checks the state of the person,
 * since a blocked person gets another error.
 */
export const findAccessToken = new LookUp<AccessTokenRow>(
  'access_token',
  'user_id',
  `select t.id, ${remaining('t.scopes')} as scopes, t.created_at, t.expires_at,
          ${accessTokenExpired} as expired, ${accessTokenRevoked} as revoked,
          a.id as application_id, a.uid as application_uid,
          u.id as user_id, u.username, u.administrator, u.tier, u.external, ${shownState} as state
     from access_tokens t
     join grants g on g.id = t.grant_id ${parties('g')}
    where t.digest = $1`,
);
