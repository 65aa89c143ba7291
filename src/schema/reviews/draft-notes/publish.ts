import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { record } from '../../../events/record.ts';
import { BadRequest, Conflict, Forbidden, InvalidFields, NotFound } from '../../../errors.ts';
import { createNote, resolveNote } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { requirePerson } from '../../planning/issues/changes/input.ts';
import { mayOnNoteable, requireToComment, type Noteable } from '../../planning/notes/noteable.ts';
import { prepareComment, prepareText, type PreparedComment } from '../../planning/notes/prepare.ts';
import { publishNote } from '../../planning/notes/publish.ts';
import { discussionIn, noteById } from '../../planning/notes/read.ts';
import { resolveOnMergeRequest } from '../../planning/notes/resolve.ts';
import { Note } from '../../planning/notes/types.ts';
import { hasEffect } from '../../planning/quick-actions/issue.ts';
import { changeThreads } from '../diff-notes/threads.ts';
import { inMergeRequest, requireToResolve, shared } from './change.ts';
import { lookUpDraft, reviewedIn } from './look-up.ts';
import { DraftNote } from './types.ts';
import { findDrafts, remainingDrafts, takeDrafts, type DraftNoteRecord } from './statements.ts';

/**
 * Publishing drafts: each becomes a comment, as if its author wrote it at that moment. All of them, or none; but one of nothing
 * but commands that do nothing stays a draft beside others: it says nothing that they need.
 */

/** The comment that a draft became; null if it had nothing but commands. */
type Stored = Awaited<ReturnType<PreparedComment['store']>>;

/** What publishing a draft does besides storing the comment. */
type Finish = (sql: Sql, note: Stored) => Promise<void>;

interface PreparedDraft extends PreparedComment {
  readonly draft: DraftNoteRecord | null;
  readonly finish: Finish;
}

const nothing: Finish = async () => {};

/** Resolves the thread of a reply, or opens it again, as its author asked. @throws InvalidFields if they may not resolve it */
async function resolving(
  context: Context,
  seen: Noteable,
  { discussionId, resolveDiscussion: isResolved }: DraftNoteRecord,
): Promise<Finish> {
  requireToResolve(context, seen, discussionId !== null, isResolved);
  if (discussionId === null || !mayOnNoteable(context, seen, resolveNote)) return nothing;
  const { notes } = await discussionIn(context, seen, discussionId);
  const ids = notes.filter(({ system }) => !system).map(({ id }) => id);
  return (sql, note) =>
    resolveOnMergeRequest(sql, seen, requirePerson(context), note ? [...ids, note.id] : ids, isResolved);
}

/** @throws InvalidFields that names the draft; Forbidden */
async function prepareDraft(context: Context, seen: Noteable, draft: DraftNoteRecord): Promise<PreparedDraft> {
  try {
    const { body, diffPosition: position, discussionId: reply } = draft;
    const finish = await resolving(context, seen, draft);
    const given = { body, position: position ?? undefined };
    const where = { reply, startsThread: true, isReviewed: true };
    return { ...(await prepareText(context, seen, given, where)), draft, finish };
  } catch (error) {
    const isOfDraft = error instanceof InvalidFields || error instanceof BadRequest || error instanceof NotFound;
    throw isOfDraft ? refusal(draft, error.message) : error;
  }
}

const refusal = ({ id }: DraftNoteRecord, why: string) =>
  new InvalidFields({ base: [`Draft note ${id} can't be published: ${why}`] });

/**
 * Takes drafts, under the lock of their merge request. Another request published or removed those that are missing.
 * @returns the ids of those that are to be stored
 * @throws Conflict if one was changed after it was read
 */
async function take(sql: Sql, drafts: readonly DraftNoteRecord[]): Promise<ReadonlySet<number>> {
  const taken = await sql.rows(takeDrafts, [drafts.map(({ id }) => id), drafts.map(({ version }) => version)]);
  const ids = new Set(taken.map(({ id }) => id));
  const left = drafts.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
  if (left.length > 0 && (await sql.rows(remainingDrafts, [left])).length > 0)
    throw new Conflict('A draft note was changed in the meantime.');
  return ids;
}

/** Records a review as one event, about which people get one message. */
async function recordReview(
  context: Context,
  sql: Sql,
  { id, projectId }: Noteable,
  notes: readonly NonNullable<Stored>[],
) {
  await record(sql, 'merge_request.reviewed', {
    actorId: requirePerson(context),
    projectId,
    subjectId: id,
    changed: {
      noteIds: notes.map((note) => note.id),
      mentionedIds: [...new Set(notes.flatMap((note) => note.mentioned))],
    },
  });
}

