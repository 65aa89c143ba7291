import type { Context } from '../../../context.ts';
import { adminNote, createNote, holds, isOpenTo, reads, resolveNote, type Discussed } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rightsById } from '../../places/projects/permissions.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { mergeRequestById } from '../../reviews/merge-requests/read.ts';
import { issueById } from '../issues/read.ts';
import { Issue } from '../issues/types.ts';
import { snippetById } from '../snippets/read.ts';
import { Snippet } from '../snippets/types.ts';
import { onOf } from './ids.ts';
import type { NoteRecord } from './statements/reading.ts';
import { Discussion, isResolvable, Note } from './types.ts';

/** What the viewer may do with notes, and what threads are about. */

const NoteableType = builder.unionType('NoteableType', {
  description: 'What is discussed.',
  types: [Issue, MergeRequest, Snippet],
  resolveType: (one) => ('paths' in one ? 'Snippet' : 'sourceBranch' in one ? 'MergeRequest' : 'Issue'),
});

/** What a note is on. The viewer reads it: they read the note. */
async function noteableOf(context: Context, on: Parameters<typeof onOf>[0]) {
  const { kind, id } = onOf(on);
  if (kind === 'Issue') return await issueById(context, id);
  if (kind === 'MergeRequest') return await mergeRequestById(context, id);
  return (await snippetById(context, id)) ?? null;
}

builder.objectField(Discussion, 'noteable', (t) =>
  t.field({
    type: NoteableType,
    nullable: true,
    description: 'What it is about.',
    // A token that reads only people sees no issues, also not through their activity.
    admission: { class: 'token', scopes: reads },
    resolve: ({ notes: [note] }, _args, context) => noteableOf(context, note!),
  }),
);

/** A note, with what decides what the viewer may do with it. */
interface NoteRights extends Discussed {
  readonly note: NoteRecord;
}

async function rightsOn(context: Context, note: NoteRecord): Promise<NoteRights> {
  const [project, on] = await Promise.all([rightsById(context, note.projectId), noteableOf(context, note)]);
  const { facts, archived: isArchived } = project!;
  // Only issues and merge requests have threads to resolve, and are locked.
  if (on === null || !('assigneeId' in on)) return { note, facts, isArchived, isLocked: false };
  const { authorId, assigneeId } = on;
  const about =
    'confidential' in on
      ? { issue: { authorId, assigneeId, confidential: on.confidential } }
      : { mergeRequest: { authorId, assigneeId } };
  return { note, facts: { ...facts, ...about }, isArchived, isLocked: on.discussionLocked ?? false };
}

const mayComment = (rights: NoteRights, { viewer }: Context) =>
  holds(createNote, viewer, rights.facts) && isOpenTo(viewer, rights);

const NotePermissions = builder.objectRef<NoteRights>('NotePermissions').implement({
  description: 'What you may do with a note.',
  fields: (t) => ({
    readNote: t.boolean({ description: 'True: you read it.', resolve: () => true }),
    createNote: t.boolean({
      description: 'Whether you comment where it is.',
      resolve: (rights, _args, context) => mayComment(rights, context),
    }),
    awardEmoji: t.boolean({
      description: 'Whether you give emoji to it.',
      resolve: (rights, _args, context) => !rights.note.system && mayComment(rights, context),
    }),
    adminNote: t.boolean({
      description: 'Whether you change and delete it.',
      resolve: (rights, _args, context) =>
        !rights.note.system &&
        mayComment(rights, context) &&
        (rights.note.authorId === context.viewer.person?.id || holds(adminNote, context.viewer, rights.facts)),
    }),
    resolveNote: t.boolean({
      description: 'Whether you resolve its thread.',
      resolve: (rights, _args, context) =>
        isResolvable(rights.note) && mayComment(rights, context) && holds(resolveNote, context.viewer, rights.facts),
    }),
  }),
});

builder.objectField(Note, 'userPermissions', (t) =>
  t.field({ type: NotePermissions, resolve: (note, _args, context) => rightsOn(context, note) }),
);
