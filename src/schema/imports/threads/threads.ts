import { createHash } from 'node:crypto';
import { emojiNamed } from '../../../values/text/emoji.ts';
import { longestNote } from '../../../values/text/lengths.ts';
import { storable } from '../../../values/text/storable.ts';
import { builder } from '../../engine/builder.ts';
import { lineCodeOf } from '../../reviews/diff-notes/position.ts';
import { importing, NotTaken, type Batch } from '../origins/importing.ts';
import { authorOf, personOf } from '../people/persons.ts';
import { ImportedChange, referencesOf, storeChanges } from './changes.ts';
import { changeNote, countThread, insertNote, lockItem, removeNotes, storeAwards, type Item } from './statements.ts';
import { largestInteger } from '../../../values/integers.ts';

/** What was said about an issue or a merge request, with its emoji and changes, stored as a whole. */

const ImportedNote = builder.inputType('ImportedNote', {
  fields: (t) => ({
    key: t.string({ required: true }),
    thread: t.string({ required: true, description: 'What notes of one discussion have in common.' }),
    isDiscussion: t.boolean({ required: true, description: 'Whether people reply to it.' }),
    authorKey: t.string(),
    body: t.string({ required: true }),
    position: t.field({ type: 'JSON', description: 'Of a comment in a diff: where it stands, as version 4 has it.' }),
    system: t.boolean({ required: true }),
    internal: t.boolean({ required: true }),
    resolvedAt: t.field({ type: 'Time' }),
    resolvedByKey: t.string(),
    createdAt: t.field({ type: 'Time', required: true }),
    updatedAt: t.field({ type: 'Time', required: true }),
  }),
});

