import { statement } from '../../../database/index.ts';
import { userReading, type UserRecord } from '../../../database/access/records.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { peopleNamed } from '../../planning/issues/statements/readers.ts';

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
  readonly createdAt: Date;
}

const columns = `c.id, c.project_id as "projectId", c.author_id as "authorId", c.note, c.path, c.line, c.line_type as "lineType", c.created_at as "createdAt"`;

const reading: Reading<CommentRow> = { columns, from: 'commit_comments c', id: 'c.id' };

export const commentOrders = { created: { column: 'c.id', type: 'int' } } as const;

/** The comments on a commit in one project: those of its forks are others. */
export function commentsOf(project: number, sha: string): ListQuery<CommentRow> {
  const query = new ListQuery<CommentRow>('commit_comments c', 'c.id', reading);
  return query.where(`c.project_id = ${query.key(project)}::int`).where(`c.sha = ${query.key(sha)}::text`);
}

/**
 * Creates a comment with its event. $1 project, $2 commit, $3 author, $4 text, $5 file, $6 line, $7 side, $8 title of the commit,
 * $9 names of people who are mentioned, $10 the addresses that the commit names, in lower case.
 */
export const insertComment = statement<CommentRow>(
  'insert_commit_comment',
  `with c as (
     insert into commit_comments (project_id, sha, author_id, note, path, line, line_type, title)
     values ($1::int, $2::text, $3::int, $4::text, $5::text, $6::int, $7::text, $8::text) returning *
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
