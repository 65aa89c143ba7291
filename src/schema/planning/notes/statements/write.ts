import { statement, type Statement } from '../../../../database/index.ts';
import { projectAccessLevel } from '../../../../database/access/places.ts';
import { eventsFrom } from '../../../../events/statements.ts';
import { roles } from '../../../../policy/index.ts';
import type { JobName } from '../../../../values/kinds/job-kinds.ts';
import { takingPartIn } from '../../issues/statements/people.ts';
import { peopleNamed, personReads, personReadsMergeRequests, personSees } from '../../issues/statements/readers.ts';
import { mentionedNobody, settledFrom, todosFrom } from '../../todos/statements/parts.ts';
import type { Item } from './item.ts';
import { kind, ofEachKind, referring, type NoteableKind, type OfEachKind, type ReferringKind } from './kinds.ts';
import { noteColumns, type NoteRecord } from './reading.ts';
import { newDiscussion } from './system.ts';

/** SQL for whether the person `u`, who sees the project, reads what the note `t` is on; always true for snippets. */
const reads = {
  Issue: personReads({ author: 'i.author_id', assignee: 'i.assignee_id', confidential: 'i.confidential' }),
  MergeRequest: personReadsMergeRequests(),
  Snippet: 'true',
} as const satisfies OfEachKind<string>;

/**
 * CTEs for the people whom the CTE `note` mentions: they see the project, read what it is on and, for an internal note, read
 * such. They take part in it, and have an issue or a merge request to do. @param more SQL for a further participant
 */
function mentioning(on: NoteableKind, names: string, addressed: string, author: string, more: string): string {
  const { table, column } = kind(on);
  const mentioned = `mentioned as (
     select u.id, bool_or(named.path = any(${addressed}::text[])) as addressed
       from note t join projects p on p.id = t.project_id join namespaces n on n.id = p.namespace_id
         join ${table} i on i.id = t.${column},
         (${peopleNamed(names, `${author}::int`, '(select project_id from note)')}) named join users u on u.id = named.id
      where u.id <> ${author}::int and ${personSees} and ${reads[on]}
        and (not t.internal or u.administrator or coalesce(${projectAccessLevel('u.id')}, 0) >= ${roles.planner})
      group by u.id
   )`;
  if (column === 'snippet_id')
    return `${mentioned}, taking as (
     insert into snippet_participants (snippet_id, user_id) select t.snippet_id, m.id from note t, mentioned m on conflict do nothing
   ), ${nobodyOwed}`;
  const item = { project: '(select project_id from note)', author: `${author}::int`, note: '(select id from note)' };
  return `${mentioned}, taking as (
     insert into participants (${column}, user_id)
     select t.${column}, one.id from note t, (select id from mentioned union ${more}) one
     ${takingPartIn(column)}
   ), owed as (
     select m.id as user_id, case when m.addressed then 'DIRECTLY_ADDRESSED' else 'MENTIONED' end as action from mentioned m
   ), todo as (
     ${todosFrom('owed', { ...itemOf(on, '(select ', ' from note)'), ...item })}
   )`;
}

/** The issue or the merge request of a note. @param before, after SQL around its column */
const itemOf = (on: NoteableKind, before: string, after = ''): Item =>
  on === 'MergeRequest'
    ? { mergeRequest: `${before}merge_request_id${after}` }
    : { issue: `${before}issue_id${after}` };

const nobodyOwed = 'todo as (select null::int as user_id where false)';

/** The same for a text that mentions no one: see `mentionedNobody`. @param participant SQL for a person, who takes part */
function mentioningNobody(on: NoteableKind, names: string, addressed: string, participant: string): string {
  const { column, hasPeople } = kind(on);
  const taking = `, taking as (
     insert into participants (${column}, user_id) select t.${column}, ${participant} from note t on conflict do nothing
   )`;
  return `mentioned as (${mentionedNobody({ names, addressed })})${hasPeople ? taking : ''}, ${nobodyOwed}`;
}

/** A comment with the people who have a new to-do because of it, and those whom it mentions. */
export interface StoredNote extends NoteRecord {
  readonly told: readonly number[];
  readonly mentioned: readonly number[];
}