const ImportedAward = builder.inputType('ImportedAward', {
  fields: (t) => ({
    key: t.string(),
    personKey: t.string({ required: true }),
    name: t.string({ required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
  }),
});

/** The 20 bytes of a thread, in hexadecimal: those that it had, if it had such. */
const threadOf = (thread: string): string =>
  /^[0-9a-f]{40}$/.test(thread) ? thread : createHash('sha1').update(thread).digest('hex');

interface Note {
  readonly key: string;
  readonly thread: string;
  readonly isDiscussion: boolean;
  readonly authorKey?: string | null | undefined;
  readonly body: string;
  readonly position?: unknown;
  readonly system: boolean;
  readonly internal: boolean;
  readonly resolvedAt?: Date | null | undefined;
  readonly resolvedByKey?: string | null | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

async function storeNote(batch: Batch, item: Item, { id: itemId, projectId }: On, note: Note): Promise<void> {
  const { sql } = batch;
  const body = note.body.trim() === '' || note.body.length > longestNote ? undefined : note.body;
  if (body === undefined) return batch.remark('A comment is empty or too long: it isn’t here.');
  const resolved = [note.resolvedAt ?? null, personOf(batch, 'resolver', note.resolvedByKey)];
  const known = batch.localOf('notes', note.key);
  // Without a row, it was removed here.
  if (known !== undefined)
    return void (await sql.rows(changeNote, [known, body, note.internal, ...resolved, note.updatedAt]));
  const place = item === 'merge_request' ? placeIn(note.position) : undefined;
  const id = await batch.keep('notes', note.key);
  const [made] = await sql.rows(insertNote[item], [
    id,
    itemId,
    projectId,
    threadOf(note.thread),
    place ? 'DIFF' : note.isDiscussion ? 'DISCUSSION' : null,
    await authorOf(batch, note.authorKey),
    body,
    note.system,
    note.internal,
    ...resolved,
    note.createdAt,
    note.updatedAt,
    place ? JSON.stringify(place.position) : null,
    place?.lineCode ?? null,
  ]);
  if (made!.id !== id) batch.remark('A comment has another id here.');
  batch.remember('notes', note.key, made!.id);
}

/** What is talked about. */
interface On {
  readonly id: number;
  readonly projectId: number;
}

const sha = /^[0-9a-f]{40}$/;
const text = (value: unknown) => (typeof value === 'string' ? storable(value) : undefined);
const line = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= largestInteger ? value : null;

/** Where a comment stands in a diff; undefined if it stands nowhere. */
function placeIn(given: unknown) {
  if (typeof given !== 'object' || given === null) return undefined;
  const { base_sha, start_sha, head_sha, old_path, new_path, old_line, new_line } = given as Record<string, unknown>;
  const path = text(new_path) ?? text(old_path);
  const [old, now] = [line(old_line), line(new_line)];
  const commits = [base_sha, start_sha, head_sha].map(text);
  if (path === undefined || (old === null && now === null) || !commits.every((one) => sha.test(one ?? '')))
    return undefined;
  const position = {
    base_sha,
    start_sha,
    head_sha,
    old_path: text(old_path) ?? path,
    new_path: path,
    position_type: 'text',
    old_line: old,
    new_line: now,
    line_range: null,
  };
  return { position, lineCode: lineCodeOf(path, { old: old ?? 0, new: now ?? 0 }) };
}

interface Award {
  readonly key?: string | null | undefined;
  readonly personKey: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** Emoji that are known here, of people who are here. */
async function awardsOf(batch: Batch, awards: readonly Award[]) {
  const known = [];
  for (const { key, personKey, name: given, createdAt } of awards) {
    const personId = batch.localOf('people', personKey);
    const name = (await emojiNamed(given))?.name;
    if (personId === undefined || name === undefined) batch.remark(`The emoji ${given.slice(0, 100)} isn’t here.`);
    else known.push({ key, personId, name, createdAt });
  }
  return known;
}

/** Declares what was said about a kind of things. */
function importThreads(kind: 'threads' | 'reviewThreads', owner: 'issues' | 'mergeRequests', item: Item): void {
  importing(kind, {
    description: 'Imports what was said about issues or merge requests, whose ids are the keys, and their emoji.',
    record: (t) => ({
      stamp: t.string({ required: true, description: 'What it has as long as nothing more is said.' }),
      notes: t.field({
        type: [ImportedNote],
        description: 'Omitted: those that are here stay. Imported ones that it lacks are removed.',
      }),
      awards: t.field({ type: [ImportedAward], description: 'Omitted: those that are here stay.' }),
      changes: t.field({ type: [ImportedChange], description: 'Of labels, milestone and state.' }),
    }),
    stamp: ({ stamp }) => stamp,
    refersTo: ({ key, notes, awards, changes }) => [
      [owner, key],
      ...(notes ?? []).map((note) => ['notes', note.key] as const),
      ...(notes ?? []).flatMap(({ authorKey, resolvedByKey }) => [
        ['people', authorKey] as const,
        ['people', resolvedByKey] as const,
      ]),
      ...(awards ?? []).map(({ personKey }) => ['people', personKey] as const),
      ...referencesOf(changes ?? []),
    ],
    examine: async (batch, { key, awards }) => {
      const id = batch.localOf(owner, key);
      const [row] = id === undefined ? [] : await batch.sql.rows(lockItem[item], [id]);
      if (!row) throw new NotTaken('What it is about isn’t here.');
      return { id: id!, projectId: row.project_id, awards: awards && (await awardsOf(batch, awards)) };
    },
    store: async (batch, { notes, changes }, { id, projectId, awards }) => {
      const { sql } = batch;
      for (const note of notes ?? []) await storeNote(batch, item, { id, projectId }, note);
      if (notes) await sql.rows(removeNotes[item], [id, batch.originId, notes.map((note) => note.key)]);
      if (awards)
        await sql.rows(storeAwards[item], [
          id,
          awards.map(({ personId }) => personId),
          awards.map(({ name }) => name),
          awards.map(({ createdAt }) => createdAt),
          await batch.keepAll(
            'awards',
            awards.map(({ key }) => key),
          ),
        ]);
      await storeChanges(batch, item, id, changes ?? []);
      await sql.rows(countThread[item], [id]);
      return null;
    },
  });
}

importThreads('threads', 'issues', 'issue');
importThreads('reviewThreads', 'mergeRequests', 'merge_request');
