import { listRoute, ordering } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { declared, missing, newNote, newNoteInput, notedPlaces, noteLimits, passed, type NotedPlace } from './place.ts';
import { Note, noteFields, writing, writtenFields, type NoteData, type WrittenData } from './record.ts';

/** Comments on issues, merge requests and snippets. */

const activity: Parameter = {
  name: 'activity_filter',
  type: 'string',
  allowed: ['all_notes', 'only_comments', 'only_activity'],
  default: 'all_notes',
  description: 'Which notes to list.',
};

/** Of comments on what has a diff. */
const seenHead: Parameter = {
  name: 'merge_request_diff_head_sha',
  type: 'string',
  description: 'The head that you saw: with another one by now, `/merge` in the text does nothing.',
};

function routesOf({ path: at, tag, words, hasDiff, args, name }: NotedPlace): readonly AnyRoute[] {
  const path = `${at}/notes`;
  const one = `${path}/:note_id`;
  const { parameters, variables } = ordering({ created_at: 'created', updated_at: 'updated' }, 'created_at', 'desc', {
    description: 'Time to sort by.',
  });
  const named = (values: Values) => ({ ...name(values), id: values.note_id });
  return [
    listRoute<NoteData>({
      path,
      summary: `List the notes of ${words}`,
      tag,
      of: 'Note',
      parameters: [...parameters, activity],
      field: 'notes',
      args: { ...args, filter: 'NotesFilterType', sort: 'String' },
      selection: noteFields,
      variables: (values) => ({
        ...name(values),
        ...variables(values),
        filter: String(values.activity_filter ?? 'all_notes').toUpperCase(),
      }),
      record: Note,
    }),
    route<{ note: NoteData }>({
      method: 'GET',
      path: one,
      summary: `Get a note of ${words}`,
      tag,
      parameters: [],
      operation: `query ($id: NoteID!, ${declared(args)}) { note(id: $id, ${passed(args)}) { ${noteFields} } }`,
      variables: named,
      subject: 'Note',
      missing,
      record: recordOf(Note, ({ note }) => note),
      dialect: 'version 4',
    }),
    route<{ createNote: WrittenData }>({
      method: 'POST',
      path,
      summary: `Comment on ${words}`,
      tag,
      parameters: [...newNote, ...(hasDiff ? [seenHead] : [])],
      example: { body: 'It leaks again.' },
      operation: `mutation ($input: CreateNoteInput!) { createNote(input: $input) { ${writtenFields} } }`,
      variables: (values) => ({
        input: {
          ...name(values),
          ...newNoteInput(values),
          ...(hasDiff && { mergeRequestDiffHeadSha: values.merge_request_diff_head_sha }),
        },
      }),
      status: 201,
      limits: noteLimits,
      ...writing(({ createNote }) => createNote),
      refusals: [404],
      dialect: 'saving a note',
    }),
    route<{ updateNote: WrittenData }>({
      method: 'PUT',
      path: one,
      summary: `Change a comment on ${words}`,
      tag,
      parameters: [{ name: 'body', type: 'string', notBlank: true, description: 'Text, as Markdown.' }],
      example: { body: 'It leaks again.' },
      operation: `mutation ($input: UpdateNoteInput!) { updateNote(input: $input) { ${writtenFields} } }`,
      variables: (values) => ({ input: { ...named(values), body: values.body } }),
      missing,
      ...writing(({ updateNote }) => updateNote),
      refusals: [404],
      dialect: 'saving a note',
    }),
    route<unknown>({
      method: 'DELETE',
      path: one,
      summary: `Delete a comment on ${words}`,
      tag,
      parameters: [],
      operation: 'mutation ($input: DestroyNoteInput!) { destroyNote(input: $input) { note { id } } }',
      variables: (values, { unmodifiedSince }) => ({ input: { ...named(values), unmodifiedSince } }),
      conditional: true,
      status: 204,
      missing,
      record: NoContent,
      dialect: 'version 4',
    }),
  ];
}

export const noteRoutes: readonly AnyRoute[] = notedPlaces.flatMap(routesOf);
