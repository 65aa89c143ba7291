import { listRoute } from '../../engine/list-route.ts';
import type { Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import {
  declared,
  missing,
  newNote,
  newNoteInput,
  notedPlaces,
  noteLimits,
  oneOfBoth,
  passed,
  resolved,
  type NotedPlace,
} from './place.ts';
import { position, positionOf } from './position.ts';
import {
  CommandsDone,
  Discussion,
  discussionFields,
  Note,
  noteFields,
  writing,
  writtenFields,
  type DiscussionData,
  type NoteData,
  type WrittenData,
} from './record.ts';

/** Threads on issues, merge requests and snippets. */

type StartedData = Pick<WrittenData, 'quickActionsStatus'> & {
  readonly note: { readonly discussion: DiscussionData } | null;
};

/** Either changes a comment or resolves it. */
const change = `mutation ($text: UpdateNoteInput!, $state: NoteToggleResolveInput!, $resolves: Boolean!) {
  updateNote(input: $text) @skip(if: $resolves) { ${writtenFields} }
  noteToggleResolve(input: $state) @include(if: $resolves) { note { ${noteFields} } }
}`;

/** The route that resolves a thread. */
const resolving = (
  path: string,
  tag: string,
  words: string,
  thread: (values: Values) => Readonly<Record<string, unknown>>,
): AnyRoute =>
  route<{ discussionToggleResolve: { discussion: DiscussionData } }>({
    method: 'PUT',
    path: `${path}/:discussion_id`,
    summary: `Resolve a thread on ${words}, or open it again`,
    tag,
    parameters: [{ ...resolved, required: true }],
    operation: `mutation ($input: DiscussionToggleResolveInput!) { discussionToggleResolve(input: $input) { discussion { ${discussionFields} } } }`,
    variables: (values) => ({ input: { ...thread(values), resolve: values.resolved ?? false } }),
    record: recordOf(Discussion, ({ discussionToggleResolve }) => discussionToggleResolve.discussion),
    dialect: 'version 4',
  });

function routesOf({ path: at, tag, words, resolves, hasDiff, args, name }: NotedPlace): readonly AnyRoute[] {
  const path = `${at}/discussions`;
  const one = `${path}/:discussion_id`;
  const note = `${one}/notes/:note_id`;
  const thread = (values: Values) => ({ ...name(values), id: values.discussion_id });
  const inThread = (values: Values) => ({ ...name(values), id: values.note_id, discussionId: values.discussion_id });
  const ofThread = { id: 'ID!', ...args };
  return [
    listRoute<DiscussionData>({
      path,
      summary: `List the threads on ${words}`,
      tag,
      of: 'Discussion',
      parameters: [],
      field: 'discussions',
      args,
      selection: discussionFields,
      variables: name,
      record: Discussion,
    }),
    route<{ discussion: DiscussionData }>({
      method: 'GET',
      path: one,
      summary: `Get a thread on ${words}`,
      tag,
      parameters: [],
      operation: `query (${declared(ofThread)}) { discussion(${passed(ofThread)}) { ${discussionFields} } }`,
      variables: thread,
      subject: 'Discussion',
      record: recordOf(Discussion, ({ discussion }) => discussion),
      dialect: 'version 4',
    }),
    route<{ createDiscussion: StartedData }>({
      method: 'POST',
      path,
      summary: `Start a thread on ${words}`,
      tag,
      parameters: hasDiff ? [...newNote, position] : newNote,
      example: { body: 'Does it leak?' },
      operation: `mutation ($input: CreateDiscussionInput!) { createDiscussion(input: $input) { note { discussion { ${discussionFields} } } quickActionsStatus { messages changes } } }`,
      variables: (values) => ({
        input: {
          ...name(values),
          ...newNoteInput(values),
          position: positionOf(values.position),
        },
      }),
      status: 201,
      limits: noteLimits,
      record: recordOf(Discussion, ({ createDiscussion }) => createDiscussion.note!.discussion),
      instead: {
        when: ({ createDiscussion }) => createDiscussion.note === null,
        record: recordOf(CommandsDone, ({ createDiscussion }) => ({ ...createDiscussion, note: null })),
      },
      refusals: [404],
      dialect: 'saving a note',
    }),
    ...(resolves ? [resolving(path, tag, words, thread)] : []),
    listRoute<NoteData>({
      path: `${one}/notes`,
      summary: `List the comments of a thread on ${words}`,
      tag,
      of: 'Note',
      parameters: [],
      within: { field: 'discussion', args: ofThread },
      field: 'notes',
      selection: noteFields,
      variables: thread,
      subject: 'Notes',
      record: Note,
    }),
    route<{ createNote: WrittenData }>({
      method: 'POST',
      path: `${one}/notes`,
      summary: `Reply in a thread on ${words}`,
      tag,
      parameters: newNote,
      example: { body: 'It does.' },
      operation: `mutation ($input: CreateNoteInput!) { createNote(input: $input) { ${writtenFields} } }`,
      variables: (values) => ({
        input: {
          ...name(values),
          ...newNoteInput(values),
          discussionId: values.discussion_id,
        },
      }),
      status: 201,
      limits: noteLimits,
      ...writing(({ createNote }) => createNote),
      refusals: [404],
      dialect: 'saving a note',
    }),
    route<{ note: NoteData }>({
      method: 'GET',
      path: note,
      summary: `Get a comment of a thread on ${words}`,
      tag,
      parameters: [],
      operation: `query ($id: NoteID!, $discussionId: ID!, ${declared(args)}) { note(id: $id, discussionId: $discussionId, ${passed(args)}) { ${noteFields} } }`,
      variables: inThread,
      subject: 'Note',
      missing,
      record: recordOf(Note, (data) => data.note),
      dialect: 'version 4',
    }),
    route<{ updateNote?: WrittenData; noteToggleResolve?: { note: NoteData } }>({
      method: 'PUT',
      path: note,
      summary: `Change or resolve a comment of a thread on ${words}`,
      tag,
      parameters: oneOfBoth,
      operation: change,
      variables: (values) => ({
        text: { ...inThread(values), body: values.body },
        state: { ...inThread(values), resolve: values.resolved ?? false },
        resolves: values.resolved != null,
      }),
      missing,
      ...writing(
        ({ updateNote, noteToggleResolve }) => updateNote ?? { ...noteToggleResolve!, quickActionsStatus: null },
      ),
      refusals: [404],
      dialect: 'saving a note',
    }),
    route<unknown>({
      method: 'DELETE',
      path: note,
      summary: `Delete a comment of a thread on ${words}`,
      tag,
      parameters: [],
      operation: 'mutation ($input: DestroyNoteInput!) { destroyNote(input: $input) { note { id } } }',
      variables: (values, { unmodifiedSince }) => ({ input: { ...inThread(values), unmodifiedSince } }),
      conditional: true,
      status: 204,
      missing,
      record: NoContent,
      dialect: 'version 4',
    }),
  ];
}

export const discussionRoutes: readonly AnyRoute[] = notedPlaces.flatMap(routesOf);
