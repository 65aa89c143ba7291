import { statement } from '../../../../database/index.ts';
import { inside, type Inside } from '../../../../database/access/inside.ts';
import { featureLevel, hasProjectRole, liveProject, projectAccessLevel } from '../../../../database/access/places.ts';
import { userReading, type UserRecord } from '../../../../database/access/records.ts';
import { ListQuery, readByIds, type Parent, type Reading } from '../../../../database/list.ts';
import { all, readInternalNote, seePlace, toSql, type Condition, type Viewer } from '../../../../policy/index.ts';
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
  /** The oldest first. */
  readonly notes: readonly NoteInside[];
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
    ${inside(userReading, 't.author_id')} as author, ${inside(userReading, 't.resolved_by_id')} as "resolvedBy"`;

const noteReading: Reading<NoteRecord> = { columns: noteColumns, from: 'notes t', id: 't.id' };

/** Notes by id. $1 ids. */
export const readNotes = readByIds('read_notes', noteReading);

const discussionColumns = `f.id, encode(f.discussion_id, 'hex') as "discussionId", f.created_at as "createdAt",
    (select json_agg(shown order by shown.id) from (select ${noteColumns} from notes t where t.discussion_id = f.discussion_id) shown) as notes`;

const discussionReading: Reading<DiscussionRecord> = { columns: discussionColumns, from: 'notes f', id: 'f.id' };

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
 * reporters, cross references for those who read where they come from.
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
  const me = viewer.person ? `${query.key(viewer.person.id)}::int` : 'null::int';
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
  for (const { table, referrer, reads } of Object.values(referring))
    query.where(`(${note}.${referrer} is null or ${isRead(viewer, me, table, reads, `${note}.${referrer}`)})`);
  if (one !== undefined) query.where(`${note}.id = ${query.key(one)}::int`);
  if (discussion !== undefined) query.where(`${note}.discussion_id = decode(${query.key(discussion)}, 'hex')`);
  if (activity !== 'ALL_NOTES') query.where(`${note}.system = ${activity === 'ONLY_ACTIVITY'}`);
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
  const me = viewer.person ? `${query.key(viewer.person.id)}::int` : 'null::int';
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

/** The threads of something, which the viewer reads. */
export function discussionList(
  viewer: Viewer,
  noted: Noted,
  filter: NoteFilter,
  readsInternal?: boolean,
): ListQuery<DiscussionRecord> {
  const query = new ListQuery<DiscussionRecord>('notes f', 'f.id', discussionReading);
  conditions(query, 'f', viewer, noted, filter, readsInternal);
  return query.where(
    'not exists (select from notes earlier where earlier.discussion_id = f.discussion_id and earlier.id < f.id)',
  );
}

/** The threads of some notes. $1 ids of notes. */
export const readDiscussions = statement<DiscussionRecord & { readonly note_id: number }>(
  'read_discussions_of_notes',
  `select distinct on (asked.id) asked.id as note_id, ${discussionColumns}
     from notes asked join notes f on f.discussion_id = asked.discussion_id
    where asked.id = any($1::int[]) order by asked.id, f.id`,
);
