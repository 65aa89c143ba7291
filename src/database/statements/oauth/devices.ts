import { statement } from '../../index.ts';
import { auditFrom } from './audit.ts';
import type { IssuedRow } from './grants.ts';
import { familyExpiry, seconds, stillAuthorized } from './live.ts';

/** The device authorization grant (RFC 8628). */

/** $1 digest, $2 digest of the user code, $3 application, $4 scopes, $5 life and $6 interval in seconds. */
export const storeDevice = statement<object>(
  'store_device_code',
  `insert into device_codes (digest, user_code_digest, application_id, scopes, expires_at, interval_seconds)
   values ($1, $2, $3, $4::text[], now() + ${seconds('$5')}, $6)`,
);

/**
 * Completes an approved device code: the tokens, once. $1 digest, $2
 * application, $3 and $4 digests of the tokens, $5 and $6 their lives, $7
 * address, $8 request id. No row: not approved, or no longer.
 */
export const completeDevice = statement<IssuedRow>(
  'complete_device_code',
  `with family as (
     update device_codes d
        set redeemed_at = now(), grant_id = nextval(pg_get_serial_sequence('grants', 'id'))
       from users u
       join applications a on a.id = $2::int
       left join authorizations p on p.user_id = u.id and p.application_id = a.id
      where d.digest = $1::bytea and d.application_id = a.id and d.user_id = u.id and d.approved
        and d.redeemed_at is null and d.expires_at > now() and ${stillAuthorized('d.decided_at')}
     returning d.grant_id, d.application_id, d.user_id, d.scopes, d.decided_at as authorized_at
   ), grant_row as (
     insert into grants (id, kind, application_id, user_id, authorized_at, expires_at)
     select grant_id, 'DEVICE_CODE', application_id, user_id, authorized_at,
            ${familyExpiry('authorized_at', '$5', '$6')} from family
   ), access as (
     insert into access_tokens (grant_id, digest, scopes, expires_at)
     select grant_id, $3::bytea, scopes, now() + ${seconds('$5')} from family
     returning id, grant_id, created_at
   ), refresh as (
     insert into refresh_tokens (grant_id, digest, scopes, access_token_id, expires_at)
     select f.grant_id, $4::bytea, f.scopes, access.id, f.authorized_at + ${seconds('$6')}
       from family f join access on access.grant_id = f.grant_id
   ), audit as (${auditFrom('family', `'token_issued'`, '$7', '$8')})
   select family.scopes, access.created_at from family, access`,
);

export interface PolledRow {
  expired: boolean;
  approved: boolean | null;
  redeemed: boolean;
  /** Whether this poll came before the interval was over. */
  hasty: boolean;
}

/** Notes a poll that brought nothing, and slows a hasty client down. $1 digest, $2 application. */
export const pollDevice = statement<PolledRow>(
  'poll_device_code',
  `update device_codes d
      set polled_at = now(),
          interval_seconds = d.interval_seconds + case when before.hasty then 5 else 0 end
     from (select id, coalesce(polled_at > now() - make_interval(secs => interval_seconds), false) as hasty
             from device_codes where digest = $1 and application_id = $2 for update) before
    where d.id = before.id
   returning d.expires_at <= now() as expired, d.approved, d.redeemed_at is not null as redeemed, before.hasty`,
);

export interface DeviceRow {
  id: number;
  application_id: number;
  scopes: string[];
}

/** A code that waits for a decision. $1 digest of the user code. */
export const findDevice = statement<DeviceRow>(
  'find_device_by_user_code',
  `select d.id, d.application_id, d.scopes from device_codes d
    where d.user_code_digest = $1 and d.decided_at is null and d.expires_at > now()`,
);

/** $1 digest of the user code, $2 whether approved, $3 the person, $4 address, $5 request id. No row: too late. */
export const decideDevice = statement<{ id: number }>(
  'decide_device',
  `with decided as (
     update device_codes set approved = $2::boolean, user_id = $3::int, decided_at = clock_timestamp()
      where user_code_digest = $1::bytea and decided_at is null and expires_at > now()
     returning id, application_id, user_id, scopes
   ), audit as (
     ${auditFrom('decided', `case when $2::boolean then 'device_approved' else 'device_denied' end`, '$4', '$5')}
   )
   select id from decided`,
);
