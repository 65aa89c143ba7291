import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { createNote, readInternalNote, setNoteDate } from '../../../policy/index.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { planForComment, type CommentPlan } from '../quick-actions/commented.ts';
import { requireEffect } from '../quick-actions/issue.ts';
import type { QuickActions } from '../quick-actions/plan.ts';
import { discussionIdOf } from './ids.ts';
import { mayOnNoteable, requireToComment, type Noteable } from './noteable.ts';
import {
  placeIn,
  placeOfReply,
  storePlace,
  type AskedPosition,
  type NewPlace,
  type PlacedIn,
} from '../../reviews/diff-notes/place.ts';
import { changeThreads } from '../../reviews/diff-notes/threads.ts';
import { discussionIn } from './read.ts';
import { insertNote, insertReviewNote, type StoredNote } from './statements/write.ts';
import { checkBody, crossReferences, mentionsIn } from './text.ts';

/** A new comment is checked first, then everything that it needs is read, and then it is stored. */

/** A new comment, as a client sends it. */
export interface NewComment {
  readonly body: string;
  readonly internal?: boolean | null | undefined;
  readonly confidential?: boolean | null | undefined;
  readonly createdAt?: Date | null | undefined;
  /** Of a comment in a diff. */
  readonly position?: AskedPosition | undefined;
  /** The head of the merge request that its author saw. */
  readonly mergeRequestDiffHeadSha?: string | null | undefined;
}

/** Where it goes. */
export interface Where {
  /** The thread that it replies to. */
  readonly reply?: string | null | undefined;
  readonly startsThread?: boolean;
  /** Whether it is a part of a review, whose event notifies people unless the comment is internal. */
  readonly isReviewed?: boolean;
}

/** Where it goes: a thread that exists, a new one, or none. */
interface Thread {
  readonly id: string | null;
  readonly isThread: boolean;
  readonly isInternal: boolean;
  /** Where it stands in a diff. */
  readonly place?: NewPlace;
}

/**
 * The thread that a comment replies to. A single comment on an issue or a merge request becomes one.
 * @throws NotFound, BadRequest if it takes no replies
 */
async function threadOf(context: Context, seen: Noteable, given: string): Promise<Thread> {
  const {
    discussionId: id,
    notes: [first],
  } = await discussionIn(context, seen, discussionIdOf(given) ?? '', { most: 1, whole: 0 });
  if (first!.system || (first!.type === null && seen.kind === 'Snippet'))
    throw new BadRequest('Discussion can not be replied to.');
  const place = first!.type === 'DIFF' ? { place: placeOfReply(first as PlacedIn) } : {};
  return { id, isThread: true, isInternal: first!.internal, ...place };
}

/** The thread that a comment starts, or none. @throws BadRequest unless a diff is commented in a merge request; InvalidFields */
async function newThread(
  context: Context,
  seen: Noteable,
  { position }: NewComment,
  startsThread: boolean,
): Promise<Thread> {
  const thread = { id: null, isThread: startsThread, isInternal: false };
  if (!position) return thread;
  if (seen.kind !== 'MergeRequest') throw new BadRequest('Only merge requests have a diff.');
  return { ...thread, isThread: true, place: await placeIn(context, seen, position) };
}

/** A comment that may be written. */
interface Checked {
  readonly author: number;
  readonly given: NewComment;
  readonly thread: Thread;
  /** What its commands do. */
  readonly plan: CommentPlan | undefined;
  readonly isReviewed: boolean;
}

