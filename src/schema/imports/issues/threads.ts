import { createHash } from 'node:crypto';
import { emojiNamed } from '../../../values/emoji.ts';
import { builder } from '../../engine/builder.ts';
import { importing, NotTaken, type Batch } from '../origins/importing.ts';
import { authorOf } from '../people/ghost.ts';
import { changeNote, countThread, insertLink, insertNote, lockIssue, storeAwards } from './statements.ts';

/** What was said about an issue, with its emoji, stored as a whole; and links between issues. */

const ImportedNote = builder.inputType('ImportedNote', {
  fields: (t) => ({
    key: t.string({ required: true }),
    thread: t.string({ required: true, description: 'What notes of one discussion have in common.' }),
    isDiscussion: t.boolean({ required: true, description: 'Whether people reply to it.' }),
    authorKey: t.string(),
    body: t.string({ required: true }),
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
    personKey: t.string({ required: true }),
    name: t.string({ required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
  }),
});

const longestNote = 1_000_000;

/** The 20 bytes of a thread, in hexadecimal: those that it had, if it had such. */
const threadOf = (thread: string): string =>
  /^[0-9a-f]{40}$/.test(thread) ? thread : createHash('sha1').update(thread).digest('hex');

interface Note {
  readonly key: string;
  readonly thread: string;
  readonly isDiscussion: boolean;
  readonly authorKey?: string | null | undefined;
  readonly body: string;
  readonly system: boolean;
  readonly internal: boolean;
  readonly resolvedAt?: Date | null | undefined;
  readonly resolvedByKey?: string | null | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

async function storeNote(batch: Batch, issueId: number, projectId: number, note: Note): Promise<void> {
  const { sql } = batch;
  const body = note.body.trim() === '' || note.body.length > longestNote ? undefined : note.body;
  if (body === undefined) return batch.remark(`A comment is empty or too long: it isn’t here.`);
  const resolved = [note.resolvedAt ?? null, batch.localOf('people', note.resolvedByKey) ?? null];
  const known = batch.localOf('notes', note.key);
  // Without a row, it was removed here.
  if (known !== undefined)
    return void (await sql.rows(changeNote, [known, body, note.internal, ...resolved, note.updatedAt]));
  const [made] = await sql.rows(insertNote, [
    await batch.keep('notes', note.key),
    issueId,
    projectId,
    threadOf(note.thread),
    note.isDiscussion ? 'DISCUSSION' : null,
    await authorOf(batch, note.authorKey),
    body,
    note.system,
    note.internal,
    ...resolved,
    note.createdAt,
    note.updatedAt,
  ]);
  batch.remember('notes', note.key, made!.id);
}

importing('threads', {
  description: 'Imports what was said about issues, whose ids are the keys, and their emoji.',
  record: (t) => ({
    stamp: t.string({ required: true, description: 'What the issue has as long as nothing more is said.' }),
    notes: t.field({ type: [ImportedNote], required: true }),
    awards: t.field({ type: [ImportedAward], required: true }),
  }),
  stamp: ({ stamp }) => stamp,
  refersTo: ({ key, notes, awards }) => [
    ['issues', key],
    ...notes.map((note) => ['notes', note.key] as const),
    ...notes.flatMap(({ authorKey, resolvedByKey }) => [
      ['people', authorKey] as const,
      ['people', resolvedByKey] as const,
    ]),
    ...awards.map(({ personKey }) => ['people', personKey] as const),
  ],
  examine: async (batch, { key, awards }) => {
    const issueId = batch.localOf('issues', key);
    const [row] = issueId === undefined ? [] : await batch.sql.rows(lockIssue, [issueId]);
    if (!row) throw new NotTaken('Its issue isn’t here.');
    const given = [];
    for (const award of awards) {
      const personId = batch.localOf('people', award.personKey);
      const name = (await emojiNamed(award.name))?.name;
      if (personId === undefined || name === undefined) batch.remark(`${award.name} of somebody isn’t here.`);
      else given.push({ personId, name, createdAt: award.createdAt });
    }
    return { issueId: issueId!, projectId: row.project_id, awards: given };
  },
  store: async (batch, { notes }, { issueId, projectId, awards }) => {
    const { sql } = batch;
    for (const note of notes) await storeNote(batch, issueId, projectId, note);
    await sql.rows(storeAwards, [
      issueId,
      awards.map(({ personId }) => personId),
      awards.map(({ name }) => name),
      awards.map(({ createdAt }) => createdAt),
    ]);
    await sql.rows(countThread, [issueId]);
    return null;
  },
});

importing('issueLinks', {
  description: 'Imports links between issues, from each end: nothing is written while the other one isn’t here.',
  record: (t) => ({
    sourceKey: t.string({ required: true }),
    targetKey: t.string({ required: true }),
    createdAt: t.field({ type: 'Time', required: true }),
  }),
  refersTo: ({ sourceKey, targetKey }) => [
    ['issues', sourceKey],
    ['issues', targetKey],
  ],
  examine: async ({ localOf }, { sourceKey, targetKey }) => {
    const [source, target] = [localOf('issues', sourceKey), localOf('issues', targetKey)];
    if (source === undefined) throw new NotTaken('Its issue isn’t here.');
    return { source, target };
  },
  store: async ({ sql }, { createdAt }, { source, target }) =>
    target === undefined ? null : ((await sql.rows(insertLink, [source, target, createdAt]))[0]?.id ?? null),
});
