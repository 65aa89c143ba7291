import type { ObjectRef } from '@pothos/core';
import { parent } from '../../../database/list.ts';
import { findProject } from '../../../database/access/places.ts';
import { holds, readInternalNote, reads } from '../../../policy/index.ts';
import { orNull } from '../../engine/absent.ts';
import { builder, type Types } from '../../engine/builder.ts';
import { listOfEach, nestedList, rootList } from '../../engine/list.ts';
import { usually } from '../../engine/page.ts';
import { facts, lookUp } from '../../places/place/look-up.ts';
import { Search } from '../../places/search/fields.ts';
import { Issue } from '../issues/types.ts';
import { MergeRequest } from '../../reviews/merge-requests/types.ts';
import { Snippet } from '../snippets/types.ts';
import { noteIdOf } from './ids.ts';
import { lookUpNoteable, nameArguments, prefetchNoteable } from './noteable.ts';
import { discussionOf, discussionsOf, lookUpDiscussion, lookUpNote, notesOf } from './read.ts';
import type { NoteableKind } from './statements/kinds.ts';
import { discussionList, noteList, noteSearch, threadNotes, type Ends, type NoteFilter } from './statements/reading.ts';
import { Discussion, endsIn, Note, stateOf } from './types.ts';

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

/** The paths of the records of a list. */
const ofEachNode = [['nodes'], ['edges', 'node']];

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
  rows: async (context, name, info) => {
    const ends = endsIn(info, ...ofEachNode);
    return discussionsOf(context, await lookUpNoteable(context, name), {}, ends) as never;
  },
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
    resolve: async (_root, name, context, info) =>
      (await orNull('Discussion', lookUpDiscussion(context, name, endsIn(info, []))))?.discussion ?? null,
  }),
}));

builder.objectField(Note, 'discussion', (t) =>
  t.field({
    type: Discussion,
    description: 'Its thread.',
    resolve: ({ id }, _args, context, info) => discussionOf(context, id, endsIn(info, [])),
  }),
);

const notesOfEachThread = listOfEach(({ viewer }, { before }: { readonly before?: number | undefined }) =>
  threadNotes(viewer, before),
);

nestedList(Discussion, 'notes', {
  type: Note,
  description: 'The oldest first.',
  ...usually(20),
  orders: { id: { column: 't.id', type: 'int' } },
  by: 'id_asc',
  args: (t) => ({ beforeNote: t.field({ type: 'NoteID', description: 'Only those before this one.' }) }),
  rows: (context, { beforeNote }, _info, discussion) => {
    const before = beforeNote == null ? undefined : noteIdOf(beforeNote);
    const list = notesOfEachThread(context, discussion.id, { before });
    const { count, continued } = stateOf(discussion);
    return before === undefined && !continued ? { ...list, count: async () => count } : list;
  },
});

/** Adds the fields `notes` and `discussions` to a type. The viewer reads its records. */
function noteable<Record extends { readonly id: number }>(type: ObjectRef<Types, Record>, kind: NoteableKind): void {
  const notesOfEach = listOfEach(({ viewer }, filter: NoteFilter) => noteList(viewer, { kind, id: parent }, filter));
  const threadsOfEach = listOfEach(({ viewer }, ends: Ends | null) =>
    discussionList(viewer, { kind, id: parent }, {}, undefined, ends),
  );
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
    rows: (context, _asked, info, { id }) => threadsOfEach(context, id, endsIn(info, ...ofEachNode)) as never,
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
