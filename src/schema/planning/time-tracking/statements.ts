import { statement } from '../../../database/index.ts';
import { ListQuery, readByIds, type Parent, type Reading } from '../../../database/list.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { systemNotesFrom } from '../notes/statements/system.ts';

type Table = 'issues' | 'merge_requests';

type Column = 'issue_id' | 'merge_request_id';

/** A statement for issues, and the same for merge requests. @param make from the table, and the column that refers to it */
const ofBoth = (name: string, make: (table: Table, column: Column) => string) => ({
  issue: statement<{ id: number }>(`${name}_of_issue`, make('issues', 'issue_id')),
  mergeRequest: statement<{ id: number }>(`${name}_of_merge_request`, make('merge_requests', 'merge_request_id')),
});

/** A time that a person spent on an issue or a merge request. */
export interface TimelogRecord {
  readonly id: number;
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly userId: number;
  /** Negative: it was subtracted. */
  readonly seconds: number;
  readonly summary: string | null;
  readonly spentAt: Date;
}

const reading: Reading<TimelogRecord> = {
  columns: `t.id, t.issue_id as "issueId", t.merge_request_id as "mergeRequestId", t.user_id as "userId", t.seconds, t.summary,
    t.spent_at as "spentAt"`,
  from: 'timelogs t',
  id: 't.id',
};

/** The times that were spent on each of some issues or merge requests. */
export const timelogList = (column: Column, id: Parent): ListQuery<TimelogRecord> =>
  new ListQuery<TimelogRecord>('timelogs t', 't.id', reading).where(`t.${column} = ${id}`);

/** Spent times by id. $1 ids. */
export const readTimelogs = readByIds('read_timelogs', reading);

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
 * Adds spent time, or subtracts it, and returns the id of the entry. No row: the sum would be less than nothing, or more than can be stored. $1 issue or merge
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
     returning id
   ), ${told(table, '$3', '$4')} select id from logged`,
);

/**
 * Removes an entry of spent time. No row: it was removed, or the sum of the others is less than nothing. $1 entry, $2 actor,
 * $3 the note.
 */
export const deleteTimelog = ofBoth(
  'delete_timelog',
  (table, column) =>
    `with entry as (
     select ${column}, seconds from timelogs where id = $1::int for update
   ), item as (
     update ${table} i set time_spent = i.time_spent - entry.seconds, updated_at = now(), updated_by_id = $2::int from entry
      where i.id = entry.${column} and i.time_spent::bigint - entry.seconds between 0 and 2147483647
     returning i.id, i.project_id
   ), gone as (
     delete from timelogs where id = $1::int and exists (select from item) returning id
   ), ${told(table, '$2', '$3')} select id from gone`,
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