/** What became of drafts. */
interface Published {
  readonly taken: ReadonlySet<number>;
  /** The ids of the comments. */
  readonly notes: readonly number[];
  /** Those that stay drafts. */
  readonly left: readonly DraftNoteRecord[];
}

/** @throws Conflict, InvalidFields, Forbidden */
async function publish(
  context: Context,
  seen: Noteable,
  all: readonly DraftNoteRecord[],
  summary?: { readonly body: string; readonly internal: boolean },
): Promise<Published> {
  const prepared: PreparedDraft[] = [];
  const left: DraftNoteRecord[] = [];
  for (const draft of all) {
    const one = await prepareDraft(context, seen, draft);
    if (hasEffect(one.actions)) prepared.push(one);
    else left.push(draft);
  }
  if (summary) {
    const comment = await prepareComment(context, seen, summary, { isReviewed: true });
    prepared.push({ ...comment, draft: null, finish: nothing });
  }
  if (prepared.length === 0) {
    if (left[0]) throw refusal(left[0], 'Failed to apply commands.');
    return { taken: new Set(), notes: [], left };
  }
  const drafts = all.filter((draft) => !left.includes(draft));
  const { taken, stored } = await context.database.transaction((sql) =>
    changeThreads(sql, seen.id, async () => {
      const ids = await take(sql, drafts);
      const done: { readonly note: Stored; readonly after: () => Promise<void> }[] = [];
      for (const { draft, store, finish, after } of prepared) {
        if (draft && !ids.has(draft.id)) continue;
        const note = await store(sql);
        await finish(sql, note);
        done.push({ note, after });
      }
      const reviewed = done.flatMap(({ note }) => (note && !note.internal ? [note] : []));
      if (reviewed.length > 0) await recordReview(context, sql, seen, reviewed);
      return { taken: ids, stored: done };
    }),
  );
  const notes = stored.flatMap(({ note }) => note ?? []);
  publishNote(context, seen, [requirePerson(context), ...notes.flatMap(({ told }) => told)]);
  for (const { after } of stored) await after();
  return { taken, notes: notes.map(({ id }) => id), left };
}

const payload = (t: FieldsOf<{ notes: readonly number[] }>) => ({
  notes: t.field({
    type: [Note],
    description: 'The comments, in the order of the drafts. A draft of nothing but commands becomes none.',
    resolve: ({ notes }, _args, context) => Promise.all(notes.map((id) => noteById(context, id))) as never,
  }),
});

mutation('draftNotePublish', {
  payload,
  description: 'Publishes a comment of yours: it becomes a comment that everyone sees.',
  admission: shared,
  input: (t) => ({
    id: t.id({ required: true }),
    projectPath: t.id({ description: 'With `iid`: the merge request that it must be in.' }),
    iid: t.string(),
  }),
  resolve: async (context, name) => {
    const { seen, draft } = await lookUpDraft(context, name);
    const { taken, notes } = await publish(context, seen, [draft]);
    if (taken.size === 0) throw new NotFound('DraftNote');
    return { notes };
  },
});

mutation('draftNotesPublish', {
  payload: (t: FieldsOf<Published>) => ({
    ...payload(t),
    remainingDraftNotes: t.field({
      type: [DraftNote],
      description: 'Those that stay drafts: nothing but commands, none of which does something.',
      resolve: ({ left }) => [...left],
    }),
  }),
  description:
    'Publishes your review: all of your comments in a merge request that aren’t published yet, or none of them. One of nothing but commands that do nothing stays a draft, if there are others.',
  admission: shared,
  input: (t) => ({
    ...inMergeRequest(t),
    body: t.string({ description: 'A further comment about the whole, as Markdown.' }),
    internal: t.boolean({ description: 'Whether only planners and above see that one.' }),
  }),
  resolve: async (context, { body, internal, ...name }) => {
    const seen = await reviewedIn(context, name);
    requireToComment(context, seen);
    if (!mayOnNoteable(context, seen, createNote)) throw new Forbidden();
    const drafts = await context.database.rows(findDrafts, [requirePerson(context), seen.id]);
    return await publish(
      context,
      seen,
      drafts,
      body == null || body.trim() === '' ? undefined : { body, internal: internal ?? false },
    );
  },
});
