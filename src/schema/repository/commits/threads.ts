import type { Context } from '../../../context.ts';
import { Forbidden, NotFound, PreconditionFailed } from '../../../errors.ts';
import { adminNote, createNote, reads, writes, type Condition } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { usually } from '../../engine/page.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { withTimes } from '../../engine/times.ts';
import { noteIdOf } from '../../planning/notes/ids.ts';
import { checkBody } from '../../planning/notes/text.ts';
import { endsArguments, endsOf } from '../../planning/notes/types.ts';
import { requireEffect } from '../../planning/quick-actions/issue.ts';
import { carryOutOn } from './commands.ts';
import { CommitComment, commentPayload, type Commented } from './comments.ts';
import { commentable, commentIn, mayOnCommit, threadIn } from './look-up.ts';
import {
  commentOrders,
  commentsOf,
  deleteComment,
  threadOrders,
  threadsOf,
  updateComment,
  type CommentRow,
  type ThreadRow,
} from './statements.ts';
import { Commit, type CommitRecord } from './types.ts';

/** Threads on commits, and changing and deleting their comments. */

const CommitDiscussion = builder.objectRef<ThreadRow>('CommitDiscussion').implement({
  description: 'A thread on a commit: a comment with its replies. A single comment is a thread of its own.',
  fields: (t) => ({
    key: t.exposeString('discussionId', { description: 'Its id in the REST API.' }),
    individualNote: t.boolean({
      description: 'Whether it is a single comment, which takes no replies.',
      resolve: ({ notes: [first] }) => !first!.isInThread,
    }),
    allNotes: t.field({
      type: [CommitComment],
      description: 'All of its comments, the oldest first.',
      args: endsArguments,
      resolve: ({ notes }, asked) => endsOf(notes, asked, notes.length).map((one) => withTimes<CommentRow>(one)),
    }),
  }),
});

nestedList(CommitDiscussion, 'notes', {
  type: CommitComment,
  description: 'Its comments, the oldest first.',
  ...usually(20),
  orders: commentOrders,
  by: 'created_asc',
  args: (t) => ({ beforeNote: t.id({ description: 'Only those before this one.' }) }),
  rows: (_context, { beforeNote }, _info, { projectId, sha, discussionId }) =>
    commentsOf(projectId, sha, {
      thread: discussionId,
      ...(beforeNote != null && { before: noteIdOf(beforeNote) }),
    }),
});

const CommitPermissions = builder.objectRef<CommitRecord>('CommitPermissions').implement({
  description: 'What you may do with a commit.',
  fields: (t) => {
    const permission = (rule: Condition, description: string) =>
      t.boolean({
        description,
        resolve: (commit, _args, context) => !commit.repository.archived && mayOnCommit(context, commit, rule),
      });
    return {
      createNote: permission(createNote, 'Whether you comment on it.'),
      adminNote: permission(adminNote, 'Whether you change and delete the comments of others on it.'),
    };
  },
});

const admission = { class: 'token', scopes: reads, anonymous: true } as const;

nestedList(Commit, 'discussions', {
  type: CommitDiscussion,
  description: 'The threads on it, the oldest first: those of this project, also if a fork has the same commit.',
  admission,
  orders: threadOrders,
  by: 'created_asc',
  args: (t) => ({
    placed: t.boolean({ description: 'Whether they stand in its diff: only those, or only the others.' }),
  }),
  rows: (_context, { placed }, _info, { repository, id }) => threadsOf(repository.id, id, placed ?? undefined),
});

builder.objectFields(Commit, (t) => ({
  userPermissions: t.field({ type: CommitPermissions, resolve: (commit) => commit }),
  discussion: t.field({
    type: CommitDiscussion,
    nullable: true,
    description: 'A thread on it.',
    admission,
    args: { id: t.arg.id({ required: true }) },
    resolve: (commit, { id }, context) => threadIn(context, commit, id),
  }),
  comment: t.field({
    type: CommitComment,
    nullable: true,
    description: 'A comment on it.',
    admission,
    args: {
      id: t.arg.id({ required: true }),
      discussionId: t.arg.id({ description: 'If given, it must be a part of this thread.' }),
    },
    resolve: (commit, { id, discussionId }, context) => commentIn(context, commit, id, discussionId),
  }),
}));

const named = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
  sha: t.string({ required: true, description: 'The commit.' }),
  id: t.id({ required: true, description: 'The number of the comment.' }),
  discussionId: t.id({ description: 'If given, the comment must be a part of this thread.' }),
});

interface Named {
  readonly projectPath: string;
  readonly sha: string;
  readonly id: string;
  readonly discussionId?: string | null | undefined;
}

/** A comment that the viewer may change. @throws NotFound, Forbidden */
async function changeable(context: Context, { projectPath, sha, id, discussionId }: Named) {
  const { commit, person } = await commentable(context, projectPath, sha);
  const comment = await commentIn(context, commit, id, discussionId);
  if (comment.authorId !== person.id && !mayOnCommit(context, commit, adminNote)) throw new Forbidden();
  return { commit, comment };
}

mutation('commitCommentUpdate', {
  description: 'Changes a comment of yours on a commit; maintainers change those of others.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({ ...named(t), note: t.string({ required: true, description: 'As Markdown.' }) }),
  payload: commentPayload,
  resolve: async (context, { note, ...name }): Promise<Commented> => {
    const { commit, comment } = await changeable(context, name);
    checkBody(note);
    const { text, actions } = await carryOutOn(context, commit, note);
    if (actions?.only) {
      requireEffect({ status: actions });
      await context.database.rows(deleteComment, [comment.id, null]);
      return { comment: null, actions };
    }
    const [changed] = await context.database.rows(updateComment, [comment.id, text]);
    // A concurrent request deleted it.
    if (!changed) throw new NotFound('Note');
    return { comment: changed, actions };
  },
});

mutation('commitCommentDestroy', {
  description: 'Deletes a comment of yours on a commit; maintainers delete those of others.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    ...named(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses if the comment was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  payload: (t: FieldsOf<{ comment: CommentRow }>) => ({
    comment: t.expose('comment', { type: CommitComment, description: 'As it was.' }),
  }),
  resolve: async (context, { unmodifiedSince, ...name }) => {
    const { commit, comment } = await changeable(context, name);
    const [gone] = await context.database.rows(deleteComment, [comment.id, unmodifiedSince ?? null]);
    if (!gone) {
      // Either a concurrent request deleted it, or it was changed after the given moment.
      await commentIn(context, commit, name.id);
      throw new PreconditionFailed();
    }
    return { comment };
  },
});
