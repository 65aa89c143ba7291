import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

/** SQL of the ids of labels by their titles $n, as they are available in the project $2, ascending. */
const labelIds = (titles: string) => `array(
  select l.id from labels l
   where l.title = any(${titles}::text[]) and (l.project_id = $2::int or l.group_id = any((
     select n.ancestry from projects p join namespaces n on n.id = p.namespace_id where p.id = $2::int)::int[]))
   order by l.id)`;

/**
 * Makes an issue, with its number if that is free, otherwise the next one. $1 the id to keep or null, $2 project, $3 number,
 * $4 title, $5 description, $6 type, $7 state, $8 author, $9 assignee, $10 milestone, $11 titles of labels, $12 due date, $13
 * confidential, $14 locked, $15 closed at, $16 closed by, $17 estimate, $18 spent, $19 tasks, $20 of these completed, $21
 * made, $22 changed.
 */
export const insertIssue = statement<{ id: number; iid: number; labels: number }>(
  'import_issue',
  `with number as (
     insert into project_counters as c (project_id, kind, last) values ($2::int, 'ISSUE', $3::int)
     on conflict (project_id, kind) do update set last = greatest($3::int, c.last + (exists (
       select from issues i where i.project_id = $2::int and i.iid = $3::int))::int)
     returning last
   ), made as (
     insert into issues (id, project_id, iid, title, description, type, state, author_id, assignee_id, milestone_id, label_ids, due_date,
       confidential, discussion_locked, closed_at, closed_by_id, time_estimate, time_spent, tasks, tasks_completed, created_at, updated_at)
     select ${idOrNext('issues', '$1')}, $2::int,
       case when exists (select from issues i where i.project_id = $2::int and i.iid = $3::int) then number.last else $3::int end,
       $4, $5, $6::"IssueType", $7::"IssueState", $8::int, $9::int, $10::int, ${labelIds('$11')}, $12::date,
       $13::boolean, $14::boolean, $15::timestamptz, $16::int, $17::int, $18::int, $19::int, $20::int, $21::timestamptz, $22::timestamptz
       from number returning id, iid, project_id, author_id, assignee_id, closed_at, closed_by_id, label_ids
   ), taking as (
     insert into participants (issue_id, user_id)
     select made.id, one.id from made, lateral (select made.author_id as id union select made.assignee_id) one where one.id is not null
   ), spent as (
     insert into timelogs (issue_id, user_id, seconds, spent_at, created_at)
     select id, author_id, $18::int, $22::timestamptz, $22::timestamptz from made where $18::int > 0
   ), event as (
     insert into events (kind, actor_id, project_id, subject_kind, subject_id, at, ids, imported)
     select 'issue.created', author_id, project_id, 'Issue', id, $21::timestamptz, '{"mentionedIds": []}'::jsonb, true from made
     union all
     select 'issue.closed', closed_by_id, project_id, 'Issue', id, closed_at, '{}'::jsonb, true from made where closed_at is not null
   )
   select id, iid, cardinality(label_ids) as labels from made`,
);

/** Changes an issue; the values are those of `insertIssue`, $1 its id, $3 and $21 unused. */
export const changeIssue = statement<{ id: number; iid: number; labels: number }>(
  'change_imported_issue',
  `with changed as (
     update issues set title = $4, description = $5, type = $6::"IssueType", state = $7::"IssueState", author_id = $8::int,
       assignee_id = $9::int, milestone_id = $10::int, label_ids = ${labelIds('$11')}, due_date = $12::date, confidential = $13::boolean,
       discussion_locked = $14::boolean, closed_at = $15::timestamptz, closed_by_id = $16::int, time_estimate = $17::int,
       time_spent = $18::int, tasks = $19::int, tasks_completed = $20::int, updated_at = $22::timestamptz
      where id = $1::int and project_id = $2::int and $3::int > 0 and $21::timestamptz is not null returning id, iid, author_id, assignee_id, label_ids
   ), taking as (
     insert into participants (issue_id, user_id) select id, assignee_id from changed where assignee_id is not null on conflict do nothing
   ), unlogged as (
     delete from timelogs t using changed where t.issue_id = changed.id and t.note_id is null
   ), spent as (
     insert into timelogs (issue_id, user_id, seconds, spent_at, created_at)
     select id, author_id, $18::int, $22::timestamptz, $22::timestamptz from changed where $18::int > 0
   )
   select id, iid, cardinality(label_ids) as labels from changed`,
);

/** Links two issues. $1 one, $2 the other, $3 when, $4 the id to keep or null. No row: they are linked already, or one is gone. */
export const insertLink = statement<{ id: number }>(
  'import_issue_link',
  `insert into issue_links (id, source_id, target_id, created_at, updated_at)
   select ${idOrNext('issue_links', '$4')}, one.id, other.id, $3::timestamptz, $3::timestamptz from issues one, issues other
    where one.id = $1::int and other.id = $2::int and one.id <> other.id
      and not exists (select from issue_links l where (l.source_id, l.target_id) in (($1::int, $2::int), ($2::int, $1::int)))
   on conflict do nothing returning id`,
);
