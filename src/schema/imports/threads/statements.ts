import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

/** What was said about issues and merge requests. */

const items = { issue: 'issues', merge_request: 'merge_requests' } as const;
export type Item = keyof typeof items;

const forItems = <Value>(make: (item: Item, table: string) => Value): Record<Item, Value> => ({
  issue: make('issue', items.issue),
  merge_request: make('merge_request', items.merge_request),
});

/** The project of what is talked about, which stays locked. $1 its id. */
export const lockItem = forItems((item, table) =>
  statement<{ project_id: number }>(
    `lock_imported_${item}`,
    `select project_id from ${table} where id = $1::int for update`,
  ),
);

/**
 * Makes a comment or a note of the system. $1 the id to keep or null, $2 what it is on, $3 project, $4 thread in hexadecimal, $5
 * type, $6 author, $7 text, $8 of the system, $9 internal, $10 resolved at, $11 resolved by, $12 made, $13 changed, $14 place
 * in a diff, $15 what identifies the line.
 */
export const insertNote = forItems((item) =>
  statement<{ id: number }>(
    `import_note_of_${item}`,
    `with made as (
       insert into notes (id, ${item}_id, project_id, discussion_id, type, author_id, body, system, internal, resolved_at, resolved_by_id,
         created_at, updated_at, position, original_position, line_code)
       values (${idOrNext('notes', '$1')}, $2::int, $3::int, decode($4, 'hex'), $5::"NoteType", $6::int, $7, $8::boolean, $9::boolean,
         $10::timestamptz, $11::int, $12::timestamptz, $13::timestamptz, $14::jsonb, $14::jsonb, $15)
       returning id, author_id, project_id, system
     ), taking as (
       insert into participants (${item}_id, user_id) select $2::int, author_id from made where not system
       on conflict (${item}_id, user_id) do update set by_award = false
     ), event as (
       insert into events (kind, actor_id, project_id, subject_kind, subject_id, at, ids, imported)
       select 'note.created', author_id, project_id, 'Note', id, $12::timestamptz,
           jsonb_build_object('issueId', null, 'mergeRequestId', null, 'snippetId', null, 'mentionedIds', '[]'::jsonb,
             'addressedIds', '[]'::jsonb, '${item === 'issue' ? 'issueId' : 'mergeRequestId'}', $2::int), true
         from made where not system
     )
     select id from made`,
  ),
);

/** Changes a comment. $1 id, $2 text, $3 internal, $4 resolved at, $5 resolved by, $6 changed. */
export const changeNote = statement<{ id: number }>(
  'change_imported_note',
  `update notes set body = $2, internal = $3::boolean, resolved_at = $4::timestamptz, resolved_by_id = $5::int, updated_at = $6::timestamptz
    where id = $1::int returning id`,
);

/**
 * Makes a change of labels, milestone or state. $1 the id to keep or null, $2 what was changed, $3 person, $4 kind, $5 action, $6
 * label, $7 milestone, $8 when.
 */
export const insertChange = forItems((item) =>
  statement<{ id: number }>(
    `import_change_of_${item}`,
    `insert into resource_events (id, ${item}_id, user_id, kind, action, label_id, milestone_id, created_at)
     values (${idOrNext('resource_events', '$1')}, $2::int, $3::int, $4::"ResourceEventKind", $5::"ResourceEventAction", $6::int, $7::int,
       $8::timestamptz) returning id`,
  ),
);

/** Removes comments that were removed where they come from. $1 what they are on, $2 origin, $3 keys of those that stay. */
export const removeNotes = forItems((item) =>
  statement<object>(
    `remove_imported_notes_of_${item}`,
    `delete from notes n using imported_records r
      where n.${item}_id = $1::int and r.origin_id = $2::int and r.kind = 'notes' and r.local_id = n.id and r.key <> all($3::text[])`,
  ),
);

/** Stores the emoji of something. $1 its id, $2 people, $3 names, $4 times, $5 the ids to keep or nulls. */
export const storeAwards = forItems((item) =>
  statement<object>(
    `import_awards_of_${item}`,
    `with gone as (
       delete from awards a where a.${item}_id = $1::int and not exists (
         select from unnest($2::int[], $3::text[]) one(user_id, name) where one.user_id = a.user_id and one.name = a.name)
     ), made as (
       insert into awards (id, ${item}_id, user_id, name, created_at, updated_at)
       select ${idOrNext('awards', 'one.id')}, $1::int, one.user_id, one.name, one.at, one.at
         from unnest($2::int[], $3::text[], $4::timestamptz[], $5::int[]) one(user_id, name, at, id)
       on conflict do nothing returning user_id
     )
     insert into participants (${item}_id, user_id, by_award) select distinct $1::int, user_id, true from made on conflict do nothing`,
  ),
);

/** Threads that can be resolved and aren't. */
const unresolved = `, unresolved = (
  select count(distinct n.discussion_id) from notes n
   where n.merge_request_id = i.id and n.type is not null and not n.system and n.resolved_at is null)`;

/** Counts what was imported of something. $1 its id. */
export const countThread = forItems((item, table) =>
  statement<object>(
    `count_imported_thread_of_${item}`,
    `update ${table} i set
       notes_count = (select count(*) from notes n where n.${item}_id = i.id and not n.system and not n.internal),
       internal_notes = (select count(*) from notes n where n.${item}_id = i.id and n.internal),
       upvotes = (select count(*) from awards a where a.${item}_id = i.id and a.name = 'thumbsup'),
       downvotes = (select count(*) from awards a where a.${item}_id = i.id and a.name = 'thumbsdown')
       ${item === 'merge_request' ? unresolved : ''}
      where i.id = $1::int`,
  ),
);
