import { statement } from '../../../../database/index.ts';
import { inside, type Inside } from '../../../../database/access/inside.ts';
import { featureLevel, hasProjectRole, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';
import { ListQuery, parent, readByIds, type Parent, type Reading } from '../../../../database/list.ts';
import {
  all,
  readCode,
  readInternalNote,
  seePlace,
  toSql,
  type Condition,
  type Viewer,
} from '../../../../policy/index.ts';
import type { NotePosition } from '../../../reviews/diff-notes/statements.ts';
import { kind as kindOf, noteableKinds, referring, type NoteableKind } from './kinds.ts';

/** A comment, or a note of the system. */
export interface NoteRecord {
  readonly id: number;
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly snippetId: number | null;
  readonly projectId: number;
  readonly projectPath: string;
  /** Of its issue or merge request. */
  readonly iid: number | null;
  /** The thread, in hexadecimal. */
  readonly discussionId: string;
  readonly type: 'DISCUSSION' | 'DIFF' | null;
  readonly body: string;
  readonly system: boolean;
  readonly action: string | null;
  readonly internal: boolean;
  readonly resolvedAt: Date | null;
  readonly editedAt: Date | null;
  readonly editedById: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly authorId: number;
  readonly author: Inside<UserRecord>;
  readonly resolvedBy: Inside<UserRecord> | null;
  /** Of a comment in a diff: where it stands, and whether its line was changed since. */
  readonly diffPosition: NotePosition | null;
  readonly originalPosition: NotePosition | null;
  readonly lineCode: string | null;
  readonly outdated: boolean;
  /** Of a note of the system: the issue that it names. Who doesn't read that, doesn't see the note. */
  readonly referrerId: number | null;
  /** The same for a commit: the project that has it, and its name. */
  readonly referrerProjectId: number | null;
  readonly referrerSha: string | null;
}

/** A note inside a discussion, as JSON. */
export type NoteInside = Omit<NoteRecord, 'createdAt' | 'updatedAt' | 'resolvedAt' | 'editedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly resolvedAt: string | null;
  readonly editedAt: string | null;
};

/** A thread. Its `id` is that of its first note. */
export interface DiscussionRecord {
  readonly id: number;
  readonly discussionId: string;
  readonly createdAt: Date;
  /** The oldest first. All of them, or some: see `Ends`. */
  readonly notes: readonly NoteInside[];
  /** What all of its notes say together, where only some were read. */
  readonly state?: ThreadState;
}

/** What the notes of a thread say together. */
export interface ThreadState {
  readonly count: number;
  readonly resolvable: boolean;
  /** When and by whom it was resolved last, if all of it is. */
  readonly resolvedAt: string | null;
  readonly resolvedBy: Inside<UserRecord> | null;
  /** Whether an issue continues it. `count` includes the note that says so; people who don't read that issue don't see it. */
  readonly continued: boolean;
}

/** Which notes of a thread to read: all if there are no more than `whole`, else the first one and the latest, together `most`. */
export interface Ends {
  readonly most: number;
  readonly whole: number;
}

/** SQL of the columns of the note `t`. */
export const noteColumns = `t.id, t.issue_id as "issueId", t.merge_request_id as "mergeRequestId", t.snippet_id as "snippetId", t.project_id as "projectId",
    (select np.full_path from projects np where np.id = t.project_id) as "projectPath",
    case when t.issue_id is not null then (select ni.iid from issues ni where ni.id = t.issue_id)
      when t.merge_request_id is not null then (select nm.iid from merge_requests nm where nm.id = t.merge_request_id) end as iid,
    encode(t.discussion_id, 'hex') as "discussionId", t.type, t.body,
    t.system, t.action, t.internal, t.resolved_at as "resolvedAt", t.edited_at as "editedAt", t.edited_by_id as "editedById",
    t.created_at as "createdAt", t.updated_at as "updatedAt", t.author_id as "authorId",
    t.position as "diffPosition", t.original_position as "originalPosition", t.line_code as "lineCode",
    t.type is not distinct from 'DIFF' and not exists (select from merge_requests nv where nv.id = t.merge_request_id
      and nv.head_sha = t.position ->> 'head_sha' and nv.base_sha = t.position ->> 'base_sha') as outdated, t.referrer_id as "referrerId",
    t.referrer_project_id as "referrerProjectId", t.referrer_sha as "referrerSha",
    ${inside(userReading, 't.author_id')} as author, ${inside(userReading, 't.resolved_by_id')} as "resolvedBy"`;

const noteReading: Reading<NoteRecord> = { columns: noteColumns, from: 'notes t', id: 't.id' };

/** Notes by id. $1 ids. */
export const readNotes = readByIds('read_notes', noteReading);

