import { statement } from '../../database/index.ts';
import { hasSecondFactor, shownState, type PersonState } from '../../database/access/people.ts';

/**
 * Counters of failed checks, shared by all processes and all ways to sign in. A counter starts with its first
 * attempt and is reset after its seconds.
 */

export interface AttemptRow {
  key: string;
  count: number;
  /** Seconds until the counter is reset. */
  seconds_left: number;
}

/**
 * Counts an attempt before it is evaluated. $1 the keys, sorted, so that
 * concurrent attempts don't deadlock; $2 the seconds of each counter.
 */
export const countAttempt = statement<AttemptRow>(
  'count_attempt',
  `with bound as (select * from unnest($1::text[], $2::float8[]) with ordinality as b (key, seconds, place))
   , counted as (
     insert into attempt_counters as c (key, started_at, count)
     select key, now(), 1 from bound order by place
     on conflict (key) do update set
       count = case when c.started_at <= now() - make_interval(secs => (select seconds from bound b where b.key = c.key))
                    then 1 else c.count + 1 end,
       started_at = case when c.started_at <= now() - make_interval(secs => (select seconds from bound b where b.key = c.key))
                         then now() else c.started_at end
     returning key, count, started_at
   )
   select key, count, ceil(extract(epoch from started_at + make_interval(secs => seconds) - now()))::int as seconds_left
     from counted join bound using (key)`,
);

/** Uncounts an attempt that succeeded or wasn't evaluated. $1 the keys, sorted. */
export const forgiveAttempt = statement<object>(
  'forgive_attempt',
  `update attempt_counters set count = count - 1
    where key in (select key from attempt_counters where key = any($1::text[]) order by key for update) and count > 0`,
);

/** Whether an account signed in from a place recently. $1 user, $2 digests of the places, $3 days that count. */
export const isKnownPlace = statement<object>(
  'is_known_place',
  `select 1 from known_places where user_id = $1 and place = any($2::bytea[]) and last_at > now() - make_interval(days => $3)
    limit 1`,
);

/** Notes that an account signed in from places. $1 user, $2 digests of the places. */
export const rememberPlaces = statement<object>(
  'remember_places',
  `insert into known_places (user_id, place) select $1, p from unnest($2::bytea[]) p
   on conflict (user_id, place) do update set last_at = now()
    where known_places.last_at < now() - interval '1 day'`,
);

export interface AccountRow {
  id: number;
  username: string;
  password_hash: string | null;
  state: PersonState;
  confirmed: boolean;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  /** Whether a second factor is turned on. */
  second_factor: boolean;
  /** Time of this look-up, to the microsecond. Sessions and tokens that the password allows get this time. */
  checked_at: string;
}

/**
 * Finds an account by its name, by a verified address or by its primary address. `confirmed` is false if the primary
 * address isn't verified. $1 the name or address, in lower case.
 */
export const findAccount = statement<AccountRow>(
  'find_account',
  `select u.id, u.username, u.password_hash, ${shownState} as state, u.administrator, u.tier, now()::text as checked_at,
          exists (select 1 from emails e where e.primary_of = u.id and e.verified_at is not null) as confirmed,
          ${hasSecondFactor('u.id')} as second_factor
     from users u
    where u.id = coalesce(
      (select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = $1),
      (select e.user_id from emails e where e.address = $1 and (e.verified_at is not null or e.primary_of is not null)))`,
);
