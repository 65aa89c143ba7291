import { statement } from '../../../database/index.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { systemNotesFrom } from '../notes/statements/system.ts';

/** CTEs that note a change of the CTE `issue`. @param actor, body SQL */
const told = (actor: string, body: string) =>
  `told as (
     select id as issue_id, project_id, ${body}::text as body, 'time_tracking' as action, null::int as referrer_id from issue
   ), noted as (${systemNotesFrom('told', { issue: 'issue_id', project: 'project_id', author: actor })}
   ), ${eventsFrom('issue.updated', 'issue', { actor, project: 'project_id', subject: 'id' })}`;

/** Sets the estimate. No row: it is so already. $1 issue, $2 seconds, $3 actor, $4 the note. */
export const setEstimate = statement<{ id: number }>(
  'set_time_estimate',
  `with issue as (
     update issues set time_estimate = $2::int, updated_at = now(), updated_by_id = $3::int where id = $1 and time_estimate <> $2::int
     returning id, project_id
   ), ${told('$3', '$4')} select id from issue`,
);

/**
 * Adds spent time, or subtracts it. No row: the sum would be less than nothing, or more than can be stored. $1 issue,
 * $2 seconds, $3 actor, $4 the note, $5 summary, $6 when it was spent or null.
 */
export const addSpent = statement<{ id: number }>(
  'add_spent_time',
  `with issue as (
     update issues set time_spent = time_spent + $2::int, updated_at = now(), updated_by_id = $3::int
      where id = $1 and time_spent::bigint + $2::int between 0 and 2147483647 returning id, project_id
   ), logged as (
     insert into timelogs (issue_id, user_id, seconds, summary, spent_at) select id, $3::int, $2::int, $5, coalesce($6::timestamptz, now()) from issue
   ), ${told('$3', '$4')} select id from issue`,
);

/** Removes all spent time. $1 issue, $2 actor, $3 the note. */
export const resetSpent = statement<{ id: number }>(
  'reset_spent_time',
  `with before as (
     select id, time_spent from issues where id = $1 and time_spent <> 0 for update
   ), issue as (
     update issues i set time_spent = 0, updated_at = now(), updated_by_id = $2::int from before where i.id = before.id returning i.id, i.project_id
   ), logged as (
     insert into timelogs (issue_id, user_id, seconds, spent_at) select id, $2::int, -time_spent, now() from before
   ), ${told('$2', '$3')} select id from issue`,
);