/** SQL of the columns of a thread, whose first note is `f`. @param among SQL for which of its notes `t` are read */
const discussionColumns = (among: string) =>
  `f.id, encode(f.discussion_id, 'hex') as "discussionId", f.created_at as "createdAt",
    (select json_agg(shown order by shown.id) from (
      select ${noteColumns} from notes t where t.discussion_id = f.discussion_id and ${among}) shown) as notes`;

const wholeThread = discussionColumns('true');

/** SQL for whether a note `s` can be resolved: as `isResolvable` of ../types.ts. */
const resolvable = 's.type is not null and not s.system and s.snippet_id is null';

/** SQL of the columns of a thread with some of its notes. @param most, whole SQL of `Ends` */
const threadEnds = (most: string, whole: string) =>
  `${discussionColumns(`(t.id = f.id or t.id = any(array(
        select latest.id from notes latest where latest.discussion_id = f.discussion_id order by latest.id desc
         limit case when (select count(*) from (
           select from notes counted where counted.discussion_id = f.discussion_id limit ${whole}::bigint + 1) counted) > ${whole}
           then ${most} - 1 else ${whole} end)))`)},
    (select json_build_object('count', said.count, 'resolvable', said.resolvable,
        'resolvedAt', case when said.resolved then said.at end,
        'resolvedBy', case when said.resolved then ${inside(userReading, 'said.by_id')} end,
        'continued', said.continued)
       from (
         select count(*)::int as count, coalesce(bool_or(${resolvable}), false) as resolvable,
                bool_and(s.resolved_at is not null) filter (where ${resolvable}) as resolved,
                max(s.resolved_at) filter (where ${resolvable}) as at,
                (array_agg(s.resolved_by_id order by s.resolved_at desc, s.id) filter (where ${resolvable}))[1] as by_id,
                count(*) > 1 and bool_or(s.referrer_id is not null) as continued
           from notes s where s.discussion_id = f.discussion_id
       ) said) as state`;

const discussionReading = (columns: string): Reading<DiscussionRecord> => ({ columns, from: 'notes f', id: 'f.id' });

/** What notes belong to. */
export interface Noted {
  readonly kind: NoteableKind;
  readonly id: number | Parent;
}

/** Filters of notes. Omitted ones match everything. */
export interface NoteFilter {
  readonly note?: number | undefined;
  /** In hexadecimal. */
  readonly discussion?: string | undefined;
  readonly activity?: 'ALL_NOTES' | 'ONLY_COMMENTS' | 'ONLY_ACTIVITY' | undefined;
}

/**
 * Adds the conditions for the notes of something, and for what the viewer reads of them: internal notes are for
 * planners, cross references for those who read where they come from.
 * @param note SQL of the note
 */
function conditions(
  query: ListQuery<{ readonly id: number }>,
  note: string,
  viewer: Viewer,
  { kind, id }: Noted,
  { note: one, discussion, activity = 'ALL_NOTES' }: NoteFilter,
  readsInternal: boolean | undefined,
): void {
  const me = query.personId(viewer.person?.id);
  query.where(`${note}.${kindOf(kind).column} = ${typeof id === 'number' ? `${query.key(id)}::int` : id}`);
  // The role in one project is known, and a constant.
  const internal =
    readsInternal === undefined
      ? toSql(readInternalNote, viewer, {
          visibility: 'null',
          accessLevel: viewer.person
            ? (atLeast) =>
                `${note}.project_id in (select p.id from projects p where p.id = ${note}.project_id and ${hasProjectRole(query, me)(atLeast)})`
            : () => 'false',
        })
      : String(readsInternal);
  query.where(`(not ${note}.internal or ${internal})`);
  query.where(readsReferrers(note, viewer, me));
  if (one !== undefined) query.where(`${note}.id = ${query.key(one)}::int`);
  if (discussion !== undefined) query.where(`${note}.discussion_id = decode(${query.key(discussion)}, 'hex')`);
  if (activity !== 'ALL_NOTES') query.where(`${note}.system = ${activity === 'ONLY_ACTIVITY'}`);
}

/** SQL for whether the viewer reads the issue, the merge request or the commit that a note of the system names. @param note SQL of the note */
const readsReferrers = (note: string, viewer: Viewer, me: string) =>
  [
    ...Object.values(referring).map(
      ({ table, referrer, reads }) =>
        `(${note}.${referrer} is null or ${isRead(viewer, me, table, reads, `${note}.${referrer}`)})`,
    ),
    `(${note}.referrer_project_id is null or ${readsCodeOf(viewer, me, `${note}.referrer_project_id`)})`,
  ].join(' and ');

/** SQL for whether the viewer reads the code of a project. @param id SQL of its id */
function readsCodeOf(viewer: Viewer, me: string, id: string) {
  const rights = toSql(all(seePlace, readCode), viewer, {
    visibility: 'p.visibility',
    accessLevel: projectAccessLevel(me),
    level: featureLevel,
  });
  return `exists (
      select from projects p join namespaces n on n.id = p.namespace_id where p.id = ${id} and ${liveProject} and ${rights})`;
}

