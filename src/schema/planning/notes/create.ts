import type { Context } from '../../../context.ts';
import { writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { QuickActionsStatus } from '../quick-actions/issue.ts';
import type { QuickActions } from '../quick-actions/plan.ts';
import { lookUpNoteable, nameFields, prefetchInput, type NoteableName } from './noteable.ts';
import { prepareComment, type NewComment, type Where } from './prepare.ts';
import { publishNote } from './publish.ts';
import { DiffPositionInput, positionOf } from '../../reviews/diff-notes/types.ts';
import { noteIn } from './read.ts';
import type { NoteRecord } from './statements/reading.ts';
import { Note } from './types.ts';

/** What came of it. */
interface Commented {
  readonly note: NoteRecord | null;
  readonly actions: QuickActions | null;
}

/** @throws Forbidden, InvalidFields, NotFound, BadRequest */
async function comment(context: Context, given: NewComment & NoteableName, where: Where): Promise<Commented> {
  const seen = await lookUpNoteable(context, given);
  const { author, actions, place, isPlain, store, after } = await prepareComment(context, seen, given, where);
  const note = isPlain ? await store(context.database) : await context.database.transaction(store);
  publishNote(context, seen, [author, ...(note?.told ?? [])]);
  await after();
  // Where it stands was stored after it.
  return { note: note && place ? await noteIn(context, seen, { note: note.id }) : note, actions };
}

const commentFields = (t: InputsOf) => ({
  ...nameFields(t),
  body: t.string({ required: true, description: 'As Markdown.' }),
  internal: t.boolean({ description: 'Whether only planners and above see it. A reply is what its thread is.' }),
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
