import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { BadRequest, Forbidden, NotFound, PreconditionFailed } from '../../../errors.ts';
import { adminNote, resolveNote, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { changeThreads } from '../../reviews/diff-notes/threads.ts';
import { requirePerson } from '../issues/changes/input.ts';
import { planForComment } from '../quick-actions/commented.ts';
import { QuickActionsStatus, requireEffect } from '../quick-actions/issue.ts';
import type { QuickActions } from '../quick-actions/plan.ts';
import { mayOnNoteable, nameFields, prefetchInput, requireToComment, type Noteable } from './noteable.ts';
import { publishNote } from './publish.ts';
import { lookUpDiscussion, lookUpNote, noteIn } from './read.ts';
import { resolveOnMergeRequest } from './resolve.ts';
import type { DiscussionRecord, NoteRecord } from './statements/reading.ts';
import { deleteNote, resolveNotes, updateNote } from './statements/write.ts';
import { checkBody, crossReferences, mentionsIn } from './text.ts';
import { Discussion, isResolvable, Note } from './types.ts';

/** Changing, deleting and resolving comments. */

const shared = { admission: { class: 'token', scopes: writes }, prefetch: prefetchInput } as const;

const named = (t: InputsOf) => ({
  id: t.field({ type: 'NoteID', required: true }),
  ...nameFields(t),
  discussionId: t.id({ description: 'If given, the note must be a part of this thread.' }),
});

const notePayload = (t: FieldsOf<{ note: NoteRecord }>) => ({
  note: t.field({ type: Note, resolve: ({ note }) => note }),
});

/** Changes a part of a thread, and counts the threads of a merge request that aren't resolved. */
const inThread = <Result>(sql: Sql, { kind, id }: Noteable, change: () => Promise<Result>): Promise<Result> =>
  kind === 'MergeRequest' ? changeThreads(sql, id, change) : change();

/** @returns whether it was removed: neither before, nor changed after a moment */
async function remove(
  sql: Sql,
  seen: Noteable,
  note: Pick<NoteRecord, 'id'>,
  unmodifiedSince?: Date | null,
): Promise<boolean> {
  const rows = await inThread(sql, seen, () => sql.rows(deleteNote[seen.kind], [note.id, unmodifiedSince ?? null]));
  return rows.length > 0;
}

/** A comment that the viewer may change. @throws NotFound, Forbidden also for a note of the system */
async function changeable(context: Context, input: Parameters<typeof lookUpNote>[1]) {
  const found = await lookUpNote(context, input);
  const { seen, note } = found;
  requireToComment(context, seen);
  const person = requirePerson(context);
  if (note.system || (note.authorId !== person && !mayOnNoteable(context, seen, adminNote))) throw new Forbidden();
  return { ...found, person };
}

mutation('updateNote', {
  ...shared,
  payload: (t: FieldsOf<{ note: NoteRecord | null; actions: QuickActions | null }>) => ({
    note: t.field({
      type: Note,
      nullable: true,
      description: 'Null if the text has nothing but commands: the comment is deleted.',
      resolve: ({ note }) => note,
    }),
    quickActionsStatus: t.field({
      type: QuickActionsStatus,
      nullable: true,
      description: 'Null if the text has no commands.',
      resolve: ({ actions }) => actions,
    }),
  }),
  description: 'Changes a comment of yours; maintainers change those of others.',
  input: (t) => ({
    ...named(t),
    body: t.string({ description: 'As Markdown.' }),
    confidential: t.boolean({
      deprecationReason: 'A comment stays internal or public; anything else is refused.',
    }),
  }),
  resolve: async (context, { discussionId: discussion, body: given, confidential, ...name }) => {
    const { seen, note, person } = await changeable(context, { ...name, discussion });
    if (confidential != null && confidential !== note.internal)
      throw new BadRequest('A comment stays internal or public, as it was written.');
    if (given == null || given === note.body) return { note, actions: null };
    checkBody(given);
    const plan = await planForComment(context, seen, person, given);
    if (plan?.status.only) {
      requireEffect(plan);
      await context.database.transaction(async (sql) => {
        await plan.within(sql);
        await remove(sql, seen, note);
        await plan.leave(sql);
      });
      publishNote(context, seen);
      await plan.after();
      return { note: null, actions: plan.status };
    }
    const body = plan?.text ?? given;
    const { names, addressed, references } = mentionsIn(body, mentionsIn(note.body).names);
    const refer = note.internal ? undefined : await crossReferences(context, seen, person, references);
    const changed = await context.database.transaction(async (sql) => {
      if (plan) await plan.within(sql);
      const [stored] = await sql.rows(updateNote[seen.kind], [note.id, person, body, names, addressed]);
      // A concurrent request deleted it.
      if (!stored) throw new NotFound('Note');
      await refer?.(sql);
      await plan?.leave(sql);
      return stored;
    });
    publishNote(context, seen, changed.told);
    await plan?.after();
    return { note: changed, actions: plan?.status ?? null };
  },
});

mutation('destroyNote', {
  ...shared,
  payload: (t: FieldsOf<{ note: NoteRecord }>) => ({
    note: t.field({ type: Note, description: 'As it was.', resolve: ({ note }) => note }),
  }),
  description: 'Deletes a comment of yours; maintainers delete those of others.',
  input: (t) => ({
    ...named(t),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses if the comment was changed after this moment. Fractions of a second are ignored.',
    }),
  }),
  resolve: async (context, { discussionId: discussion, unmodifiedSince, ...name }) => {
    const { seen, note } = await changeable(context, { ...name, discussion });
    const gone = await context.database.transaction((sql) => remove(sql, seen, note, unmodifiedSince));
    if (!gone) {
      // Either a concurrent request deleted it, or it was changed after the given moment.
      await noteIn(context, seen, { note: note.id });
      throw new PreconditionFailed();
    }
    return { note };
  },
});

