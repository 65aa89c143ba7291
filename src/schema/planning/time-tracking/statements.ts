import { statement } from '../../../database/index.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { systemNotesFrom } from '../notes/statements/system.ts';

type Table = 'issues' | 'merge_requests';

/** A statement for issues, and the same for merge requests. @param make from the table, and the column that refers to it */
const ofBoth = (name: string, make: (table: Table, column: 'issue_id' | 'merge_request_id') => string) => ({
  issue: statement<{ id: number }>(`${name}_of_issue`, make('issues', 'issue_id')),
  mergeRequest: statement<{ id: number }>(`${name}_of_merge_request`, make('merge_requests', 'merge_request_id')),
});

/** CTEs that note a change of the CTE `item`. @param actor, body SQL */
const told = (table: Table, actor: string, body: string) =>
  `told as (
     select id, project_id, ${body}::text as body, 'time_tracking' as action, null::int as referrer_id from item
   ), noted as (${systemNotesFrom('told', { ...(table === 'issues' ? { issue: 'id' } : { mergeRequest: 'id' }), project: 'project_id', author: actor })}
   ), ${eventsFrom(table === 'issues' ? 'issue.updated' : 'merge_request.updated', 'item', { actor, project: 'project_id', subject: 'id' })}`;

/** Sets the estimate. No row: it is so already. $1 issue or merge request, $2 seconds, $3 actor, $4 the note. */
export const setEstimate = ofBoth(
  'set_time_estimate',
  (table) =>
    `with item as (
     update ${table} set time_estimate = $2::int, updated_at = now(), updated_by_id = $3::int where id = $1 and time_estimate <> $2::int
     returning id, project_id
   ), ${told(table, '$3', '$4')} select id from item`,
);

/**
 * Adds spent time, or subtracts it. No row: the sum would be less than nothing, or more than can be stored. $1 issue or merge
 * request, $2 seconds, $3 actor, $4 the note, $5 summary, $6 when it was spent or null.
 */
export const addSpent = ofBoth(
  'add_spent_time',
  (table, column) =>
    `with item as (
     update ${table} set time_spent = time_spent + $2::int, updated_at = now(), updated_by_id = $3::int
      where id = $1 and time_spent::bigint + $2::int between 0 and 2147483647 returning id, project_id
   ), logged as (
     insert into timelogs (${column}, user_id, seconds, summary, spent_at) select id, $3::int, $2::int, $5, coalesce($6::timestamptz, now()) from item
   ), ${told(table, '$3', '$4')} select id from item`,
);

/** Removes all spent time. $1 issue or merge request, $2 actor, $3 the note. */
export const resetSpent = ofBoth(
  'reset_spent_time',
  (table, column) =>
    `with before as (
     select id, time_spent from ${table} where id = $1 and time_spent <> 0 for update
   ), item as (
     update ${table} i set time_spent = 0, updated_at = now(), updated_by_id = $2::int from before where i.id = before.id returning i.id, i.project_id
   ), logged as (
     insert into timelogs (${column}, user_id, seconds, spent_at) select id, $2::int, -time_spent, now() from before
   ), ${told(table, '$2', '$3')} select id from item`,
);
