import { batchedWrite, statement } from '../../database/index.ts';
import { auditFrom } from '../../auth/statements/audit.ts';
import { provenFor } from './clients.ts';
import {
  allowed,
  anyRemain,
  familyExpiry,
  lockedParties,
  parties,
  remaining,
  seconds,
  stillAuthorized,
} from '../../auth/statements/live.ts';

/**
 * Statements that issue tokens. Each one checks the authorization, issues the tokens and writes the audit row, so
 * that all of it is atomic under concurrent requests and after a crash.
 */

/** The result of every statement that issues tokens. */
export interface IssuedRow {
  scopes: string[];
  created_at: Date;
  user_id: number | null;
  application_id: number | null;
  /** Whether there is a refresh token too. */
  refreshes: boolean;
}

/** SQL for the values of issued tokens. `refresh` may be null, and so may a lifetime (never expires). */
interface Issued {
  readonly access: string;
  readonly refresh: string;
  readonly accessLife: string;
  readonly refreshLife: string;
  readonly address: string;
  readonly requestId: string;
}

/**
 * The last part of each statement. It inserts the tokens and their audit row, for the one row of the CTE `family`
 * (grant_id, application_id, user_id, scopes, authorized_at).
 */
const tokens = ({ access, refresh, accessLife, refreshLife, address, requestId }: Issued) => `
   access as (
     insert into access_tokens (grant_id, digest, scopes, expires_at)
     select grant_id, ${access}::bytea, scopes, now() + ${seconds(accessLife)} from family
     returning id, grant_id, created_at
   ), refresh as (
     insert into refresh_tokens (grant_id, digest, scopes, access_token_id, expires_at)
     select family.grant_id, ${refresh}::bytea, family.scopes, access.id, family.authorized_at + ${seconds(refreshLife)}
       from family join access on access.grant_id = family.grant_id
      where ${refresh}::bytea is not null
   ), audit as (${auditFrom('family', `'token_issued'`, address, requestId)})
   select family.scopes, access.created_at, family.user_id, family.application_id, ${refresh}::bytea is not null as refreshes from family, access`;

/** The same after a code was spent; it also inserts the grant. Here `family` is the spent code. */
export const grantAndTokens = (kind: 'AUTHORIZATION_CODE' | 'DEVICE_CODE', issued: Issued) => `
   grant_row as (
     insert into grants (id, kind, application_id, user_id, authorized_at, expires_at)
     select grant_id, '${kind}', application_id, user_id, authorized_at,
            ${familyExpiry('authorized_at', issued.accessLife, issued.refreshLife)} from family
   ), ${tokens(issued)}`;

/**
 * Issues tokens for grants without a code: password, implicit, client credentials.
 * $1 kind, $2 application, $3 user, $4 scopes, $5 access and $6 refresh digest
 * (or null), $7 and $8 their lifetimes in seconds (null: never expire), $9 address, $10
 * request id, $11 when it was allowed. No row: it was revoked since.
 */
export const issue = batchedWrite<IssuedRow>(
  'issue_tokens',
  `with family as (
     insert into grants (kind, application_id, user_id, authorized_at, expires_at)
     select $1::"GrantKind", allowed.application_id, allowed.user_id, allowed.at,
            ${familyExpiry('now()', '$7', 'case when $6::bytea is null then 0 else $8 end')}
       from ${allowed('$3', '$2', '$11')}
     returning id as grant_id, application_id, user_id, $4::text[] as scopes, authorized_at
   ), ${tokens({ access: '$5', refresh: '$6', accessLife: '$7', refreshLife: '$8', address: '$9', requestId: '$10' })}`,
  () => 'nothing that is locked against others',
);

/** The lock key of a spent code or token: its digest, $1. */
const byDigest = ([digest]: readonly unknown[]) => (digest as Buffer).toString('hex');

const theCode = 'authorization_codes where digest = $1::bytea';