/** Resolves notes of a thread, or takes that back. @throws Forbidden, BadRequest if they aren't in such a thread */
async function resolve(
  context: Context,
  seen: Noteable,
  notes: readonly Pick<NoteRecord, 'id' | 'type' | 'system' | 'snippetId'>[],
  isResolved: boolean,
): Promise<void> {
  requireToComment(context, seen);
  if (!mayOnNoteable(context, seen, resolveNote)) throw new Forbidden();
  const person = requirePerson(context);
  const resolvable = notes.filter(isResolvable);
  if (resolvable.length === 0) throw new BadRequest('Note is not resolvable');
  const ids = resolvable.map(({ id }) => id);
  if (seen.kind !== 'MergeRequest')
    return void (await context.database.rows(resolveNotes, [ids, isResolved ? person : null]));
  await context.database.transaction((sql) => resolveOnMergeRequest(sql, seen, person, ids, isResolved));
}

mutation('discussionToggleResolve', {
  ...shared,
  payload: (t: FieldsOf<{ discussion: DiscussionRecord }>) => ({
    discussion: t.field({ type: Discussion, resolve: ({ discussion }) => discussion }),
  }),
  description: 'Resolves a thread of an issue or a merge request, or opens it again. For developers, and its author.',
  input: (t) => ({
    id: t.field({ type: 'DiscussionID', required: true }),
    ...nameFields(t),
    resolve: t.boolean({ required: true, description: 'Whether it is resolved afterwards.' }),
  }),
  resolve: async (context, { resolve: isResolved, ...name }) => {
    const { seen, discussion } = await lookUpDiscussion(context, name);
    await resolve(context, seen, discussion.notes, isResolved);
    return await lookUpDiscussion(context, name);
  },
});

mutation('noteToggleResolve', {
  ...shared,
  payload: (t: FieldsOf<{ note: NoteRecord }>) => notePayload(t),
  description:
    'Resolves one comment of a thread, or takes that back. For developers, and the author of the issue or merge request.',
  input: (t) => ({
    ...named(t),
    resolve: t.boolean({ required: true, description: 'Whether it is resolved afterwards.' }),
  }),
  resolve: async (context, { discussionId: discussion, resolve: isResolved, ...name }) => {
    const { seen, note } = await lookUpNote(context, { ...name, discussion });
    await resolve(context, seen, [note], isResolved);
    return { note: await noteIn(context, seen, { note: note.id }) };
  },
});
