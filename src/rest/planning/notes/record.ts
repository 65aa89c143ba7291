import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';
import { positionFields, positionSchema, presentPosition, type PositionData } from './position.ts';
import { objectSchema, recordOf, type JsonSchema, type Record as WireRecord } from '../../engine/record.ts';
import { moment } from '../../engine/schemas.ts';

export interface NoteData {
  readonly id: number;
  readonly isInThread: boolean;
  readonly body: string;
  readonly author: UserBasicData;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly system: boolean;
  /** Null on a commit. */
  readonly noteableDatabaseId: number | null;
  readonly noteableType: string;
  readonly noteableIid: number | null;
  readonly projectId: number;
  readonly resolvable: boolean;
  readonly resolved: boolean;
  readonly resolvedBy: UserBasicData | null;
  readonly resolvedAt: string | null;
  readonly internal: boolean;
  /** Null unless it stands in a diff. */
  readonly position: PositionData | null;
}

export const noteFields = `id: databaseId isInThread body author { ${userBasicFields} } createdAt updatedAt system noteableDatabaseId noteableType noteableIid projectId
  resolvable resolved resolvedBy { ${userBasicFields} } resolvedAt internal ${positionFields}`;

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

const noteSchema: JsonSchema = objectSchema(
  {
    id: { type: 'integer' },
    type: { enum: ['DiscussionNote', 'DiffNote', null] },
    body: { type: 'string' },
    attachment: { type: 'null' },
    author: UserBasic.schema,
    created_at: moment,
    updated_at: moment,
    system: { type: 'boolean' },
    noteable_id: {
      type: ['integer', 'null'],
      description: 'The ID of the issue, merge request or snippet, not its IID; null on a commit.',
    },
    noteable_type: { enum: ['Issue', 'MergeRequest', 'Snippet', 'Commit'] },
    project_id: { type: 'integer' },
    commit_id: { type: 'null', description: 'Only of a comment in a diff. Always null.' },
    position: positionSchema,
    resolvable: { type: 'boolean' },
    resolved: { type: 'boolean' },
    resolved_by: orNull(UserBasic.schema),
    resolved_at: orNull(moment),
    confidential: { type: 'boolean' },
    internal: { type: 'boolean' },
    imported: { type: 'boolean', const: false },
    imported_from: { type: 'string', const: 'none' },
    noteable_iid: { type: ['integer', 'null'] },
    commands_changes: { type: 'object', description: 'What commands in the text changed.' },
  },
  ['commit_id', 'position', 'resolved', 'resolved_by', 'resolved_at'],
);

const presentNote = (note: NoteData, changes: object = {}) => ({
  id: note.id,
  type: note.position ? 'DiffNote' : note.isInThread ? 'DiscussionNote' : null,
  body: note.body,
  attachment: null,
  author: UserBasic.present(note.author),
  created_at: note.createdAt,
  updated_at: note.updatedAt,
  system: note.system,
  noteable_id: note.noteableDatabaseId,
  noteable_type: note.noteableType,
  project_id: note.projectId,
  // Only comments in a diff have these.
  commit_id: note.position ? null : undefined,
  position: note.position ? presentPosition(note.position) : undefined,
  resolvable: note.resolvable,
  // Only threads that can be resolved have these.
  resolved: note.resolvable ? note.resolved : undefined,
  resolved_by: note.resolvable ? note.resolvedBy && UserBasic.present(note.resolvedBy) : undefined,
  resolved_at: note.resolvable ? note.resolvedAt : undefined,
  confidential: note.internal,
  internal: note.internal,
  imported: false,
  imported_from: 'none',
  noteable_iid: note.noteableIid,
  commands_changes: changes,
});

/** A comment that was written, with what its commands did. */
export interface WrittenData {
  readonly note: NoteData | null;
  readonly quickActionsStatus: { readonly messages: readonly string[]; readonly changes: object } | null;
}

export const writtenFields = `note { ${noteFields} } quickActionsStatus { messages changes }`;

const Written: WireRecord<WrittenData> = {
  name: 'Note',
  schema: noteSchema,
  present: ({ note, quickActionsStatus }) => presentNote(note!, quickActionsStatus?.changes),
};

/** The answer to a text of nothing but commands: no comment was stored. */
export const CommandsDone: WireRecord<WrittenData> = {
  name: 'CommandsDone',
  schema: objectSchema({
    commands_changes: { type: 'object', description: 'What the commands changed.' },
    summary: { type: 'array', items: { type: 'string' }, description: 'The same in words.' },
  }),
  present: ({ quickActionsStatus }) => ({
    commands_changes: quickActionsStatus!.changes,
    summary: quickActionsStatus!.messages,
  }),
};

/** What a route needs for an operation that writes a comment. */
export const writing = <Data>(find: (data: Data) => WrittenData) => ({
  record: recordOf(Written, find),
  instead: { when: (data: Data) => find(data).note === null, record: recordOf(CommandsDone, find) },
});

export const Note: WireRecord<NoteData> = { name: 'Note', schema: noteSchema, present: (note) => presentNote(note) };

export interface DiscussionData {
  readonly key: string;
  readonly individualNote: boolean;
  readonly allNotes: readonly NoteData[];
}

export const discussionFields = `key individualNote allNotes { ${noteFields} }`;

export const Discussion: WireRecord<DiscussionData> = {
  name: 'Discussion',
  schema: objectSchema({
    id: { type: 'string', description: '40 hexadecimal digits.' },
    individual_note: { type: 'boolean', description: 'Whether it is a single comment.' },
    notes: { type: 'array', items: noteSchema },
  }),
  present: ({ key, individualNote, allNotes }) => ({
    id: key,
    individual_note: individualNote,
    notes: allNotes.map((note) => presentNote(note)),
  }),
};
