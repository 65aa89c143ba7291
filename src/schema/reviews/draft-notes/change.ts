import type { Context } from '../../../context.ts';
import { InvalidFields, NotFound, Unprocessable } from '../../../errors.ts';
import { resolveNote, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf, type InputsOf } from '../../engine/mutation.ts';
import { mayOnNoteable, requireToComment, type Noteable } from '../../planning/notes/noteable.ts';
import { checkComment } from '../../planning/notes/prepare.ts';
import { checkBody } from '../../planning/notes/text.ts';
import { placeIn, type NewPlace } from '../diff-notes/place.ts';
import { DiffPositionInput, positionOf } from '../diff-notes/types.ts';
import { lookUpDraft, reviewedIn } from './look-up.ts';
import { deleteDraft, insertDraft, lockDrafts, updateDraft, type DraftNoteRecord } from './statements.ts';
import { DraftNote } from './types.ts';

/** Writing, changing and removing drafts. */

/** How many drafts a person has in one merge request at most: publishing them is one transaction. */
const mostDrafts = 100;

export const shared = { class: 'token', scopes: writes } as const;

/** The fields of an input that name the merge request of a draft. */
export const inMergeRequest = (t: InputsOf) => ({
  projectPath: t.id({ required: true, description: 'Full path or id of the target.' }),
  iid: t.string({ required: true }),
});

/** The fields of an input that name a draft. */
const named = (t: InputsOf) => ({
  id: t.id({ required: true, description: 'A comment of yours that isn’t published yet.' }),
  projectPath: t.id({ description: 'With `iid`: the merge request that it must be in.' }),
  iid: t.string(),
});

const payload = (t: FieldsOf<{ draft: DraftNoteRecord }>) => ({
  draftNote: t.field({ type: DraftNote, resolve: ({ draft }) => draft }),
});

/** The columns of where a draft stands. */
const placed = (place: NewPlace | undefined) =>
  place ? [JSON.stringify(place.original), place.placed.lineCode] : [null, null];

/** @throws InvalidFields if a draft is to resolve a thread, and may not */
export function requireToResolve(context: Context, seen: Noteable, isReply: boolean, resolves: boolean): void {
  if (resolves && (!isReply || !mayOnNoteable(context, seen, resolveNote)))
    throw new InvalidFields({ base: ['User is not allowed to resolve thread'] });
}

mutation('draftNoteCreate', {
  payload,
  description: `Writes a comment of a review, which only you see until you publish it: at most ${mostDrafts} in a merge request.`,
  admission: shared,
  input: (t) => ({
    ...inMergeRequest(t),
    body: t.string({ required: true, description: 'As Markdown.' }),
    discussionId: t.field({ type: 'DiscussionID', description: 'The thread to reply to.' }),
    resolveDiscussion: t.boolean({ description: 'Whether publishing it resolves that thread.' }),
    commitId: t.string({ description: 'The commit that you had in view.' }),
    position: t.field({
      type: DiffPositionInput,
      description: 'Where it stands in the diff. Ignored for a reply, which stands where its thread does.',
    }),
  }),
  resolve: async (context, { body, discussionId: reply, resolveDiscussion, commitId, position, ...name }) => {
    const seen = await reviewedIn(context, name);
    const asked = position && reply == null ? positionOf(position) : undefined;
    const { author, thread } = await checkComment(context, seen, { body, position: asked }, { reply });
    requireToResolve(context, seen, thread.id !== null, resolveDiscussion ?? false);
    if (commitId != null && !/^[0-9a-f]{40}$/i.test(commitId)) throw new InvalidFields({ commitId: ['is invalid'] });
    const where = placed(reply == null ? thread.place : undefined);
    const draft = await context.database.transaction(async (sql) => {
      const [locked] = await sql.rows(lockDrafts, [seen.id]);
      if (!locked) throw new NotFound('MergeRequest');
      const values = [body, thread.id, resolveDiscussion ?? false, commitId ?? null, ...where];
      const [made] = await sql.rows(insertDraft, [seen.id, author, ...values, mostDrafts]);
      if (!made) throw new Unprocessable(`A review has at most ${mostDrafts} draft notes. Publish them first.`);
      return made;
    });
    return { draft };
  },
});

mutation('draftNoteUpdate', {
  payload,
  description: 'Changes a comment of yours that isn’t published yet.',
  admission: shared,
  input: (t) => ({
    ...named(t),
    body: t.string({ description: 'As Markdown.' }),
    position: t.field({
      type: DiffPositionInput,
      description: 'Where it stands in the diff. Ignored for a reply, which stands where its thread does.',
    }),
  }),
  resolve: async (context, { body, position, ...name }) => {
    const { seen, draft } = await lookUpDraft(context, name);
    requireToComment(context, seen);
    if (body != null) checkBody(body);
    const where =
      position && draft.discussionId === null
        ? placed(await placeIn(context, seen, positionOf(position)))
        : [draft.diffPosition && JSON.stringify(draft.diffPosition), draft.lineCode];
    const [changed] = await context.database.rows(updateDraft, [draft.id, body ?? draft.body, ...where]);
    if (!changed) throw new NotFound('DraftNote');
    return { draft: changed };
  },
});

mutation('draftNoteDestroy', {
  payload,
  description: 'Removes a comment of yours that isn’t published yet.',
  admission: shared,
  input: named,
  resolve: async (context, name) => {
    const { seen, draft } = await lookUpDraft(context, name);
    requireToComment(context, seen);
    const [gone] = await context.database.rows(deleteDraft, [draft.id]);
    if (!gone) throw new NotFound('DraftNote');
    return { draft };
  },
});