/** SQL for whether the viewer reads an issue, a merge request or a snippet of a project. @param id SQL of its id */
function isRead(
  viewer: Viewer,
  me: string,
  table: 'issues' | 'merge_requests' | 'snippets',
  rule: Condition,
  id: string,
) {
  const about = { authorId: 'i.author_id', assigneeId: 'i.assignee_id', viewerId: me };
  const rights = toSql(all(seePlace, rule), viewer, {
    visibility: 'p.visibility',
    accessLevel: projectAccessLevel(me),
    level: featureLevel,
    ...(table === 'issues' && { issue: { ...about, confidential: 'i.confidential' } }),
    ...(table === 'merge_requests' && { mergeRequest: about }),
    ...(table === 'snippets' && {
      snippet: { authorId: 'i.author_id', visibility: 'i.visibility', viewerId: me },
    }),
  });
  return `exists (
      select from ${table} i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id
       where i.id = ${id} and ${liveProject} and ${rights})`;
}

/** The comments in a project with all words of a search, on what the viewer reads. @param readsInternal internal ones, too */
export function noteSearch(
  viewer: Viewer,
  project: number,
  search: string,
  readsInternal: boolean,
): ListQuery<NoteRecord> {
  const query = new ListQuery<NoteRecord>('notes t', 't.id', noteReading);
  const me = query.personId(viewer.person?.id);
  const seen = noteableKinds.map((name) => {
    const { table, column, reads } = kindOf(name);
    return `t.${column} is not null and ${isRead(viewer, me, table, reads, `t.${column}`)}`;
  });
  return query
    .where(`t.project_id = ${query.key(project)}::int`)
    .where('not t.system')
    .where(readsInternal ? 'true' : 'not t.internal')
    .search(search, ['t.body'])
    .where(`(${seen.join(' or ')})`);
}

/** The notes of something, which the viewer reads. @param readsInternal whether they read internal ones, if that is known */
export function noteList(
  viewer: Viewer,
  noted: Noted,
  filter: NoteFilter,
  readsInternal?: boolean,
): ListQuery<NoteRecord> {
  const query = new ListQuery<NoteRecord>('notes t', 't.id', noteReading);
  conditions(query, 't', viewer, noted, filter, readsInternal);
  return query;
}

/** The threads of something, which the viewer reads. @param ends which of their notes; all, if omitted */
export function discussionList(
  viewer: Viewer,
  noted: Noted,
  filter: NoteFilter,
  readsInternal?: boolean,
  ends?: Ends | null,
): ListQuery<DiscussionRecord> {
  const query = new ListQuery<DiscussionRecord>(
    'notes f',
    'f.id',
    discussionReading(ends ? threadEnds('$1::int', '$2::int') : wholeThread),
  );
  // The statement that counts uses these two values nowhere else, and PostgreSQL must know their types.
  if (ends) query.where(`${query.key(ends.most)}::int is not null and ${query.key(ends.whole)}::int is not null`);
  conditions(query, 'f', viewer, noted, filter, readsInternal);
  // Without a type, it is a comment or a note of the system by itself: only in threads, earlier notes are looked for.
  return query.where(
    '(f.type is null or not exists (select from notes earlier where earlier.discussion_id = f.discussion_id and earlier.id < f.id))',
  );
}

/**
 * The notes of a thread that the viewer reads, but for those that name an issue out of their sight.
 * @param before only those before this note
 */
export function threadNotes(viewer: Viewer, before?: number): ListQuery<NoteRecord> {
  const query = new ListQuery<NoteRecord>('notes t', 't.id', noteReading);
  query
    .where(`t.discussion_id = (select f.discussion_id from notes f where f.id = ${parent})`)
    .where(readsReferrers('t', viewer, query.personId(viewer.person?.id)));
  return before === undefined ? query : query.where(`t.id < ${query.key(before)}::int`);
}

const threadsOfNotes = (columns: string) =>
  `select asked.id as note_id, ${columns}
     from notes asked cross join lateral (
       select * from notes first where first.discussion_id = asked.discussion_id order by first.id limit 1
     ) f where asked.id = any($1::int[])`;

type ThreadOfNote = DiscussionRecord & { readonly note_id: number };

/** The threads of some notes. $1 ids of notes; of `ends`, $2 and $3 are those of `Ends`. */
export const readDiscussions = {
  whole: statement<ThreadOfNote>('read_discussions_of_notes', threadsOfNotes(wholeThread)),
  ends: statement<ThreadOfNote>('read_ends_of_discussions', threadsOfNotes(threadEnds('$2::int', '$3::int'))),
} as const;
