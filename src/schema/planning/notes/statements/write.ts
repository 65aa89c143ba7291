import { statement, type Statement } from '../../../../database/index.ts';
import { projectAccessLevel } from '../../../../database/access/places.ts';
import { eventsFrom } from '../../../../events/statements.ts';
import { roles } from '../../../../policy/index.ts';
import { nowTakingPart } from '../../issues/statements/people.ts';
import { peopleNamed, personReads, personSees } from '../../issues/statements/readers.ts';
import { mentionedNobody, settledFrom, todosFrom } from '../../todos/statements/parts.ts';
import { noteColumns, type NoteRecord } from './reading.ts';
import { newDiscussion } from './system.ts';

type OfEachKind<Row> = Record<'Issue' | 'Snippet', Statement<Row>>;

/**
 * CTEs for the people whom the CTE `note` mentions: they see the project, read the issue and, for an internal note, read
 * such. Those of an issue take part in it, and have it to do. @param more SQL for a further participant
 */
const mentioning = (names: string, addressed: string, author: string, more: string) =>
  `mentioned as (
     select u.id, bool_or(named.path = any(${addressed}::text[])) as addressed
       from note t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
         left join issues i on i.id = t.issue_id,
         (${peopleNamed(names, `${author}::int`, '(select project_id from note)')}) named join users u on u.id = named.id
      where u.id <> ${author}::int and ${personSees}
        and (i.id is null or ${personReads({ author: 'i.author_id', assignee: 'i.assignee_id', confidential: 'i.confidential' })})
        and (not t.internal or u.administrator or coalesce(${projectAccessLevel('u.id')}, 0) >= ${roles.reporter})
      group by u.id
   ), taking as (
     insert into participants (issue_id, user_id)
     select t.issue_id, one.id from note t, (select id from mentioned union ${more}) one where t.issue_id is not null
     ${nowTakingPart}
   ), owed as (
     select m.id as user_id, case when m.addressed then 'DIRECTLY_ADDRESSED' else 'MENTIONED' end as action
       from note t, mentioned m where t.issue_id is not null
   ), todo as (
     ${todosFrom('owed', { issue: '(select issue_id from note)', project: '(select project_id from note)', author: `${author}::int`, note: '(select id from note)' })}
   )`;

/** The same for a text that mentions nobody: see `mentionedNobody`. @param participant SQL for a person, who takes part */
const mentioningNobody = (names: string, addressed: string, participant: string) =>
  `mentioned as (${mentionedNobody({ names, addressed })}
   ), taking as (
     insert into participants (issue_id, user_id) select t.issue_id, ${participant} from note t where t.issue_id is not null on conflict do nothing
   ), todo as (select null::int as user_id where false)`;

/** A comment with the people who have a new to-do because of it. */
export interface StoredNote extends NoteRecord {
  readonly told: readonly number[];
}

const storedNote = `${noteColumns}, (select coalesce(array_agg(user_id), '{}') from todo) as told`;

const event = (name: 'note.created' | 'note.updated', actor: string) =>
  eventsFrom(name, 'note', {
    actor,
    project: 'project_id',
    subject: 'id',
    ids: `jsonb_build_object('issueId', issue_id, 'snippetId', snippet_id,
      'mentionedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned),
      'addressedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned where addressed))`,
  });

/** A comment moves the time of the last change, and is counted. */
const noteables = {
  Issue: `update issues set notes_count = notes_count + (not $4::boolean)::int, internal_notes = internal_notes + $4::boolean::int,
       updated_at = now() where id = $1::int returning id as issue_id, null::int as snippet_id, project_id`,
  Snippet: `update snippets set updated_at = now() where id = $1::int returning null::int as issue_id, id as snippet_id, project_id`,
};

