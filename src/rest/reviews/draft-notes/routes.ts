import {
  positionOf,
  position,
  positionFields,
  positionSchema,
  presentPosition,
  type PositionData,
} from '../../planning/notes/position.ts';
import { noteLimits } from '../../planning/notes/place.ts';
import { flag, text } from '../../engine/declared.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Parameter, Values } from '../../engine/parameters.ts';
import { NoContent, objectSchema, recordOf, type Record as WireRecord } from '../../engine/record.ts';
import { route, type AnyRoute } from '../../engine/route.ts';
import { nameOf, notFound, one as mergeRequest } from '../merge-requests/actions.ts';

/** Routes of the comments of a review that isn't published yet. */

const path = `${mergeRequest}/draft_notes`;
const one = `${path}/:draft_note_id`;
const tag = 'Draft notes of merge requests';

const missing = { ...notFound, DraftNote: '404 Not found' };

interface DraftNoteData {
  readonly id: number;
  readonly authorId: number;
  readonly mergeRequestId: number;
  readonly resolveDiscussion: boolean;
  readonly discussionKey: string | null;
  readonly body: string;
  readonly commitId: string | null;
  readonly lineCode: string | null;
  readonly position: PositionData | null;
}

const fields = `id: databaseId authorId mergeRequestId resolveDiscussion discussionKey body commitId lineCode ${positionFields}`;

const textOrNull = { type: ['string', 'null'] };

/** Clients read the members of a position without asking whether there is one. */
const nowhere = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  old_path: null,
  new_path: null,
  position_type: 'text',
  old_line: null,
  new_line: null,
  line_range: null,
};

const DraftNote: WireRecord<DraftNoteData> = {
  name: 'DraftNote',
  schema: objectSchema({
    id: { type: 'integer' },
    author_id: { type: 'integer' },
    merge_request_id: { type: 'integer', description: 'The ID of the merge request, not its IID.' },
    resolve_discussion: { type: 'boolean', description: 'Whether publishing it resolves the thread.' },
    discussion_id: { ...textOrNull, description: 'The thread that it replies to.' },
    note: { type: 'string' },
    commit_id: textOrNull,
    line_code: textOrNull,
    position: { anyOf: [positionSchema, { type: 'object', description: 'Not in the diff: all are null.' }] },
  }),
  present: (draft) => ({
    id: draft.id,
    author_id: draft.authorId,
    merge_request_id: draft.mergeRequestId,
    resolve_discussion: draft.resolveDiscussion,
    discussion_id: draft.discussionKey,
    note: draft.body,
    commit_id: draft.commitId,
    line_code: draft.lineCode,
    position: draft.position ? presentPosition(draft.position) : nowhere,
  }),
};

const note: Parameter = { name: 'note', type: 'string', description: 'Text, as Markdown.' };

/** A parameter that may be omitted. */
function optional(parameter: Parameter): Parameter {
  const { required, ...rest } = parameter;
  return required ? rest : parameter;
}

/** Clients that change the text send the position that they read, which may be that of a comment outside of the diff. */
const anyPosition: Parameter = { ...position, of: position.of!.map(optional) };

const newPosition = (given: Values[string]) => {
  const isGiven =
    given != null && Object.entries(given).some(([name, value]) => name !== 'position_type' && value != null);
  return isGiven ? positionOf(given) : undefined;
};

const nameIn = (values: Values) => ({ ...nameOf(values), id: values.draft_note_id });