/**
 * Redeems an authorization code. $1 digest, $2 client_id, $3 redirect URI, $4 the
 * challenge of the verifier (null without one), $5 digest of the access token,
 * $6 of the refresh token for a client that may use one, $7 and $8 lifetimes, $9 address, $10
 * request id, $11 digest of the client's secret. No row: refused, nothing spent.
 */
export const redeemCode = batchedWrite<IssuedRow>(
  'redeem_code',
  `with family as (
     update authorization_codes c
        set redeemed_at = now(), grant_id = nextval(pg_get_serial_sequence('grants', 'id'))
       from ${lockedParties(`(select user_id from ${theCode})`, `(select application_id from ${theCode})`)}
      where c.digest = $1::bytea and ${provenFor('authorization_code', '$2', '$11')}
        and c.redirect_uri = $3 and c.challenge is not distinct from $4::text
        and c.redeemed_at is null and c.expires_at > now() and ${stillAuthorized('c.authorized_at')}
        and ${anyRemain('c.scopes')}
     returning c.grant_id, c.application_id, c.user_id, ${remaining('c.scopes')} as scopes, c.authorized_at,
               case when 'refresh_token' = any(a.grant_types) then $6::bytea end as refresh
   ), ${grantAndTokens('AUTHORIZATION_CODE', {
     access: '$5',
     refresh: 'family.refresh',
     accessLife: '$7',
     refreshLife: '$8',
     address: '$9',
     requestId: '$10',
   })}`,
  byDigest,
);

export interface CodeRow {
  application_id: number;
  redirect_uri: string;
  challenge: string | null;
  grant_id: number | null;
  user_id: number;
  /** Seconds since it was spent, or null. */
  spent_for: number | null;
}

/** Finds the code of a refused request, to report the reason. $1 digest. */
export const findCode = statement<CodeRow>(
  'find_code',
  `select application_id, redirect_uri, challenge, grant_id, user_id,
          extract(epoch from now() - redeemed_at)::float8 as spent_for
     from authorization_codes where digest = $1`,
);

/**
 * Stores a code and, if $9, remembers the consent. A remembered consent stays if it includes the new scopes;
 * otherwise the new one replaces it. $1 digest, $2 application, $3 user, $4 redirect URI, $5 scopes, $6
 * challenge, $7 lifetime in seconds, $8 when it was allowed, $9 whether the consent is
 * remembered, $10 address, $11 request id. No row: it was revoked since.
 */
export const storeCode = statement<{ id: number }>(
  'store_code',
  `with stored as (
     insert into authorization_codes (digest, application_id, user_id, redirect_uri, scopes, challenge, authorized_at, expires_at)
     select $1, a.id, u.id, $4, $5::text[], $6, $8::timestamptz, clock_timestamp() + ${seconds('$7')}
       from ${lockedParties('$3::int', '$2::int')}
      where ${stillAuthorized('$8::timestamptz')}
     returning id, application_id, user_id, redirect_uri, scopes
   ), consent as (
     insert into consents as c (user_id, application_id, redirect_uri, scopes)
     select user_id, application_id, redirect_uri, scopes from stored where $9::boolean
     on conflict (user_id, application_id, redirect_uri) do update set
       scopes = case when excluded.scopes <@ c.scopes then c.scopes else excluded.scopes end
   ), audit as (${auditFrom('stored', `'authorization_approved'`, '$10', '$11')})
   select id from stored`,
);

export interface RotatedRow {
  /** The successor pair of an earlier call, sealed; null where this call was the first. */
  sealed: Buffer | null;
  /** The scopes of the pair. Narrowing is permanent: the spent token has only these scopes too. */
  scopes: string[];
  /** Whether this call rotated the token. */
  rotated: boolean;
}

/**
 * Rotates a refresh token, or finds the successor that another call created a moment ago. The second of two
 * concurrent calls waits for the lock on the row and then sees the successor of the first.
 *
 * $1 digest, $2 client_id or null, $3 narrower scopes or null, $4 and $5 digests of the successors, $6 the sealed
 * pair, $7 seconds of the reuse window, $8 lifetime of the access token, $9 address, $10 request id, $11 digest of
 * the client's secret. No row: refused, nothing spent.
 *
 * It locks the family first, as in `lockedParties`. It finds the token by its digest alone: with a condition that
 * it belongs to the family, the plan could search all tokens of the family, of which there may be thousands.
 */
