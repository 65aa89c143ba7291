import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { batchedLists, batchedRecords } from '../../engine/batched.ts';
import { discussionIdOf, noteableGid, noteIdOf, onOf } from './ids.ts';
import { lookUpNoteable, type Noteable, type NoteableName } from './noteable.ts';
import type { NoteablePlace } from './statements/kinds.ts';
import { placeOfDiscussion, placeOfNote } from './statements/noteables.ts';
import {
  discussionList,
  noteList,
  readDiscussions,
  readNotes,
  type DiscussionRecord,
  type Ends,
  type NoteFilter,
  type NoteRecord,
} from './statements/reading.ts';

/** Single notes and threads, with the rights of the viewer. */

const first = [
  { name: 'id', column: 't.id', type: 'int', direction: 'asc' },
  { after: null, before: null, offset: 0, limit: 1, inverted: false },
] as const;

/** The notes of something that the viewer looked up. */
export const notesOf = ({ viewer }: Context, { kind, id, readsInternal }: Noteable, filter: NoteFilter = {}) =>
  noteList(viewer, { kind, id }, filter, readsInternal);

/** The threads of something that the viewer looked up. @param ends which of their notes; all, if omitted */
export const discussionsOf = (
  { viewer }: Context,
  { kind, id, readsInternal }: Noteable,
  filter: NoteFilter = {},
  ends: Ends | null = null,
) => discussionList(viewer, { kind, id }, filter, readsInternal, ends);

/** A note of something. @throws NotFound also if the viewer doesn't read it */
export async function noteIn(context: Context, seen: Noteable, filter: NoteFilter): Promise<NoteRecord> {
  const { statement, values } = notesOf(context, seen, filter).page(...first);
  const [note] = await context.database.rows(statement, values);
  if (!note) throw new NotFound('Note');
  return note;
}

/** A thread of something. @param ends which of its notes; all, if omitted @throws NotFound also if the viewer doesn't read it */
export async function discussionIn(
  context: Context,
  seen: Noteable,
  discussion: string,
  ends?: Ends | null,
): Promise<DiscussionRecord> {
  const [order, slice] = first;
  const { statement, values } = discussionsOf(context, seen, { discussion }, ends).page(
    { ...order, column: 'f.id' },
    slice,
  );
  const [found] = await context.database.rows(statement, values);
  if (!found) throw new NotFound('Discussion');
  return found;
}

/** What a note is on, without a look at who may read it: its kind and its id. */
export async function placeOf({ database }: Context, note: number) {
  const [place] = await database.rows(placeOfNote, [note]);
  return place && onOf(idsOf(place));
}

const idsOf = ({ issue_id: issueId, merge_request_id: mergeRequestId, snippet_id: snippetId }: NoteablePlace) => ({
  issueId,
  mergeRequestId,
  snippetId,
});

/** What a note or a thread belongs to, named or not. @throws NotFound */
async function noteableOf(
  context: Context,
  name: NoteableName,
  subject: 'Note' | 'Discussion',
  id: number | string,
): Promise<Noteable> {
  if (name.noteableId != null || name.projectPath != null) return await lookUpNoteable(context, name);
  const [place] = await context.database.rows(subject === 'Note' ? placeOfNote : placeOfDiscussion, [id]);
  if (!place) throw new NotFound(subject);
  try {
    return await lookUpNoteable(context, { noteableId: noteableGid(idsOf(place)) });
  } catch (error) {
    throw error instanceof NotFound ? new NotFound(subject) : error;
  }
}

/** A note by its id, and what it belongs to. @param name if given, it must belong to that @throws NotFound */
export async function lookUpNote(
  context: Context,
  { id, discussion, ...name }: NoteableName & { readonly id: string; readonly discussion?: string | null | undefined },
): Promise<{ readonly seen: Noteable; readonly note: NoteRecord }> {
  const seen = await noteableOf(context, name, 'Note', noteIdOf(id));
  const thread = discussion == null ? undefined : (discussionIdOf(discussion) ?? '');
  return { seen, note: await noteIn(context, seen, { note: noteIdOf(id), discussion: thread }) };
}

/** The same for a thread. @param ends which of its notes; all, if omitted @throws NotFound */
export async function lookUpDiscussion(
  context: Context,
  { id, ...name }: NoteableName & { readonly id: string },
  ends?: Ends | null,
): Promise<{ readonly seen: Noteable; readonly discussion: DiscussionRecord }> {
  const key = discussionIdOf(id) ?? '';
  const seen = await noteableOf(context, name, 'Discussion', key);
  return { seen, discussion: await discussionIn(context, seen, key, ends) };
}

const threadsOfNotes = batchedLists(
  async ({ database }, ids, ends: Ends | null) =>
    ends
      ? await database.rows(readDiscussions.ends, [ids, ends.most, ends.whole])
      : await database.rows(readDiscussions.whole, [ids]),
  ({ note_id }) => note_id,
);

/** The thread of a note, which the viewer reads. Those of a page are read with one statement. */
export const discussionOf = async (context: Context, note: number, ends: Ends | null): Promise<DiscussionRecord> =>
  (await threadsOfNotes(context, note, ends))[0]!;

/** A note. The caller has checked that the viewer may read it. Those of a page are read with one statement. */
export const noteById = batchedRecords(readNotes);
