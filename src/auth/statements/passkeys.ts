import { statement } from '../../database/index.ts';
import { maySignIn, hasSecondFactor } from '../../database/access/people.ts';

export interface PasskeyRow {
  id: number;
  name: string;
  credential_id: Buffer;
  transports: string[];
  backed_up: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

/** $1 user. */
export const listPasskeys = statement<PasskeyRow>(
  'list_passkeys',
  `select id, name, credential_id, transports, backed_up, created_at, last_used_at
     from passkeys where user_id = $1 order by id`,
);

/** A passkey with what is known of its owner. */
export interface FoundPasskey {
  id: number;
  user_id: number;
  public_key: Buffer;
  sign_count: number;
  /** Whether its owner may sign in: the account is active, or deactivated, and its address is confirmed. */
  may_sign_in: boolean;
  /** Time of this look-up, to the microsecond. */
  checked_at: string;
}

/** $1 the id that the device gave it. */
export const findPasskey = statement<FoundPasskey>(
  'find_passkey',
  `select k.id, k.user_id, k.public_key, k.sign_count::float8 as sign_count, now()::text as checked_at,
          ${maySignIn} and u.deleting_since is null
            and exists (select 1 from emails e where e.primary_of = u.id and e.verified_at is not null) as may_sign_in
     from passkeys k join users u on u.id = k.user_id where k.credential_id = $1`,
);

/**
 * Notes a use. $1 id, $2 the counter of the device, $3 whether it is backed up. No row: the counter didn't grow, as it
 * must with every use if the device counts at all (WebAuthn §6.1.1), or the passkey was removed.
 */
export const usePasskey = statement<object>(
  'use_passkey',
  `update passkeys set sign_count = $2, backed_up = $3, last_used_at = now()
    where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0)) returning id`,
);

/**
 * Stores a passkey. $1 user, $2 name, $3 the id that the device gave it, $4 public key, $5 counter, $6 transports,
 * $7 whether it is backed up, $8 how many passkeys a person may have. No row: they have them all, or it is stored.
 */
export const addPasskeyRow = statement<{ id: number }>(
  'add_passkey',
  `insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports, backed_up)
   select $1, $2, $3, $4, $5, $6, $7 where (select count(*) from passkeys where user_id = $1) < $8
   on conflict (credential_id) do nothing returning id`,
);

/**
 * Removes a passkey; after `lockSecondFactors`. With the last second factor, recovery codes and sign-ins that wait go too.
 * $1 user, $2 id.
 */
export const removePasskeyRow = statement<{ name: string; last: boolean }>(
  'remove_passkey',
  `with gone as (
     delete from passkeys where user_id = $1 and id = $2 returning name
   ), last as (
     select 1 from gone
      where not exists (select 1 from passkeys where user_id = $1 and id <> $2)
        and not exists (select 1 from second_factors where user_id = $1 and confirmed_at is not null)
   ), codes as (
     delete from recovery_codes where user_id = $1 and exists (select 1 from last)
   ), waiting as (
     delete from pending_sign_ins where user_id = $1 and exists (select 1 from last)
   )
   select name, exists (select 1 from last) as last from gone`,
);

/** Locks a person, so that changes of their second factors run one after the other. $1 user. */
export const lockSecondFactors = statement<{ protected: boolean }>(
  'lock_second_factors',
  `select ${hasSecondFactor('u.id')} as protected from users u where u.id = $1 for no key update`,
);

/** Notes that a challenge was answered. $1 its digest, $2 for how many seconds. No row: it was answered before. */
export const spendChallenge = statement<object>(
  'spend_challenge',
  `insert into answered_challenges (digest, expires_at) values ($1, now() + make_interval(secs => $2))
   on conflict (digest) do nothing returning digest`,
);
