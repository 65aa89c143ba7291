import { statement } from '../../../database/index.ts';
import { featureLevel, hasProjectRole } from '../../../database/access/places.ts';
import { ListQuery, readByIds, type Parent, type Reading } from '../../../database/list.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { readIssue, readMergeRequest, seePlace, toSql, type Columns, type Viewer } from '../../../policy/index.ts';
import { keyOf, people } from '../issues/statements/items.ts';
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
  readonly projectId: number;
  readonly userId: number;
  /** Negative: it was subtracted. */
  readonly seconds: number;
  readonly summary: string | null;
  readonly spentAt: Date;
}

const reading: Reading<TimelogRecord> = {
  columns: `t.id, t.issue_id as "issueId", t.merge_request_id as "mergeRequestId", t.user_id as "userId", t.seconds, t.summary,
    t.spent_at as "spentAt", coalesce((select i.project_id from issues i where i.id = t.issue_id),
      (select mr.project_id from merge_requests mr where mr.id = t.merge_request_id)) as "projectId"`,
  from: 'timelogs t',
  id: 't.id',
};

/** Spent times by id. $1 ids. */
export const readTimelogs = readByIds('read_timelogs', reading);

export const timelogOrders = {
  spent_at: { column: 't.spent_at', type: 'timestamptz' },
  time_spent: { column: 't.seconds', type: 'int' },
  created: { column: 't.created_at', type: 'timestamptz' },
  updated: { column: 't.updated_at', type: 'timestamptz' },
} as const;

/** Filters of the times in a place. Omitted or null filters match everything. */
export interface TimelogFilter {
  readonly username?: string | null | undefined;
  /** From when to when they were spent, both included. */
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
}

/** SQL of the times with what decides who reads them: in two parts, so that each uses the index of its table. */
const withItems = `(
  select t.*, i.project_id, i.author_id, i.assignee_id, i.confidential from timelogs t join issues i on i.id = t.issue_id
  union all
  select t.*, mr.project_id, mr.author_id, mr.assignee_id, false from timelogs t join merge_requests mr on mr.id = t.merge_request_id
) t join projects p on p.id = t.project_id`;

/** The times that were spent on issues and merge requests that the viewer reads, in a project, in and below a group, or everywhere. */
export function timelogsIn(
  viewer: Viewer,
  place: { readonly project: number | Parent } | { readonly group: number | Parent } | 'everywhere',
  { username, from, to }: TimelogFilter,
): ListQuery<TimelogRecord> {
  const query = new ListQuery<TimelogRecord>(withItems, 't.id', reading);
  const me = query.personId(viewer.person?.id);
  const about = { authorId: 't.author_id', assigneeId: 't.assignee_id', viewerId: me };
  const columns: Columns = {
    visibility: 'p.visibility',
    accessLevel: viewer.person ? hasProjectRole(query, me) : () => 'false',
    level: featureLevel,
    issue: { ...about, confidential: 't.confidential' },
    mergeRequest: about,
  };
  if (place !== 'everywhere') {
    const id = keyOf(query, 'project' in place ? place.project : place.group);
    query.where(
      'project' in place
        ? `t.project_id = ${id}`
        : `p.namespace_id = any(array(select id from namespaces where ancestry @> array[${id}]))`,
    );
  }
  return query
    .where('p.deleting_since is null')
    .where('p.namespace_id not in (select id from namespaces where deleting_since is not null)')
    .where(toSql(seePlace, viewer, columns))
    .where(
      `(t.issue_id is null or ${toSql(readIssue, viewer, columns)}) and (t.merge_request_id is null or ${toSql(readMergeRequest, viewer, columns)})`,
    )
    .given(username ? [username.toLowerCase()] : null, (names) => `t.user_id = any(${people(names)})`)
    .given(from, (moment) => `t.spent_at >= ${moment}::timestamptz`)
    .given(to, (moment) => `t.spent_at <= ${moment}::timestamptz`);
}

/** The times that were spent on each of some issues or merge requests. */
export const timelogList = (column: Column, id: Parent): ListQuery<TimelogRecord> =>
  new ListQuery<TimelogRecord>('timelogs t', 't.id', reading).where(`t.${column} = ${id}`);

/** CTEs that note a change of the CTE `item`. @param actor, body SQL */
const noteOfChange = (table: Table, actor: string, body: string) =>
  `system_note as (
     select id, project_id, ${body}::text as body, 'time_tracking' as action, null::int as referrer_id from item
   ), noted as (${systemNotesFrom('system_note', { ...(table === 'issues' ? { issue: 'id' } : { mergeRequest: 'id' }), project: 'project_id', author: actor })}
   ), ${eventsFrom(table === 'issues' ? 'issue.updated' : 'merge_request.updated', 'item', { actor, project: 'project_id', subject: 'id' })}`;

/** Sets the estimate. No row: it is so already. $1 issue or merge request, $2 seconds, $3 actor, $4 the note. */
export const setEstimate = ofBoth(
  'set_time_estimate',
  (table) =>
    `with item as (
     update ${table} set time_estimate = $2::int, updated_at = now(), updated_by_id = $3::int where id = $1 and time_estimate <> $2::int
     returning id, project_id
   ), ${noteOfChange(table, '$3', '$4')} select id from item`,
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
   ), ${noteOfChange(table, '$3', '$4')} select id from logged`,
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
   ), ${noteOfChange(table, '$2', '$3')} select id from gone`,
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
   ), ${noteOfChange(table, '$2', '$3')} select id from item`,
);