/** How a comment is written. */
async function writing(
  context: Context,
  seen: Noteable,
  { author, given, thread, plan, isReviewed }: Checked,
): Promise<Pick<PreparedComment, 'isPlain' | 'store'>> {
  const { id, isThread, isInternal, place } = thread;
  const { names, addressed, references } = mentionsIn(given.body);
  // A reply is internal exactly if its thread is: people who read a thread read all of it.
  const internal = id === null ? (given.internal ?? given.confidential ?? false) : isInternal;
  const createdAt = mayOnNoteable(context, seen, setNoteDate) ? (given.createdAt ?? null) : null;
  const values = [
    seen.id,
    author,
    given.body,
    internal,
    id,
    isThread ? (place ? 'DIFF' : 'DISCUSSION') : null,
    createdAt,
    names,
    addressed,
  ];
  const insert = async (sql: Sql): Promise<StoredNote> => {
    const extent = names.length > 0 ? 'full' : 'plain';
    const statement = isReviewed && !internal ? insertReviewNote[extent] : insertNote[extent][seen.kind];
    const [note] = await sql.rows(statement, values);
    if (!note) throw new NotFound(seen.kind);
    if (place) await storePlace(sql, note.id, place);
    return note;
  };
  const counts = isThread && seen.kind === 'MergeRequest';
  // What an internal note refers to must not show that it exists.
  const refer = internal ? undefined : await crossReferences(context, seen, author, references);
  if (!refer && !plan && !counts) return { isPlain: true, store: insert };
  return {
    isPlain: false,
    async store(sql) {
      if (plan) await plan.within(sql);
      const note = await (counts ? changeThreads(sql, seen.id, () => insert(sql)) : insert(sql));
      await refer?.(sql);
      await plan?.leave(sql);
      return note;
    },
  };
}

/**
 * Checks who comments, what they write, and where.
 * @throws Forbidden, InvalidFields, NotFound, BadRequest
 */
export async function checkComment(
  context: Context,
  seen: Noteable,
  given: NewComment,
  { reply, startsThread = false }: Where,
): Promise<{ readonly author: number; readonly thread: Thread }> {
  requireToComment(context, seen);
  if (!mayOnNoteable(context, seen, createNote)) throw new Forbidden();
  const author = requirePerson(context);
  // Stored as a public one, it would show what its author wanted to hide.
  const isInternal = given.internal ?? given.confidential ?? false;
  if (isInternal && !mayOnNoteable(context, seen, readInternalNote)) throw new Forbidden();
  checkBody(given.body);
  const thread =
    reply == null ? await newThread(context, seen, given, startsThread) : await threadOf(context, seen, reply);
  // Neither would it stay hidden in a thread that everyone reads.
  if (reply != null && isInternal && !thread.isInternal)
    throw new InvalidFields({ confidential: ['reply should have same confidentiality as top-level note'] });
  return { author, thread };
}

/** A comment that may be stored. */
export interface PreparedComment {
  readonly author: number;
  readonly actions: QuickActions | null;
  /** Where it stands in a diff. */
  readonly place: NewPlace | undefined;
  /** Whether it is stored by one statement; otherwise in a transaction. */
  readonly isPlain: boolean;
  /** Stores it, and does what its commands say. Null: it has nothing but commands. @throws NotFound */
  readonly store: (sql: Sql) => Promise<StoredNote | null>;
  /** After the commit. */
  readonly after: () => Promise<void>;
}

/** Checks a comment, and reads what storing it needs. @throws Forbidden, InvalidFields, NotFound, BadRequest */
export async function prepareComment(...asked: Parameters<typeof prepareText>): Promise<PreparedComment> {
  const comment = await prepareText(...asked);
  if (comment.actions?.only) requireEffect({ status: comment.actions });
  return comment;
}

/** The same, also for a text of nothing but commands that do nothing. */
export async function prepareText(
  context: Context,
  seen: Noteable,
  given: NewComment,
  where: Where,
): Promise<PreparedComment> {
  const { author, thread } = await checkComment(context, seen, given, where);
  const plan = await planForComment(context, seen, author, given.body, given.mergeRequestDiffHeadSha);
  const shared = {
    author,
    actions: plan?.status ?? null,
    place: thread.place,
    after: async () => plan?.after(),
  };
  if (!plan?.status.only)
    return {
      ...shared,
      ...(await writing(context, seen, {
        author,
        given: { ...given, body: plan?.text ?? given.body },
        thread,
        plan,
        isReviewed: where.isReviewed ?? false,
      })),
    };
  return {
    ...shared,
    isPlain: false,
    async store(sql) {
      await plan.within(sql);
      await plan.leave(sql);
      return null;
    },
  };
}