const storedNote = `${noteColumns}, (select coalesce(array_agg(user_id), '{}') from todo) as told,
  (select coalesce(array_agg(id), '{}') from mentioned) as mentioned`;

const event = (name: 'note.created' | 'note.updated', actor: string, readers?: readonly JobName[]) => {
  const columns = {
    actor,
    project: 'project_id',
    subject: 'id',
    ids: `jsonb_build_object('issueId', issue_id, 'mergeRequestId', merge_request_id, 'snippetId', snippet_id,
      'mentionedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned),
      'addressedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned where addressed))`,
  };
  return eventsFrom(name, 'note', columns, readers);
};

/** A comment moves the time of the last change of what it is on, and is counted there. */
function noteable(on: NoteableKind): string {
  const { table, hasPeople } = kind(on);
  const counts = `notes_count = notes_count + (not $4::boolean)::int, internal_notes = internal_notes + $4::boolean::int,`;
  return `update ${table} set ${hasPeople ? counts : ''} updated_at = now() where id = $1::int returning id, project_id`;
}

/** @param mentions CTEs @param readers of its event, if not those of its kind */
const insertOne = (on: NoteableKind, name: string, mentions: string, readers?: readonly JobName[]) =>
  statement<StoredNote>(
    `insert_${name}_of_${kind(on).table}`,
    `with noteable as (${noteable(on)}
     ), threaded as (
       -- A reply makes a thread of a single comment.
       update notes set type = 'DISCUSSION' where discussion_id = decode($5, 'hex') and type is null and not system
     ), note as (
       insert into notes (${kind(on).column}, project_id, discussion_id, type, author_id, body, internal, created_at, updated_at)
       select id, project_id, coalesce(decode($5, 'hex'), ${newDiscussion}), $6::"NoteType", $2::int, $3, $4::boolean,
         coalesce($7::timestamptz, now()), coalesce($7::timestamptz, now()) from noteable
       returning *
     ), ${mentions}, ${event('note.created', '$2', readers)}${settled(on)}
     select ${storedNote} from note t`,
  );

/** A CTE that settles what the author had to do. */
const settled = (on: NoteableKind) =>
  kind(on).hasPeople ? `, settled as (${settledFrom('note', { ...itemOf(on, 'note.'), person: '$2::int' })})` : '';

/**
 * Creates a comment, with its participants, to-dos and event, and settles what its author had to do: `plain` if its text
 * mentions no one. No row: what it is about was removed meanwhile. $1 what it is on, $2 author, $3 text, $4 whether it is
 * internal, $5 the thread in hexadecimal, or null, $6 `DISCUSSION` for a part of a thread, $7 when it was created, or null,
 * $8 names of people who are mentioned, $9 of these who are addressed.
 */
export const insertNote: Record<'plain' | 'full', OfEachKind<Statement<StoredNote>>> = {
  plain: ofEachKind((on) => insertOne(on, 'plain_note', mentioningNobody(on, '$8', '$9', '$2::int'))),
  full: ofEachKind((on) => insertOne(on, 'note', mentioning(on, '$8', '$9', '$2', 'select $2::int'))),
};

/** The same for a comment of a review: people are notified of the review as a whole. */
export const insertReviewNote: Record<'plain' | 'full', Statement<StoredNote>> = {
  plain: insertOne('MergeRequest', 'plain_review_note', mentioningNobody('MergeRequest', '$8', '$9', '$2::int'), []),
  full: insertOne('MergeRequest', 'review_note', mentioning('MergeRequest', '$8', '$9', '$2', 'select $2::int'), []),
};

/**
 * Changes the text of a comment. $1 note, $2 editor, $3 text, $4 names of people who are newly mentioned, $5 of these who
 * are addressed.
 */
export const updateNote = ofEachKind((on) => {
  const { table, column, hasPeople } = kind(on);
  const touched = `, touched as (update ${table} i set updated_at = now() from note where i.id = note.${column})`;
  return statement<StoredNote>(
    `update_note_of_${table}`,
    `with note as (
     update notes set body = $3, updated_at = now(), edited_at = now(), edited_by_id = $2::int where id = $1::int and not system returning *
   )${hasPeople ? touched : ''}, ${mentioning(on, '$4', '$5', '$2', 'select author_id from note')}, ${event('note.updated', '$2')}
   select ${storedNote} from note t`,
  );
});

