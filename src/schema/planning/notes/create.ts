import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, Forbidden, NotFound } from '../../../errors.ts';
import { createNote, readInternalNote, setNoteDate, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { planForComment, type CommentPlan } from '../quick-actions/commented.ts';
import { QuickActionsStatus, requireEffect } from '../quick-actions/issue.ts';
import type { QuickActions } from '../quick-actions/plan.ts';
import { discussionIdOf } from './ids.ts';
import {
  lookUpNoteable,
  mayOnNoteable,
  nameFields,
  prefetchInput,
  requireToComment,
  type Noteable,
  type NoteableName,
} from './noteable.ts';
import { publishNote } from './publish.ts';
import {
  placeIn,
  placeOfReply,
  storePlace,
  type AskedPosition,
  type NewPlace,
  type PlacedIn,
} from '../../reviews/diff-notes/place.ts';
import { changeThreads } from '../../reviews/diff-notes/threads.ts';
import { DiffPositionInput, positionOf } from '../../reviews/diff-notes/types.ts';
import { discussionIn, noteIn } from './read.ts';
import type { NoteRecord } from './statements/reading.ts';
import { insertNote, type StoredNote } from './statements/write.ts';
import { checkBody, crossReferences, mentionsIn } from './text.ts';
import { Note } from './types.ts';

/** A new comment, as a client sends it. */
interface Given extends NoteableName {
  readonly body: string;
  readonly internal?: boolean | null | undefined;
  readonly confidential?: boolean | null | undefined;
  readonly createdAt?: Date | null | undefined;
  /** Of a comment in a diff. */
  readonly position?: AskedPosition | undefined;
  /** The head of the merge request that its author saw. */
  readonly mergeRequestDiffHeadSha?: string | null | undefined;
}

/** What came of it. */
interface Commented {
  readonly note: NoteRecord | null;
  readonly actions: QuickActions | null;
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
  { position }: Given,
  startsThread: boolean,
): Promise<Thread> {
  const thread = { id: null, isThread: startsThread, isInternal: false };
  if (!position) return thread;
  if (seen.kind !== 'MergeRequest') throw new BadRequest('Only merge requests have a diff.');
  return { ...thread, isThread: true, place: await placeIn(context, seen, position) };
}

/** Writes a comment, in a transaction only if it needs more than one statement. @throws NotFound */
async function write(
  context: Context,
  seen: Noteable,
  author: number,
  given: Given,
  thread: Thread,
  plan?: CommentPlan,
) {
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
    const [note] = await sql.rows(insertNote[names.length > 0 ? 'full' : 'plain'][seen.kind], values);
    if (!note) throw new NotFound(seen.kind);
    if (place) await storePlace(sql, note.id, place);
    return note;
  };
  const counts = isThread && seen.kind === 'MergeRequest';
  // What an internal note refers to must not show that it exists.
  const refer = internal ? undefined : await crossReferences(context, seen, author, references);
  if (!refer && !plan && !counts) return await insert(context.database);
  return await context.database.transaction(async (sql) => {
    if (plan) await plan.within(sql);
    const note = await (counts ? changeThreads(sql, seen.id, () => insert(sql)) : insert(sql));
    await refer?.(sql);
    await plan?.leave(sql);
    return note;
  });
}

/** @throws Forbidden, InvalidFields, NotFound, BadRequest */
async function comment(
  context: Context,
  given: Given,
  { reply, startsThread = false }: { readonly reply?: string | null | undefined; readonly startsThread?: boolean },
): Promise<Commented> {
  const seen = await lookUpNoteable(context, given);
  requireToComment(context, seen);
  if (!mayOnNoteable(context, seen, createNote)) throw new Forbidden();
  const author = requirePerson(context);
  // Stored as a public one, it would show what its author wanted to hide.
  if ((given.internal ?? given.confidential) && !mayOnNoteable(context, seen, readInternalNote)) throw new Forbidden();
  checkBody(given.body);
  const thread =
    reply == null ? await newThread(context, seen, given, startsThread) : await threadOf(context, seen, reply);
  const plan = await planForComment(context, seen, author, given.body, given.mergeRequestDiffHeadSha);
  const actions = plan?.status ?? null;
  if (plan?.status.only) {
    requireEffect(plan);
    await context.database.transaction(async (sql) => {
      await plan.within(sql);
      await plan.leave(sql);
    });
    publishNote(context, seen);
    await plan.after();
    return { note: null, actions };
  }
  const note = await write(context, seen, author, { ...given, body: plan?.text ?? given.body }, thread, plan);
  publishNote(context, seen, [author, ...note.told]);
  await plan?.after();
  // Where it stands was stored after it.
  return { note: thread.place ? await noteIn(context, seen, { note: note.id }) : note, actions };
}

const commentFields = (t: InputsOf) => ({
  ...nameFields(t),
  body: t.string({ required: true, description: 'As Markdown.' }),
  internal: t.boolean({ description: 'Whether only reporters and above see it. A reply is what its thread is.' }),
  confidential: t.boolean({ description: 'The same as `internal`.' }),
  createdAt: t.field({ type: 'Time', description: 'Only owners choose it.' }),
  mergeRequestDiffHeadSha: t.string({
    description: 'The head of the merge request that you saw: with another one by now, `/merge` does nothing.',
  }),
});

const payload = (t: FieldsOf<Commented>) => ({
  note: t.field({
    type: Note,
    nullable: true,
    description: 'Null if the text has nothing but commands.',
    resolve: ({ note }) => note,
  }),
  quickActionsStatus: t.field({
    type: QuickActionsStatus,
    nullable: true,
    description: 'Null if the text has no commands.',
    resolve: ({ actions }) => actions,
  }),
});

mutation('createNote', {
  payload,
  description: 'Comments on an issue, a merge request or a snippet.',
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchInput,
  input: (t) => ({
    ...commentFields(t),
    discussionId: t.field({ type: 'DiscussionID', description: 'The thread to reply to.' }),
  }),
  resolve: (context, { discussionId: reply, ...given }) => comment(context, given, { reply }),
});

const startsThread = {
  payload: (t: FieldsOf<Commented>) => payload(t),
  admission: { class: 'token', scopes: writes },
  prefetch: prefetchInput,
} as const;

mutation('createDiscussion', {
  ...startsThread,
  description: 'Starts a thread on an issue, a merge request or a snippet.',
  input: (t) => ({
    ...commentFields(t),
    position: t.field({ type: DiffPositionInput, description: 'Where it stands in the diff of a merge request.' }),
  }),
  resolve: (context, { position, ...given }) =>
    comment(context, { ...given, position: position ? positionOf(position) : undefined }, { startsThread: true }),
});

mutation('createDiffNote', {
  ...startsThread,
  description: 'Starts a thread on a line of the diff of a merge request.',
  input: (t) => ({ ...commentFields(t), position: t.field({ type: DiffPositionInput, required: true }) }),
  resolve: (context, { position, ...given }) =>
    comment(context, { ...given, position: positionOf(position) }, { startsThread: true }),
});
