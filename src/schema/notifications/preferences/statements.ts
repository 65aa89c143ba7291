import { statement } from '../../../database/index.ts';
import { sendingFrom } from '../recipients/statements/recipients.ts';

/** What people choose besides levels and switches. Minutes are after midnight, in the time zone of the person. */
export interface PreferencesRow {
  readonly own_activity: boolean;
  /** Null once it has passed. */
  readonly muted_until: Date | null;
  readonly quiet_from: number | null;
  readonly quiet_until: number | null;
  /** For how many minutes messages about one thing are collected; 0: they aren't. */
  readonly digest_minutes: number;
  /** Null: that of the instance. */
  readonly timezone: string | null;
}

const columns = `coalesce(g.own_activity, false) as own_activity, case when g.muted_until > now() then g.muted_until end as muted_until,
     g.quiet_from, g.quiet_until, coalesce(g.digest_minutes, 0) as digest_minutes`;

/** $1 the person. */
export const readPreferences = statement<PreferencesRow>(
  'read_notification_preferences',
  `select ${columns}, u.timezone from users u left join global_notification_settings g on g.user_id = u.id where u.id = $1::int`,
);

/**
 * Changes preferences of a person, $1. Pairs of whether to set something, and the value: $2 and $3 own activity, $4 and $5
 * until when to mute, $6 whether to set quiet hours, $7 and $8 their begin and end, $9 and $10 the time zone, $11 and $12 for
 * how many minutes to collect messages. What waits for the former quiet hours is due, and waits again if the new ones say so;
 * a digest waits no longer than the new time.
 */
export const writePreferences = statement<PreferencesRow>(
  'write_notification_preferences',
  `with person as (
     update users set timezone = case when $9::boolean then $10::text else timezone end where id = $1::int returning timezone
   ), g as (
     insert into global_notification_settings as s (user_id, own_activity, muted_until, quiet_from, quiet_until, digest_minutes)
     values ($1::int, coalesce($3::boolean, false), $5::timestamptz, $7::smallint, $8::smallint, coalesce($12::smallint, 0))
     on conflict (user_id) do update set
       own_activity = case when $2::boolean then excluded.own_activity else s.own_activity end,
       muted_until = case when $4::boolean then excluded.muted_until else s.muted_until end,
       quiet_from = case when $6::boolean then excluded.quiet_from else s.quiet_from end,
       quiet_until = case when $6::boolean then excluded.quiet_until else s.quiet_until end,
       digest_minutes = case when $11::boolean then excluded.digest_minutes else s.digest_minutes end,
       updated_at = now()
     returning s.*
   ), released as (
     update notifications n set due_at = case n.outcome when 'DIGEST' then least(n.due_at, now() + make_interval(mins => $12::int)) else now() end
      where n.user_id = $1::int and n.state = 'WAITING' and n.due_at > now()
        and ((n.outcome = 'QUIET_HOURS' and ($6::boolean or $9::boolean)) or (n.outcome = 'DIGEST' and $11::boolean))
     returning 1
   ), ${sendingFrom('released')}
   select ${columns}, person.timezone from person, g`,
);

/** Whether PostgreSQL knows a time zone; its name there. $1 the name in any case. */
export const zoneNamed = statement<{ name: string }>(
  'time_zone_named',
  `select name from pg_timezone_names where lower(name) = lower($1::text) limit 1`,
);
