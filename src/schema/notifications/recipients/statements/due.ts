import { statement } from '../../../../database/index.ts';

/** When people are notified of what is due on the next day, by their own clocks. */
const hour = `time '00:50'`;

/**
 * Begins the day in each time zone where it isn't begun yet and where it is late enough: those that people chose, and that
 * of the instance. Returns the day after it. $1 the time zone of the instance.
 */
export const beginDueDays = statement<{ zone: string; due: string }>(
  'begin_due_days',
  `insert into due_days (zone, day)
   select zone, (now() at time zone zone)::date from (
     select distinct coalesce(u.timezone, $1::text) as zone from users u where u.timezone is not null union select $1::text
   ) zones where (now() at time zone zone)::time >= ${hour}
   on conflict do nothing returning zone, (day + 1)::text as due`,
);

/** Open issues that are due on a day, by their ids. $1 the day, $2 the id to go on after, $3 how many at most. */
export const issuesDue = statement<{ id: number; project_id: number; author_id: number }>(
  'issues_due',
  `select i.id, i.project_id, i.author_id from issues i where i.due_date = $1::date and i.state = 'OPENED' and i.id > $2::int
    order by i.id limit $3::int`,
);

/** Forgets days that are long over. */
export const forgetDueDays = statement<object>(
  'forget_due_days',
  `delete from due_days where day < now() - interval '7 days'`,
);
