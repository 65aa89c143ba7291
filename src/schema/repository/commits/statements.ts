import { statement } from '../../../database/index.ts';
import type { Inside } from '../../../database/access/inside.ts';
import { userReading, type UserRecord } from '../../../database/access/records.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { peopleNamed } from '../../planning/issues/statements/readers.ts';
import { newDiscussion } from '../../planning/notes/statements/system.ts';
import type { NotePosition } from '../../reviews/diff-notes/statements.ts';

/** Comments on commits, in the project where each was made. */

/** A comment on a commit. */
export interface CommentRow {
  readonly id: number;
  readonly projectId: number;
  readonly authorId: number;
  readonly note: string;
  /** A file of the commit’s diff; null for a comment on the whole. */
  readonly path: string | null;
  readonly line: number | null;
  readonly lineType: string | null;
  readonly diffPosition: NotePosition | null;
  /** The thread, in hexadecimal. */
  readonly discussionId: string;
  readonly isInThread: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A thread on a commit. Its `id` is that of its first comment. */
export interface ThreadRow {
  readonly id: number;
  readonly projectId: number;
  readonly sha: string;
  readonly discussionId: string;
  /** The oldest first. */
  readonly notes: readonly Inside<CommentRow>[];
}

const columns = `c.id, c.project_id as "projectId", c.author_id as "authorId", c.note, c.path, c.line, c.line_type as "lineType", c.position as "diffPosition",
    encode(c.discussion_id, 'hex') as "discussionId", c.is_in_thread as "isInThread", c.created_at as "createdAt", c.updated_at as "updatedAt"`;

/** SQL of the columns of a thread, whose first comment is `f`. */
const threadColumns = `f.id, f.project_id as "projectId", f.sha, encode(f.discussion_id, 'hex') as "discussionId", (select json_agg(shown order by shown.id) from (
      select ${columns} from commit_comments c where c.discussion_id = f.discussion_id) shown) as notes`;

const reading: Reading<CommentRow> = { columns, from: 'commit_comments c', id: 'c.id' };
const threadReading: Reading<ThreadRow> = { columns: threadColumns, from: 'commit_comments f', id: 'f.id' };

export const commentOrders = { created: { column: 'c.id', type: 'int' } } as const;
export const threadOrders = { created: { column: 'f.id', type: 'int' } } as const;

interface CommentsOf {
  /** Only those of this thread, in hexadecimal. */
  readonly thread?: string | undefined;
  /** Only those before this one. */
  readonly before?: number | undefined;
}

/** The comments on a commit in one project: those of its forks are others. @param of narrows them */
export function commentsOf(project: number, sha: string, { thread, before }: CommentsOf = {}): ListQuery<CommentRow> {
  const query = new ListQuery<CommentRow>('commit_comments c', 'c.id', reading);
  query.where(`c.project_id = ${query.key(project)}::int`).where(`c.sha = ${query.key(sha)}::text`);
  if (thread !== undefined) query.where(`c.discussion_id = decode(${query.key(thread)}, 'hex')`);
  return before === undefined ? query : query.where(`c.id < ${query.key(before)}::int`);
}

/** The threads on a commit in one project. @param placed only those that stand in its diff, or only the others */
export function threadsOf(project: number, sha: string, placed?: boolean): ListQuery<ThreadRow> {
  const query = new ListQuery<ThreadRow>('commit_comments f', 'f.id', threadReading);
  if (placed !== undefined) query.where(`f.path is ${placed ? 'not ' : ''}null`);
  return query
    .where(`f.project_id = ${query.key(project)}::int`)
    .where(`f.sha = ${query.key(sha)}::text`)
    .where(
      'not exists (select from commit_comments earlier where earlier.discussion_id = f.discussion_id and earlier.id < f.id)',
    );
}

/** A comment. $1 project, $2 commit, $3 its id, $4 the thread that it must be a part of, in hexadecimal, or null. */
export const findComment = statement<CommentRow>(
  'find_commit_comment',
  `select ${columns} from commit_comments c where c.project_id = $1::int and c.sha = $2 and c.id = $3::int
     and ($4::text is null or c.discussion_id = decode($4, 'hex'))`,
);

/** A thread. $1 project, $2 commit, $3 its id in hexadecimal. */
export const findThread = statement<ThreadRow>(
  'find_commit_thread',
  `select ${threadColumns} from (
     select id, project_id, sha, discussion_id from commit_comments where project_id = $1::int and sha = $2 and discussion_id = decode($3, 'hex') order by id limit 1
   ) f`,
);

/**
 * Creates a comment with its event. $1 project, $2 commit, $3 author, $4 text, $5 file, $6 line, $7 side, $8 title of the commit,
 * $9 names of people who are mentioned, $10 the addresses that the commit names, in lower case, $11 position, or null, $12 the
 * thread in hexadecimal, or null, $13 whether it is a part of a thread, $14 when it was written, or null.
 */
export const insertComment = statement<CommentRow>(
  'insert_commit_comment',
  `with c as (
     insert into commit_comments (project_id, sha, author_id, note, path, line, line_type, title, position, discussion_id, is_in_thread,
       created_at, updated_at)
     values ($1::int, $2::text, $3::int, $4::text, $5::text, $6::int, $7::text, $8::text, $11::jsonb, coalesce(decode($12, 'hex'), ${newDiscussion}),
       $13::boolean, coalesce($14::timestamptz, now()), coalesce($14::timestamptz, now())) returning *
   ), mentioned as (
     select distinct named.id from (${peopleNamed('$9', '$3::int', '$1::int')}) named where named.id is not null
   ), authors as (
     select distinct em.user_id as id from emails em where em.address = any($10::text[]) and em.verified_at is not null
   ), ${eventsFrom('commit.commented', 'c', {
     actor: '$3',
     project: 'project_id',
     subject: 'id',
     ids: `jsonb_build_object('mentionedIds', (select coalesce(jsonb_agg(id order by id), '[]') from mentioned),
       'authorIds', (select coalesce(jsonb_agg(id order by id), '[]') from authors))`,
   })}
   select ${columns} from c`,
);

/** Changes the text of a comment. $1 its id, $2 text. */
export const updateComment = statement<CommentRow>(
  'update_commit_comment',
  `update commit_comments c set note = $2, updated_at = now() where c.id = $1::int returning ${columns}`,
);

/** Removes a comment. No row: it was removed, or changed after $2. $1 its id, $2 a moment in whole seconds, or null. */
export const deleteComment = statement<{ id: number }>(
  'delete_commit_comment',
  `delete from commit_comments where id = $1::int and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz)
   returning id`,
);

/** The commit that a comment is on. */
export interface CommentedCommit {
  readonly sha: string;
  readonly title: string;
}

/** $1 comment, $2 project. */
export const commitOfComment = statement<CommentedCommit>(
  'commit_of_comment',
  'select c.sha, c.title from commit_comments c where c.id = $1::int and c.project_id = $2::int',
);

/** A person, with an address that they use for commits. */
export type AuthorRow = UserRecord & { readonly address: string };

/**
 * The people whose commits have some addresses: those for their commits, and those that they show. $1 addresses, in lower
 * case.
 */
export const findAuthors = statement<AuthorRow>(
  'find_commit_authors',
  `select em.address, ${userReading.columns} from emails em join ${userReading.from} on u.id = em.user_id
    where em.address = any($1::text[]) and em.verified_at is not null and u.deleting_since is null
      and (lower(u.public_email) = em.address
        or coalesce(u.attributes->>'commitEmail' = em.address, em.primary_of is not null))`,
);
