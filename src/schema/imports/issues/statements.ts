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
export const insertIssue = statement<{ id: number; iid: number }>(
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
       from number returning id, iid, project_id, author_id, assignee_id, closed_at, closed_by_id
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
   select id, iid from made`,
);

/** Changes an issue; the values are those of `insertIssue`, $1 its id, $3 and $21 unused. */
export const changeIssue = statement<{ id: number; iid: number }>(
  'change_imported_issue',
  `with changed as (
     update issues set title = $4, description = $5, type = $6::"IssueType", state = $7::"IssueState", author_id = $8::int,
       assignee_id = $9::int, milestone_id = $10::int, label_ids = ${labelIds('$11')}, due_date = $12::date, confidential = $13::boolean,
       discussion_locked = $14::boolean, closed_at = $15::timestamptz, closed_by_id = $16::int, time_estimate = $17::int,
       time_spent = $18::int, tasks = $19::int, tasks_completed = $20::int, updated_at = $22::timestamptz
      where id = $1::int and project_id = $2::int and $3::int > 0 and $21::timestamptz is not null returning id, iid, author_id, assignee_id
   ), taking as (
     insert into participants (issue_id, user_id) select id, assignee_id from changed where assignee_id is not null on conflict do nothing
   ), unlogged as (
     delete from timelogs t using changed where t.issue_id = changed.id and t.note_id is null
   ), spent as (
     insert into timelogs (issue_id, user_id, seconds, spent_at, created_at)
     select id, author_id, $18::int, $22::timestamptz, $22::timestamptz from changed where $18::int > 0
   )
   select id, iid from changed`,
);

/** How many comments and votes an issue has. */
const counted = `notes_count = (select count(*) from notes n where n.issue_id = i.id and not n.system and not n.internal),
       internal_notes = (select count(*) from notes n where n.issue_id = i.id and n.internal),
       upvotes = (select count(*) from awards a where a.issue_id = i.id and a.name = 'thumbsup'),
       downvotes = (select count(*) from awards a where a.issue_id = i.id and a.name = 'thumbsdown')`;

/** Counts what was imported of an issue. $1 issue. */
export const countThread = statement<{ project_id: number }>(
  'count_imported_thread',
  `update issues i set ${counted} where i.id = $1::int returning project_id`,
);

/** The project of an issue, which stays locked. $1 issue. */
export const lockIssue = statement<{ project_id: number }>(
  'lock_imported_issue',
  'select project_id from issues where id = $1::int for update',
);

/**
 * Makes a comment or a note of the system. $1 the id to keep or null, $2 issue, $3 project, $4 thread in hexadecimal, $5 type,
 * $6 author, $7 text, $8 of the system, $9 internal, $10 resolved at, $11 resolved by, $12 made, $13 changed.
 */
export const insertNote = statement<{ id: number }>(
  'import_note',
  `with made as (
     insert into notes (id, issue_id, project_id, discussion_id, type, author_id, body, system, internal, resolved_at, resolved_by_id,
       created_at, updated_at)
     values (${idOrNext('notes', '$1')}, $2::int, $3::int, decode($4, 'hex'), $5::"NoteType", $6::int, $7, $8::boolean, $9::boolean,
       $10::timestamptz, $11::int, $12::timestamptz, $13::timestamptz)
     returning id, author_id, project_id, system
   ), taking as (
     insert into participants (issue_id, user_id) select $2::int, author_id from made where not system
     on conflict (issue_id, user_id) do update set by_award = false
   ), event as (
     insert into events (kind, actor_id, project_id, subject_kind, subject_id, at, ids, imported)
     select 'note.created', author_id, project_id, 'Note', id, $12::timestamptz,
         jsonb_build_object('issueId', $2::int, 'mergeRequestId', null, 'snippetId', null, 'mentionedIds', '[]'::jsonb, 'addressedIds', '[]'::jsonb), true
       from made where not system
   )
   select id from made`,
);

/** Changes a comment. $1 id, $2 text, $3 internal, $4 resolved at, $5 resolved by, $6 changed. */
export const changeNote = statement<{ id: number }>(
  'change_imported_note',
  `update notes set body = $2, internal = $3::boolean, resolved_at = $4::timestamptz, resolved_by_id = $5::int, updated_at = $6::timestamptz
    where id = $1::int returning id`,
);

/** Stores the emoji of an issue. $1 issue, $2 people, $3 names, $4 times. */
export const storeAwards = statement<object>(
  'import_awards',
  `with gone as (
     delete from awards a where a.issue_id = $1::int and not exists (
       select from unnest($2::int[], $3::text[]) one(user_id, name) where one.user_id = a.user_id and one.name = a.name)
   ), made as (
     insert into awards (issue_id, user_id, name, created_at, updated_at)
     select $1::int, one.user_id, one.name, one.at, one.at from unnest($2::int[], $3::text[], $4::timestamptz[]) one(user_id, name, at)
     on conflict do nothing returning user_id
   )
   insert into participants (issue_id, user_id, by_award) select distinct $1::int, user_id, true from made on conflict do nothing`,
);

/** Links two issues. $1 one, $2 the other, $3 when. No row: they are linked already, or one is gone. */
export const insertLink = statement<{ id: number }>(
  'import_issue_link',
  `insert into issue_links (source_id, target_id, created_at, updated_at)
   select one.id, other.id, $3::timestamptz, $3::timestamptz from issues one, issues other
    where one.id = $1::int and other.id = $2::int and one.id <> other.id
      and not exists (select from issue_links l where (l.source_id, l.target_id) in (($1::int, $2::int), ($2::int, $1::int)))
   on conflict do nothing returning id`,
);
