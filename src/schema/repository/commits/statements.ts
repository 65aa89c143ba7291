import { statement } from '../../../database/index.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';

/** Comments on commits, in the project where each was made. */

/** A comment on a commit. */
export interface CommentRow {
  readonly id: number;
  readonly authorId: number;
  readonly note: string;
  /** A file of the commit’s diff; null for a comment on the whole. */
  readonly path: string | null;
  readonly line: number | null;
  readonly lineType: string | null;
  readonly createdAt: Date;
}

const columns = `c.id, c.author_id as "authorId", c.note, c.path, c.line, c.line_type as "lineType", c.created_at as "createdAt"`;

const reading: Reading<CommentRow> = { columns, from: 'commit_comments c', id: 'c.id' };

export const commentOrders = { created: { column: 'c.id', type: 'int' } } as const;

/** The comments on a commit in one project: those of its forks are others. */
export function commentsOf(project: number, sha: string): ListQuery<CommentRow> {
  const query = new ListQuery<CommentRow>('commit_comments c', 'c.id', reading);
  return query.where(`c.project_id = ${query.key(project)}::int`).where(`c.sha = ${query.key(sha)}::text`);
}

/** $1 project, $2 commit, $3 author, $4 text, $5 file, $6 line, $7 side. */
export const insertComment = statement<CommentRow>(
  'insert_commit_comment',
  `insert into commit_comments as c (project_id, sha, author_id, note, path, line, line_type)
   values ($1::int, $2::text, $3::int, $4::text, $5::text, $6::int, $7::text) returning ${columns}`,
);
