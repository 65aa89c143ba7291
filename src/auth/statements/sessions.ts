import { hasSecondFactor } from '../../database/access/people.ts';
import { stillMember } from '../../database/access/places.ts';
import { statement } from '../../database/index.ts';
import { cameBack, comesBy } from './live.ts';

export interface SessionRow {
  id: number;
  user_id: number;
  username: string;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  external: boolean;
  /** Whether the person confirmed their identity recently, by the database's clock. */
  recent: boolean;
  /** Time of this look-up, to the microsecond. */
  checked_at: string;
  /** Whether a group requires a second factor, the person has none, and the grace period is over. */
  /** Null: that of the instance. */
  timezone: string | null;
  second_factor_due: boolean;
  /** Whether an administrator chose the password. */
  password_expired: boolean;
}

/** A session that was opened. */
export interface OpenedRow {
  id: number;
  /** Whether the sign-in activated a deactivated account. */
  came_back: boolean;
}

/** Days: the maximum lifetime of a session, and the time after which an unused session ends. */
export const longest = 30;
export const idle = 7;
/** Minutes for which a sign-in counts as recent. Sensitive acts need a recent sign-in. */
const recent = 15;

/**
 * Opens a session. $1 user, $2 digest, $3 address, $4 user agent, $5 when the password was looked
 * up. No row: the person was blocked or signed out everywhere since.
 */
export const openSession = statement<OpenedRow>(
  'open_session',
  `with ${comesBy('$1', '$5::timestamptz', '$3')}
   , opened as (
     insert into sessions (user_id, digest, address, user_agent, authenticated_at, valid_at)
     select id, $2, $3, $4, $5::timestamptz, $5::timestamptz from came returning id
   )
   select id, ${cameBack} from opened`,
);

/**
 * The session behind a cookie, if it is still valid: the person is active, has not signed out everywhere since, and
 * has a confirmed address. Its use is noted once a minute at most. $1 digest.
 */
export const useSession = statement<SessionRow>(
  'use_session',
  `with live as (
     select s.id, s.user_id, u.username, u.administrator, u.tier, u.external, u.timezone, s.authenticated_at, s.last_used_at,
            u.second_factor_due_at is not null and u.second_factor_due_at <= now()
              and not ${hasSecondFactor('u.id')} as second_factor_due,
            u.password_expired
       from sessions s join users u on u.id = s.user_id
      where s.digest = $1 and u.state = 'ACTIVE' and s.valid_at > u.valid_from
        and exists (select 1 from emails e where e.primary_of = u.id and e.verified_at is not null)
        and s.created_at > now() - interval '${longest} days' and s.last_used_at > now() - interval '${idle} days'
   ), used as (
     update sessions s set last_used_at = now() from live
      where s.id = live.id and live.last_used_at < now() - interval '1 minute'
   )
   select id, user_id, username, administrator, tier, external, timezone,
          authenticated_at > now() - interval '${recent} minutes' as recent, now()::text as checked_at, second_factor_due,
          password_expired from live`,
);

/** Longest grace period, in hours: larger ones don't fit into a time. */
const longestGrace = 876_000;

/**
 * Notes until when the person $1 has to set up a second factor: a group of theirs requires one, a group above it, or one
 * below it. The grace period begins with the first sign-in; the shortest one counts. No row: none requires it.
 */
export const noteSecondFactorDue = statement<{ due_at: Date }>(
  'note_second_factor_due',
  `with own as (
     select n.id, n.ancestry from group_members m join namespaces n on n.id = m.group_id
      where m.user_id = $1 and ${stillMember}
   ), around as (
     select unnest(o.ancestry) as id from own o
     union select b.id from namespaces b where b.ancestry && array(select o.id from own o)
   ), grace as (
     select min(least(g.two_factor_grace_period, ${longestGrace})) as hours
       from namespaces g
      where g.id in (select id from around) and g.require_two_factor_authentication and g.deleting_since is null
   ), noted as (
     update users u
        set second_factor_due_at = least(u.second_factor_due_at, now() + make_interval(hours => grace.hours))
       from grace where u.id = $1 and grace.hours is not null
     returning u.second_factor_due_at as due_at
   ), over as (
     update users u set second_factor_due_at = null
       from grace where u.id = $1 and grace.hours is null and u.second_factor_due_at is not null
   )
   select due_at from noted`,
);

/**
 * Gives a session a new id after the person confirmed their identity. $1 id, $2 user, $3 the new digest.
 * No row: it has ended since.
 */
export const renewSession = statement<{ id: number }>(
  'renew_session',
  `update sessions s set digest = $3, authenticated_at = clock_timestamp() from users u
    where s.id = $1 and s.user_id = $2 and u.id = s.user_id and u.state = 'ACTIVE' and s.valid_at > u.valid_from
   returning s.id`,
);

/** Ends a session. $1 id, $2 user. */
export const closeSession = statement<{ id: number }>(
  'close_session',
  'delete from sessions where id = $1 and user_id = $2 returning id',
);

/**
 * Ends everything that a person has allowed up to now: sessions, tokens,
 * codes and remembered consents. $1 user, $2 the session that stays open, or null, $3 the hash of a new
 * password, or null, $4 whether the new password has to be changed.
 */
export const endEverything = statement<object>(
  'end_everything',
  `with moved as (
     update users set valid_from = clock_timestamp(), password_hash = coalesce($3, password_hash),
            password_expired = case when $3::text is null then password_expired else $4::boolean end
      where id = $1
     returning valid_from
   ), spared as (
     update sessions s set valid_at = moved.valid_from + interval '1 microsecond' from moved where s.id = $2 and s.user_id = $1
   )
   delete from consents where user_id = $1`,
);
