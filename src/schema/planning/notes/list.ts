import type { ObjectRef } from '@pothos/core';
import { parent } from '../../../database/list.ts';
import { findProject } from '../../../database/access/places.ts';
import { holds, readInternalNote, reads } from '../../../policy/index.ts';
import { orNull } from '../../engine/absent.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { Search } from '../../places/search/fields.ts';
import { Issue } from '../issues/types.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Snippet } from '../snippets/types.ts';
import { lookUpNoteable, nameArguments, prefetchNoteable } from './noteable.ts';
import { discussionOf, discussionsOf, lookUpDiscussion, lookUpNote, notesOf } from './read.ts';
import type { NoteableKind } from './statements/kinds.ts';
import { discussionList, noteList, noteSearch, type NoteFilter } from './statements/reading.ts';
import { Discussion, Note } from './types.ts';

/** Notes and threads: of something, and single ones. */

const NotesFilterType = builder.enumType('NotesFilterType', {
  values: { ALL_NOTES: {}, ONLY_COMMENTS: {}, ONLY_ACTIVITY: {} } as const,
});

const filterArguments = builder.args((t) => ({
  filter: t.field({
    type: NotesFilterType,
    defaultValue: 'ALL_NOTES',
    description: 'Comments, notes of the system, or both.',
  }),
}));

const orders = {
  created: { column: 't.created_at', type: 'timestamptz' },
  updated: { column: 't.updated_at', type: 'timestamptz' },
} as const;

const oldestFirst = {
  orders: { created: { column: 'f.created_at', type: 'timestamptz' } },
  by: 'created_asc',
} as const;

const asked = { admission: { class: 'token', scopes: reads }, prefetch: prefetchNoteable } as const;

rootList('notes', {
  ...asked,
  type: Note,
  description: 'The notes of an issue, a merge request or a snippet that you can read.',
  args: () => ({ ...nameArguments, ...filterArguments }),
  orders,
  by: 'created_desc',
  rows: async (context, { filter, ...name }) =>
    notesOf(context, await lookUpNoteable(context, name), { activity: filter ?? 'ALL_NOTES' }),
});

rootList('discussions', {
  ...asked,
  ...oldestFirst,
  type: Discussion as never,
  description: 'The threads of an issue, a merge request or a snippet that you can read, the oldest first.',
  args: () => nameArguments,
  rows: async (context, name) => discussionsOf(context, await lookUpNoteable(context, name)) as never,
});

builder.queryFields((t) => ({
  note: t.field({
    ...asked,
    type: Note,
    nullable: true,
    description: 'A note; null if it is missing or you can’t read it.',
    args: {
      id: t.arg({ type: 'NoteID', required: true }),
      discussionId: t.arg.id({ description: 'If given, it must be a part of this thread.' }),
      ...nameArguments,
    },
    resolve: async (_root, { discussionId: discussion, ...name }, context) =>
      (await orNull('Note', lookUpNote(context, { ...name, discussion })))?.note ?? null,
  }),
  discussion: t.field({
    ...asked,
    type: Discussion,
    nullable: true,
    description: 'A thread; null if it is missing or you can’t read it.',
    args: { id: t.arg.id({ required: true }), ...nameArguments },
    resolve: async (_root, name, context) =>
      (await orNull('Discussion', lookUpDiscussion(context, name)))?.discussion ?? null,
  }),
}));

builder.objectField(Note, 'discussion', (t) =>
  t.field({
    type: Discussion,
    description: 'Its thread.',
    resolve: async ({ id }, _args, context) => (await discussionOf(context, id))!,
  }),
);

/** Adds the fields `notes` and `discussions` to a type. The viewer reads its records. */
function noteable<Record extends { readonly id: number }>(type: ObjectRef<Types, Record>, kind: NoteableKind): void {
  const notesOfEach = listOfEach(({ viewer }, filter: NoteFilter) => noteList(viewer, { kind, id: parent }, filter));
  const threadsOfEach = listOfEach(({ viewer }) => discussionList(viewer, { kind, id: parent }, {}));
  nestedList(type, 'notes', {
    type: Note,
    description: 'Its notes that you can read.',
    args: () => filterArguments,
    orders,
    by: 'created_asc',
    rows: (context, { filter }, _info, { id }) => notesOfEach(context, id, { activity: filter ?? 'ALL_NOTES' }),
  });
  nestedList(type, 'discussions', {
    ...oldestFirst,
    type: Discussion as never,
    description: 'Its threads that you can read, the oldest first.',
    rows: (context, _asked, _info, { id }) => threadsOfEach(context, id, {}) as never,
  });
}

noteable(Issue, 'Issue');
noteable(MergeRequest, 'MergeRequest');
noteable(Snippet, 'Snippet');

nestedList(Search, 'notes', {
  type: Note,
  nullable: true,
  description: 'Comments with all words, on what you can read, the newest first. Only in a project; null elsewhere.',
  orders,
  by: 'created_desc',
  rows: async (context, _asked, _info, { text, place }) => {
    if (place?.scope !== 'project') return null;
    const row = await lookUp(context, findProject, 'Project', String(place.id));
    const { viewer } = context;
    return noteSearch(viewer, row.id, text, holds(readInternalNote, viewer, facts(row)));
  },
});