export const draftNoteRoutes: readonly AnyRoute[] = [
  listRoute<DraftNoteData>({
    path,
    summary: 'List your draft notes of a merge request',
    tag,
    of: 'DraftNote',
    within: { field: 'mergeRequest', args: { project: 'ID', iid: 'String' } },
    subject: 'MergeRequest',
    missing,
    parameters: [],
    field: 'draftNotes',
    selection: fields,
    variables: ({ id: project, merge_request_iid: iid }) => ({ project, iid }),
    person: 401,
    record: DraftNote,
  }),
  route<{ draftNote: DraftNoteData }>({
    method: 'GET',
    path: one,
    summary: 'Get a draft note of yours',
    tag,
    parameters: [],
    operation: `query ($id: ID!, $projectPath: ID!, $iid: String!) { draftNote(id: $id, projectPath: $projectPath, iid: $iid) { ${fields} } }`,
    variables: nameIn,
    person: 401,
    subject: 'DraftNote',
    missing,
    record: recordOf(DraftNote, (data) => data.draftNote),
    dialect: 'version 4',
  }),
  route<{ draftNoteCreate: { draftNote: DraftNoteData } }>({
    method: 'POST',
    path,
    summary: 'Write a draft note, which only you see until you publish it',
    tag,
    parameters: [
      { ...note, required: true },
      text('in_reply_to_discussion_id', 'The thread to reply to.'),
      text('commit_id', 'The commit that you had in view.'),
      flag('resolve_discussion', 'Whether publishing it resolves the thread that it replies to.'),
      position,
    ],
    example: { note: 'Does it leak?' },
    operation: `mutation ($input: DraftNoteCreateInput!) { draftNoteCreate(input: $input) { draftNote { ${fields} } } }`,
    variables: (values) => ({
      input: {
        ...nameOf(values),
        body: values.note ?? '',
        discussionId: values.in_reply_to_discussion_id,
        commitId: values.commit_id,
        resolveDiscussion: values.resolve_discussion,
        position: positionOf(values.position),
      },
    }),
    status: 201,
    limits: noteLimits,
    missing,
    record: recordOf(DraftNote, ({ draftNoteCreate }) => draftNoteCreate.draftNote),
    refusals: [404, 422],
    dialect: 'version 4',
  }),
  route<{ draftNoteUpdate: { draftNote: DraftNoteData } }>({
    method: 'PUT',
    path: one,
    summary: 'Change a draft note of yours',
    tag,
    parameters: [note, anyPosition, { rule: 'at least one', of: ['note', 'position'] }],
    example: { note: 'Does it really leak?' },
    operation: `mutation ($input: DraftNoteUpdateInput!) { draftNoteUpdate(input: $input) { draftNote { ${fields} } } }`,
    variables: (values) => ({
      input: { ...nameIn(values), body: values.note, position: newPosition(values.position) },
    }),
    missing,
    record: recordOf(DraftNote, ({ draftNoteUpdate }) => draftNoteUpdate.draftNote),
    refusals: [404],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'DELETE',
    path: one,
    summary: 'Remove a draft note of yours',
    tag,
    parameters: [],
    operation: 'mutation ($input: DraftNoteDestroyInput!) { draftNoteDestroy(input: $input) { draftNote { id } } }',
    variables: (values) => ({ input: nameIn(values) }),
    status: 204,
    missing,
    record: NoContent,
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'PUT',
    path: `${one}/publish`,
    summary: 'Publish a draft note of yours: it becomes a comment',
    tag,
    parameters: [],
    operation: 'mutation ($input: DraftNotePublishInput!) { draftNotePublish(input: $input) { notes { id } } }',
    variables: (values) => ({ input: nameIn(values) }),
    status: 204,
    limits: noteLimits,
    missing,
    record: NoContent,
    refusals: [404, 409],
    dialect: 'version 4',
  }),
  route<unknown>({
    method: 'POST',
    path: `${path}/bulk_publish`,
    summary:
      'Publish all of your draft notes of a merge request, or none of them; one of commands that do nothing stays, if there are others',
    tag,
    parameters: [
      text('note', 'A further comment about the whole, as Markdown.'),
      flag('internal', 'Whether only planners and above see that one.'),
    ],
    operation: 'mutation ($input: DraftNotesPublishInput!) { draftNotesPublish(input: $input) { notes { id } } }',
    variables: (values) => ({ input: { ...nameOf(values), body: values.note, internal: values.internal } }),
    status: 204,
    limits: noteLimits,
    missing,
    record: NoContent,
    refusals: [404, 409],
    dialect: 'version 4',
  }),
];
