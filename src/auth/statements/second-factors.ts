import { statement } from '../../database/index.ts';
import type { OpenedRow } from './sessions.ts';
import { hasSecondFactor, maySignIn } from '../../database/access/people.ts';
import { cameBack, comesBy } from './live.ts';

/** Second factors, their recovery codes, and sign-ins that wait for one. */

export interface SecondFactorRow {
  sealed_seed: Buffer;
  /** Null during set-up. */
  confirmed_at: Date | null;
  created_at: Date;
}

/** What is turned on. $1 user. */
export const ownSecondFactor = statement<{ enabled_at: Date | null; app: boolean; recovery_codes_left: number }>(
  'own_second_factor',
  `select least(f.confirmed_at, (select min(created_at) from passkeys k where k.user_id = u.id)) as enabled_at,
          f.confirmed_at is not null as app,
          (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as recovery_codes_left
     from users u left join second_factors f on f.user_id = u.id where u.id = $1`,
);

/** $1 user. */
export const findSecondFactor = statement<SecondFactorRow>(
  'find_second_factor',
  'select sealed_seed, confirmed_at, created_at from second_factors where user_id = $1',
);

/** Stores a new seed until a code confirms it. $1 user, $2 sealed seed. No row: one is turned on already. */
export const keepSeed = statement<object>(
  'keep_seed',
  `insert into second_factors as f (user_id, sealed_seed) values ($1, $2)
   on conflict (user_id) do update set sealed_seed = excluded.sealed_seed, created_at = now()
    where f.confirmed_at is null
   returning user_id`,
);

/**
 * Spends the code of a time step, once (replay protection). No row: a code of this step or a later one was spent
 * before, or the seed was replaced or turned off. $1 user, $2 sealed seed, $3 step.
 */
export const takeStep = statement<object>(
  'take_step',
  `update second_factors set last_step = $3
    where user_id = $1 and sealed_seed = $2 and confirmed_at is not null and last_step < $3 returning user_id`,
);

/** Turns a second factor on by its first code. $1 user, $2 sealed seed, $3 the code's step. */
export const confirmSeed = statement<object>(
  'confirm_seed',
  `update second_factors set confirmed_at = now(), last_step = $3
    where user_id = $1 and sealed_seed = $2 and confirmed_at is null returning user_id`,
);

/** Replaces the recovery codes; after `lockSecondFactors`. $1 user, $2 digests. */
export const replaceRecoveryCodes = statement<object>(
  'replace_recovery_codes',
  `with gone as (delete from recovery_codes where user_id = $1)
   insert into recovery_codes (user_id, digest) select $1, d from unnest($2::bytea[]) d`,
);

/** Spends a recovery code. $1 user, $2 the digests under which it may be stored. @returns how many are left */
export const spendRecoveryCode = statement<{ left: number }>(
  'spend_recovery_code',
  `with spent as (
     update recovery_codes r set used_at = now()
      where user_id = $1 and digest = any($2::bytea[]) and used_at is null
        and ${hasSecondFactor('r.user_id')}
     returning id
   )
   select (select count(*)::int from recovery_codes where user_id = $1 and used_at is null) - 1 as left from spent`,
);

/** Removes the app, all passkeys and the recovery codes. $1 user. No row: there was none. */
export const removeSecondFactor = statement<object>(
  'remove_second_factor',
  `with codes as (delete from recovery_codes where user_id = $1),
        waiting as (delete from pending_sign_ins where user_id = $1),
        keys as (delete from passkeys where user_id = $1 returning user_id),
        app as (delete from second_factors where user_id = $1 and confirmed_at is not null returning user_id)
   select user_id from app union select user_id from keys`,
);

/** Stores a sign-in whose password was right. $1 user, $2 digest, $3 when the password was looked up, $4 its life in seconds. */
export const keepPendingSignIn = statement<object>(
  'keep_pending_sign_in',
  `insert into pending_sign_ins (user_id, digest, password_checked_at, expires_at)
   values ($1, $2, $3::timestamptz, now() + make_interval(secs => $4))`,
);

export interface PendingSignInRow {
  id: number;
  user_id: number;
  username: string;
  seconds_left: number;
}

/** SQL condition: the person is active, has a confirmed address, and hasn't signed out everywhere since. */
const stillPending = `p.expires_at > now() and ${maySignIn} and p.password_checked_at > u.valid_from
    and exists (select 1 from emails e where e.primary_of = u.id and e.verified_at is not null)`;

/** $1 digest. */
export const findPendingSignIn = statement<PendingSignInRow>(
  'find_pending_sign_in',
  `select p.id, p.user_id, u.username, ceil(extract(epoch from p.expires_at - now()))::int as seconds_left
     from pending_sign_ins p join users u on u.id = p.user_id where p.digest = $1 and ${stillPending}`,
);

/** $1 id. */
export const dropPendingSignIn = statement<object>(
  'drop_pending_sign_in',
  'delete from pending_sign_ins where id = $1',
);

/**
 * Opens the session of a sign-in whose second factor was right, once. $1 id of the pending sign-in, $2 digest,
 * $3 address, $4 user agent. The session gets the time of the password look-up, like any other session.
 */
export const completePendingSignIn = statement<OpenedRow>(
  'complete_pending_sign_in',
  `with done as (
     delete from pending_sign_ins p using users u where p.id = $1 and u.id = p.user_id and ${stillPending}
     returning p.user_id, p.password_checked_at
   ), ${comesBy('(select user_id from done)', '(select password_checked_at from done)', '$3')}
   , opened as (
     insert into sessions (user_id, digest, address, user_agent, authenticated_at, valid_at)
     select came.id, $2, $3, $4, clock_timestamp(), done.password_checked_at from came, done returning id
   )
   select id, ${cameBack} from opened`,
);

/** The next batch of seeds, ordered by person. $1 the last person of the previous batch, $2 how many. */
export const nextSeeds = statement<{ user_id: number; sealed_seed: Buffer }>(
  'next_seeds',
  'select user_id, sealed_seed from second_factors where user_id > $1 order by user_id limit $2',
);

/** Reseals a seed, unless it has changed. $1 user, $2 old seal, $3 new seal. */
export const resealSeed = statement<object>(
  'reseal_seed',
  'update second_factors set sealed_seed = $3 where user_id = $1 and sealed_seed = $2 returning user_id',
);
