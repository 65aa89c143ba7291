import { statement } from '../../database/index.ts';
import { auditFrom, auditKindIf } from '../../auth/statements/audit.ts';
import { grantAndTokens, type IssuedRow } from './grants.ts';
import { anyRemain, lockedParties, remaining, seconds, stillAuthorized } from '../../auth/statements/live.ts';

/** The device authorization grant (RFC 8628). */

/**
 * Stores a device code. $1 digest, $2 digest of the user code, $3 application, $4 scopes, $5 life and $6
 * interval in seconds. No row: the user code is taken.
 */
export const storeDevice = statement<{ id: number }>(
  'store_device_code',
  `insert into device_codes (digest, user_code_digest, application_id, scopes, expires_at, interval_seconds)
   values ($1, $2, $3, $4::text[], now() + ${seconds('$5')}, $6)
   on conflict (user_code_digest) do nothing returning id`,
);

/**
 * Exchanges an approved device code for tokens, once. $1 digest, $2
 * application, $3 access and $4 refresh digest (or null), $5 and $6 their lifetimes,
 * $7 address, $8 request id. No row: not approved, expired, or revoked since.
 */
export const completeDevice = statement<IssuedRow>(
  'complete_device_code',
  `with family as (
     update device_codes d
        set redeemed_at = now(), grant_id = nextval(pg_get_serial_sequence('grants', 'id'))
       from ${lockedParties('(select user_id from device_codes where digest = $1::bytea)', '$2::int')}
      where d.digest = $1::bytea and d.application_id = a.id and d.user_id = u.id and d.approved
        and d.redeemed_at is null and d.expires_at > now() and ${stillAuthorized('d.decided_at')}
        and d.created_at > a.valid_from and ${anyRemain('d.scopes')}
     returning d.grant_id, d.application_id, d.user_id, ${remaining('d.scopes')} as scopes, d.decided_at as authorized_at
   ), ${grantAndTokens('DEVICE_CODE', {
     access: '$3',
     refresh: '$4',
     accessLife: '$5',
     refreshLife: '$6',
     address: '$7',
     requestId: '$8',
   })}`,
);

export interface PolledRow {
  expired: boolean;
  approved: boolean | null;
  redeemed: boolean;
  /** Whether the client polled before the end of the interval. */
  hasty: boolean;
}

/** Notes a poll without result, and makes the interval longer if it came too early. $1 digest, $2 application. */
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
  `select d.id, d.application_id, ${remaining('d.scopes')} as scopes from device_codes d join applications a on a.id = d.application_id
    where d.user_code_digest = $1 and d.decided_at is null and d.expires_at > now()`,
);

/**
 * Approves or denies a device. $1 digest of the user code, $2 whether approved, $3 the person, $4 address, $5
 * request id, $6 when the session was checked. No row: expired or decided before, or the session was revoked since.
 */
export const decideDevice = statement<{ id: number }>(
  'decide_device',
  `with decided as (
     update device_codes d set approved = $2::boolean, user_id = u.id, decided_at = $6::timestamptz
       from users u
      where d.user_code_digest = $1::bytea and d.decided_at is null and d.expires_at > now()
        and u.id = $3::int and u.state = 'ACTIVE' and $6::timestamptz > u.valid_from
     returning d.id, d.application_id, d.user_id, d.scopes
   ), audit as (
     ${auditFrom('decided', auditKindIf('$2::boolean', 'device_approved', 'device_denied'), '$4', '$5')}
   )
   select id from decided`,
);
