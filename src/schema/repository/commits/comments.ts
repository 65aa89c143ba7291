import { reads, setNoteDate, writes } from '../../../policy/index.ts';
import { storable } from '../../../values/text/storable.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { htmlOf } from '../../planning/markdown/html.ts';
import { checkBody, mentionsIn, referFromCommit } from '../../planning/notes/text.ts';
import { QuickActionsStatus, requireEffect } from '../../planning/quick-actions/issue.ts';
import type { QuickActions } from '../../planning/quick-actions/plan.ts';
import { DiffPosition, DiffPositionInput } from '../../reviews/diff-notes/types.ts';
import { carryOutOn } from './commands.ts';
import { commentable, mayOnCommit, threadIn } from './look-up.ts';
import { whereIn } from './place.ts';
import { commentOrders, commentsOf, insertComment, type CommentRow } from './statements.ts';
import { Commit, titleOf } from './types.ts';

/** Comments on commits. */

/** Longest title of a commit that is kept, in characters: a mail shows less. */
const longestTitle = 1_000;

const DiffSide = builder.enumType('DiffSide', {
  description: 'A side of a diff: lines that were added, or lines that were deleted.',
  values: { NEW: { value: 'new' }, OLD: { value: 'old' } } as const,
});

type Side = typeof DiffSide.$inferType;

export const CommitComment = builder.objectRef<CommentRow>('CommitComment').implement({
  description: 'A comment on a commit.',
  fields: (t) => ({
    databaseId: t.exposeInt('id'),
    projectId: t.exposeInt('projectId', { description: 'The number of its project.' }),
    note: t.exposeString('note', { description: 'As Markdown.' }),
    noteHtml: t.string({
      description: 'As HTML that is safe in a page, with links to what you see.',
      resolve: ({ note, projectId }, _args, context) => htmlOf(context, note, { projectId, namespaceId: null }),
    }),
    path: t.exposeString('path', { nullable: true, description: 'The file; null for a comment on the whole.' }),
    line: t.exposeInt('line', { nullable: true, description: 'The number of the line.' }),
    lineType: t.field({ type: DiffSide, nullable: true, resolve: ({ lineType }) => lineType as Side | null }),
    position: t.expose('diffPosition', {
      type: DiffPosition,
      nullable: true,
      description: 'Where it stands in the diff of the commit; null for a comment on the whole.',
    }),
    discussionKey: t.exposeString('discussionId', { description: 'The id of its thread.' }),
    isInThread: t.exposeBoolean('isInThread', {
      description: 'Whether it is a part of a thread, instead of a single comment.',
    }),
    author: t.field({
      type: UserCore,
      nullable: true,
      resolve: ({ authorId }, _args, context) => userById(context, authorId),
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

nestedList(Commit, 'comments', {
  type: CommitComment,
  description: 'Comments on it, the oldest first: those of this project, also if a fork has the same commit.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: commentOrders,
  by: 'created_asc',
  args: (t) => ({ discussionId: t.id({ description: 'Only those of this thread.' }) }),
  rows: async (context, { discussionId }, _info, commit) => {
    const thread = discussionId == null ? undefined : (await threadIn(context, commit, discussionId)).discussionId;
    return commentsOf(commit.repository.id, commit.id, { thread });
  },
});

/** What came of a comment. */
export interface Commented {
  readonly comment: CommentRow | null;
  readonly actions: QuickActions | null;
}

export const commentPayload = (t: FieldsOf<Commented>) => ({
  comment: t.expose('comment', {
    type: CommitComment,
    nullable: true,
    description: 'Null if the text has nothing but commands.',
  }),
  quickActionsStatus: t.field({
    type: QuickActionsStatus,
    nullable: true,
    description: 'Null if the text has no commands.',
    resolve: ({ actions }) => actions,
  }),
});

mutation('commitCommentCreate', {
  description: 'Comments on a commit. The command `/tag v1.0 The first release` tags it.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    sha: t.string({ required: true, description: 'The commit.' }),
    note: t.string({ required: true, description: 'As Markdown.' }),
    path: t.string({ description: 'A file that the commit changed.' }),
    line: t.int({ description: 'A line of that file that it changed; of any other, the comment is on the whole.' }),
    lineType: t.field({ type: DiffSide, defaultValue: 'new', description: 'Where the line is counted.' }),
    position: t.field({
      type: DiffPositionInput,
      description: 'Instead of `path`: where it stands in the diff between the first parent of the commit and it.',
    }),
    startsThread: t.boolean({ description: 'Whether it takes replies. One on a line always does.' }),
    discussionId: t.id({ description: 'The thread to reply to. The reply stands where its first comment does.' }),
    createdAt: t.field({ type: 'Time', description: 'Only owners choose it.' }),
  }),
  payload: commentPayload,
  resolve: async (context, { projectPath, sha, note, createdAt, ...asked }) => {
    const { commit, person } = await commentable(context, projectPath, sha);
    const { repository } = commit;
    checkBody(note);
    const place = await whereIn(context, commit, asked);
    const { text, actions } = await carryOutOn(context, commit, note);
    if (actions?.only) {
      requireEffect({ status: actions });
      return { comment: null, actions };
    }
    const choosesTime = mayOnCommit(context, commit, setNoteDate);
    const [comment] = await context.database.rows(insertComment, [
      repository.id,
      commit.id,
      person.id,
      text,
      place.path,
      place.line,
      place.lineType,
      // Git takes any bytes.
      storable(titleOf(commit)).slice(0, longestTitle).toWellFormed(),
      mentionsIn(text).names,
      [commit.author, commit.committer].map(({ email }) => storable(email).toLowerCase()),
      place.diffPosition && JSON.stringify(place.diffPosition),
      place.discussionId,
      place.isInThread,
      choosesTime ? (createdAt ?? null) : null,
    ]);
    const of = { sha: commit.id, projectId: repository.id, projectPath: repository.fullPath };
    await referFromCommit(context, of, text);
    return { comment: comment!, actions };
  },
});
