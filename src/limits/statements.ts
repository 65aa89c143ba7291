import { statement } from '../database/index.ts';

export interface RequestsRow {
  key: string;
  count: number;
  /** Until the counter starts again; never 0. */
  milliseconds_left: number;
}

/**
 * Adds the counts of a process to the shared ones. $1 the keys, sorted so that processes don't deadlock; $2 the count
 * of each; $3 the length of its time window in seconds.
 */
export const addRequests = statement<RequestsRow>(
  'add_requests',
  `insert into request_counters as c (key, count, ends_at)
   select key, points, now() + make_interval(secs => seconds)
     from unnest($1::text[], $2::int[], $3::float8[]) with ordinality as s (key, points, seconds, ordinal) order by ordinal
   on conflict (key) do update set
     count = case when c.ends_at <= now() then excluded.count else least(c.count::bigint + excluded.count, 2147483647)::int end,
     ends_at = case when c.ends_at <= now() then excluded.ends_at else c.ends_at end
   returning key, count, greatest(ceil(extract(epoch from ends_at - now()) * 1000), 1)::int as milliseconds_left`,
);