const insertOne = (kind: 'Issue' | 'Snippet', name: string, mentions: string) =>
  statement<StoredNote>(
    `insert_${name}_of_${kind.toLowerCase()}`,
    `with noteable as (${noteables[kind]}
     ), threaded as (
       -- A reply makes a thread of a single comment.
       update notes set type = 'DISCUSSION' where discussion_id = decode($5, 'hex') and type is null and not system
     ), note as (
       insert into notes (issue_id, snippet_id, project_id, discussion_id, type, author_id, body, internal, created_at, updated_at)
       select issue_id, snippet_id, project_id, coalesce(decode($5, 'hex'), ${newDiscussion}), $6::"NoteType", $2::int, $3, $4::boolean,
         coalesce($7::timestamptz, now()), coalesce($7::timestamptz, now()) from noteable
       returning *
     ), ${mentions}, ${event('note.created', '$2')}, settled as (
       ${settledFrom('note', { issue: 'note.issue_id', person: '$2::int' })}
     )
     select ${storedNote} from note t`,
  );

const plain = (kind: 'Issue' | 'Snippet') => insertOne(kind, 'plain_note', mentioningNobody('$8', '$9', '$2::int'));
const full = (kind: 'Issue' | 'Snippet') => insertOne(kind, 'note', mentioning('$8', '$9', '$2', 'select $2::int'));

/**
 * Creates a comment, with its participants, to-dos and event, and settles what its author had to do: `plain` if its text
 * mentions nobody. No row: what it is about was removed meanwhile. $1 issue or snippet, $2 author, $3 text, $4 whether it is
 * internal, $5 the thread in hexadecimal, or null, $6 `DISCUSSION` for a part of a thread, $7 when it was created, or null,
 * $8 names of people who are mentioned, $9 of these who are addressed.
 */
export const insertNote: Record<'plain' | 'full', OfEachKind<StoredNote>> = {
  plain: { Issue: plain('Issue'), Snippet: plain('Snippet') },
  full: { Issue: full('Issue'), Snippet: full('Snippet') },
};

/**
 * Changes the text of a comment. $1 note, $2 editor, $3 text, $4 names of people who are newly mentioned, $5 of these who
 * are addressed.
 */
export const updateNote = statement<StoredNote>(
  'update_note',
  `with note as (
     update notes set body = $3, updated_at = now(), edited_at = now(), edited_by_id = $2::int where id = $1::int and not system returning *
   ), of_issue as (
     update issues i set updated_at = now() from note where i.id = note.issue_id
   ), ${mentioning('$4', '$5', '$2', 'select author_id from note')}, ${event('note.updated', '$2')}
   select ${storedNote} from note t`,
);

/** Removes a comment. No row: it was removed, or changed after $2. $1 note, $2 a moment in whole seconds, or null. */
export const deleteNote = statement<{ id: number }>(
  'delete_note',
  `with note as (
     delete from notes where id = $1::int and not system and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz)
     returning id, issue_id, internal
   ), counted as (
     update issues i set notes_count = i.notes_count - (not note.internal)::int, internal_notes = i.internal_notes - note.internal::int
       from note where i.id = note.issue_id
   )
   select id from note`,
);

/** Resolves notes of a thread, or takes that back. $1 notes, $2 the person, or null to take it back. */
export const resolveNotes = statement<{ id: number }>(
  'resolve_notes',
  `update notes set resolved_at = case when $2::int is null then null else now() end, resolved_by_id = $2::int
    where id = any($1::int[]) and type = 'DISCUSSION' and not system and (resolved_at is null) <> ($2::int is null) returning id`,
);

/** Issues by the full paths of their projects, in lower case, and their numbers. $1 paths, $2 numbers. */
export const issuesReferred = statement<{ id: number; project_id: number }>(
  'issues_referred',
  `select distinct i.id, i.project_id from unnest($1::text[], $2::int[]) wanted(path, iid)
     join routes r on r.path = wanted.path join issues i on i.project_id = r.project_id and i.iid = wanted.iid`,
);

/** Notes on issues that another one refers to them, once for each. $1 author, $2 issues, $3 texts, $4 where they are referred to. */
export const insertCrossReferences = statement<object>(
  'insert_cross_references',
  `insert into notes (issue_id, project_id, discussion_id, author_id, body, system, action, referrer_id)
   select i.id, i.project_id, ${newDiscussion}, $1::int, wanted.body, true, 'cross_reference', $4::int
     from unnest($2::int[], $3::text[]) wanted(id, body) join issues i on i.id = wanted.id
    where i.id <> $4::int
      and not exists (select from notes known where known.issue_id = i.id and known.referrer_id = $4::int and known.action = 'cross_reference')`,
);