/** Removes a comment. No row: it was removed, or changed after $2. $1 note, $2 a moment in whole seconds, or null. */
export const deleteNote = ofEachKind((on) => {
  const { table, column, hasPeople } = kind(on);
  const counted = `, counted as (
     update ${table} i set notes_count = i.notes_count - (not note.internal)::int, internal_notes = i.internal_notes - note.internal::int
       from note where i.id = note.${column}
   )`;
  return statement<{ id: number }>(
    `delete_note_of_${table}`,
    `with note as (
     delete from notes where id = $1::int and not system and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz)
     returning id, ${column}, internal
   )${hasPeople ? counted : ''}
   select id from note`,
  );
});

/** Resolves notes of a thread, or takes that back. $1 notes, $2 the person, or null to take it back. */
export const resolveNotes = statement<{ id: number }>(
  'resolve_notes',
  `update notes set resolved_at = case when $2::int is null then null else now() end, resolved_by_id = $2::int
    where id = any($1::int[]) and type is not null and not system and (resolved_at is null) <> ($2::int is null) returning id`,
);

/**
 * Issues or merge requests by the full paths of their projects, in lower case, and their numbers. $1 paths, $2 numbers.
 */
const referredIn = (table: string) =>
  statement<{ id: number; project_id: number }>(
    `${table}_referred`,
    `select distinct i.id, i.project_id from unnest($1::text[], $2::int[]) wanted(path, iid)
       join routes r on r.path = wanted.path join ${table} i on i.project_id = r.project_id and i.iid = wanted.iid`,
  );

export const referred: Readonly<Record<ReferringKind, ReturnType<typeof referredIn>>> = {
  Issue: referredIn('issues'),
  MergeRequest: referredIn('merge_requests'),
};

const crossReferences = (on: ReferringKind, from: ReferringKind) => {
  const { table, column } = referring[on];
  const { referrer } = referring[from];
  return statement<object>(
    `refer_to_${table}_from_${referring[from].table}`,
    `insert into notes (${column}, project_id, discussion_id, author_id, body, system, action, ${referrer})
     select i.id, i.project_id, ${newDiscussion}, $1::int, wanted.body, true, 'cross_reference', $4::int
       from unnest($2::int[], $3::text[]) wanted(id, body) join ${table} i on i.id = wanted.id
      where not exists (select from notes known where known.${column} = i.id and known.${referrer} = $4::int and known.action = 'cross_reference')`,
  );
};

/** The same for a commit. One that a fork's source has as well is noted once. */
const fromCommit = (on: ReferringKind) => {
  const { table, column } = referring[on];
  return statement<{ id: number }>(
    `refer_to_${table}_from_commit`,
    `insert into notes (${column}, project_id, discussion_id, author_id, body, system, action, referrer_project_id, referrer_sha)
     select i.id, i.project_id, ${newDiscussion}, $1::int, wanted.body, true, 'cross_reference', $4::int, $5
       from unnest($2::int[], $3::text[]) wanted(id, body) join ${table} i on i.id = wanted.id
      where not exists (select from notes known where known.${column} = i.id and known.referrer_sha = $5
        and (known.referrer_project_id = $4::int
          or known.referrer_project_id = (select own.forked_from_id from projects own where own.id = $4::int)))
     on conflict do nothing returning ${column} as id`,
  );
};

/**
 * Notes that a commit refers to what they are on, once for each. $1 author, $2 what they are on, $3 texts, $4 project of
 * the commit, $5 the commit.
 */
export const insertCommitReferences = { Issue: fromCommit('Issue'), MergeRequest: fromCommit('MergeRequest') };

const fromEach = (on: ReferringKind) => ({
  Issue: crossReferences(on, 'Issue'),
  MergeRequest: crossReferences(on, 'MergeRequest'),
});

/**
 * Notes that something else refers to what they are on, once for each: by what they are on, and by where the reference comes
 * from. $1 author, $2 what they are on, $3 texts, $4 where it comes from.
 */
export const insertCrossReferences = { Issue: fromEach('Issue'), MergeRequest: fromEach('MergeRequest') };