export const rotate = batchedWrite<RotatedRow>(
  'rotate_refresh_token',
  `with old as (
     update refresh_tokens r
        set rotated_at = coalesce(r.rotated_at, clock_timestamp()),
            sealed = case when r.successor is null then $6::bytea else r.sealed end,
            sealed_until = case when r.successor is null then clock_timestamp() + ${seconds('$7')} else r.sealed_until end,
            scopes = case when r.successor is null then coalesce($3::text[], ${remaining('r.scopes')}) else r.scopes end,
            successor = coalesce(r.successor, $5::bytea)
       from (select * from grants where id = (select grant_id from refresh_tokens where digest = $1::bytea) for key share) g
            ${parties('g')}
      where r.digest = $1::bytea
        and case when $2::text is null then g.application_id is null else ${provenFor('refresh_token', '$2', '$11')} end
        and (r.rotated_at is null or r.rotated_at > clock_timestamp() - ${seconds('$7')})
        and r.expires_at > now() and ${anyRemain('r.scopes')} and coalesce($3::text[], '{}') <@ ${remaining('r.scopes')}
        and g.ended_at is null and ${stillAuthorized('g.authorized_at')}
     returning r.grant_id, g.application_id, g.user_id, ${remaining('r.scopes')} as scopes, r.access_token_id,
               r.expires_at, r.sealed, r.successor = $5::bytea as rotated
   ), spent as (
     select * from old where rotated
   ), replaced as (
     update access_tokens t set revoked_at = clock_timestamp() + ${seconds('$7')}
       from spent where t.id = spent.access_token_id
   ), access as (
     insert into access_tokens (grant_id, digest, scopes, expires_at)
     select grant_id, $4::bytea, scopes, now() + ${seconds('$8')} from spent
     returning id, grant_id
   ), refresh as (
     insert into refresh_tokens (grant_id, digest, scopes, access_token_id, expires_at)
     select spent.grant_id, $5::bytea, spent.scopes, access.id, spent.expires_at
       from spent join access on access.grant_id = spent.grant_id
   ), audit as (${auditFrom('spent', `'token_refreshed'`, '$9', '$10')})
   select case when not rotated then sealed end as sealed, scopes, rotated from old`,
  byDigest,
);

export interface RefreshTokenRow {
  grant_id: number;
  application_id: number | null;
  user_id: number | null;
  scopes: string[];
  live: boolean;
  /** Seconds since it was rotated, or null. */
  rotated_for: number | null;
}

/** Finds the refresh token of a refused request, to report the reason. $1 digest. */
export const findRefreshToken = statement<RefreshTokenRow>(
  'find_refresh_token',
  `select r.grant_id, g.application_id, g.user_id, ${remaining('r.scopes')} as scopes,
          extract(epoch from clock_timestamp() - r.rotated_at)::float8 as rotated_for,
          g.ended_at is null and r.expires_at > now() and ${anyRemain('r.scopes')} and ${stillAuthorized('g.authorized_at')} as live
     from refresh_tokens r join grants g on g.id = r.grant_id ${parties('g')}
    where r.digest = $1`,
);

/**
 * Revokes a token family, and erases its sealed successors.
 * $1 the grant, $2 the kind of the audit event, $3 its scopes, $4 address, $5 request id. A row: the
 * family was valid until now.
 */
export const endGrant = statement<{ user_id: number | null; application_id: number | null }>(
  'end_grant',
  `with ended as (
     update grants set ended_at = clock_timestamp() where id = $1 and ended_at is null
     returning id, application_id, user_id, $3::text[] as scopes
   ), erased as (
     update refresh_tokens r set sealed = null, sealed_until = null from ended where r.grant_id = ended.id and r.sealed is not null
   ), audit as (${auditFrom('ended', '$2::text', '$4', '$5', { actor: 'null::int' })})
   select user_id, application_id from ended`,
);
