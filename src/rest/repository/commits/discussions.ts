import { ModelProblem } from '../../engine/errors.ts';
import { listRoute } from '../../engine/list-route.ts';
import type { Values } from '../../engine/parameters.ts';
import { NoContent, recordOf } from '../../engine/record.ts';
import { route, type AnyRoute, type Route } from '../../engine/route.ts';
import { userBasicFields } from '../../accounts/users/basic.ts';
import { missing, newNote, noteLimits, oneOfBoth } from '../../planning/notes/place.ts';
import { position, positionFields, positionOf } from '../../planning/notes/position.ts';
import {
  Discussion,
  Note,
  writing,
  type DiscussionData,
  type NoteData,
  type WrittenData,
} from '../../planning/notes/record.ts';
import { ofCommit } from './around.ts';

/** Threads on commits. */

const tag = 'Comments on commits';
const path = '/api/v4/projects/:id/repository/commits/:sha/discussions';
const one = `${path}/:discussion_id`;
const note = `${one}/notes/:note_id`;

/** A comment on a commit, as far as it differs from others. */
type CommentData = Pick<
  NoteData,
  'id' | 'isInThread' | 'body' | 'author' | 'createdAt' | 'updatedAt' | 'projectId' | 'position'
> & { readonly discussionKey: string };

const fields = `id: databaseId isInThread body: note author { ${userBasicFields} } createdAt updatedAt projectId discussionKey ${positionFields}`;

const noteOf = (comment: CommentData): NoteData => ({
  ...comment,
  system: false,
  noteableDatabaseId: null,
  noteableType: 'Commit',
  noteableIid: null,
  resolvable: false,
  resolved: false,
  resolvedBy: null,
  resolvedAt: null,
  internal: false,
});

type ThreadData = Omit<DiscussionData, 'allNotes'> & { readonly allNotes: readonly CommentData[] };

const threadFields = `key individualNote allNotes { ${fields} }`;

const threadOf = ({ allNotes, ...thread }: ThreadData): DiscussionData => ({
  ...thread,
  allNotes: allNotes.map(noteOf),
});

interface SavedData extends Pick<WrittenData, 'quickActionsStatus'> {
  readonly comment: CommentData | null;
}

const savedFields = `comment { ${fields} } quickActionsStatus { messages changes }`;

const writtenOf = ({ comment, quickActionsStatus }: SavedData): WrittenData => ({
  note: comment && noteOf(comment),
  quickActionsStatus,
});

const commit = ({ id, sha }: Values) => ({ project: id, ref: sha });
const commitInput = ({ id, sha }: Values) => ({ projectPath: id, sha });
const inThread = (values: Values) => ({
  ...commitInput(values),
  id: values.note_id,
  discussionId: values.discussion_id,
});

/** Unlike the pages, REST shows threads only to people. */
const person = 401;

const shared = { tag, person, withoutRepository: 404, refusals: [404] } as const satisfies Partial<Route>;

/** Internal comments are only offered where people take part. */
const words = newNote.filter(({ name }) => name === 'body' || name === 'created_at');
const wordsOf = (values: Values) => ({
  ...commitInput(values),
  note: values.body ?? '',
  createdAt: values.created_at,
});

const write = `mutation ($input: CommitCommentCreateInput!) { commitCommentCreate(input: $input) { ${savedFields} } }`;

export const commitDiscussionRoutes: readonly AnyRoute[] = [
  listRoute<ThreadData>({
    path,
    summary: 'List the threads on a commit',
    tag,
    of: 'Discussion',
    parameters: [],
    ...ofCommit,
    field: 'discussions',
    person,
    withoutRepository: 404,
    selection: threadFields,
    variables: commit,
    record: recordOf(Discussion, threadOf),
  }),
  route<{ repository: { commit: { discussion: ThreadData } } }>({
    ...shared,
    method: 'GET',
    path: one,
    summary: 'Get a thread on a commit',
    parameters: [],
    operation: `query ($project: ID!, $ref: String!, $id: ID!) {
      repository(project: $project) { commit(ref: $ref) { discussion(id: $id) { ${threadFields} } } }
    }`,
    variables: (values) => ({ ...commit(values), id: values.discussion_id }),
    record: recordOf(Discussion, ({ repository }) => threadOf(repository.commit.discussion)),
    dialect: 'version 4',
  }),
  route<{ commitCommentCreate: SavedData }>({
    ...shared,
    method: 'POST',
    path,
    summary: 'Start a thread on a commit',
    parameters: [...words, position],
    example: { body: 'Does it leak?' },
    operation: write,
    variables: (values) => ({
      input: { ...wordsOf(values), position: positionOf(values.position), startsThread: true },
    }),
    status: 201,
    limits: noteLimits,
    record: recordOf(Discussion, ({ commitCommentCreate: { comment } }) => ({
      key: comment!.discussionKey,
      individualNote: false,
      allNotes: [noteOf(comment!)],
    })),
    instead: writing(({ commitCommentCreate }: { commitCommentCreate: SavedData }) => writtenOf(commitCommentCreate))
      .instead,
    dialect: 'saving a note',
  }),
  listRoute<CommentData>({
    path: `${one}/notes`,
    summary: 'List the comments of a thread on a commit',
    tag,
    of: 'Note',
    parameters: [],
    ...ofCommit,
    field: 'comments',
    args: { discussionId: 'ID!' },
    person,
    withoutRepository: 404,
    selection: fields,
    variables: (values) => ({ ...commit(values), discussionId: values.discussion_id }),
    missing: { Discussion: '404 Notes Not Found' },
    record: recordOf(Note, noteOf),
  }),
  route<{ commitCommentCreate: SavedData }>({
    ...shared,
    method: 'POST',
    path: `${one}/notes`,
    summary: 'Reply in a thread on a commit',
    parameters: words,
    example: { body: 'It does.' },
    operation: write,
    variables: (values) => ({ input: { ...wordsOf(values), discussionId: values.discussion_id } }),
    status: 201,
    limits: noteLimits,
    ...writing(({ commitCommentCreate }) => writtenOf(commitCommentCreate)),
    dialect: 'saving a note',
  }),
  route<{ repository: { commit: { comment: CommentData } } }>({
    ...shared,
    method: 'GET',
    path: note,
    summary: 'Get a comment of a thread on a commit',
    parameters: [],
    operation: `query ($project: ID!, $ref: String!, $id: ID!, $discussionId: ID!) {
      repository(project: $project) { commit(ref: $ref) { comment(id: $id, discussionId: $discussionId) { ${fields} } } }
    }`,
    variables: (values) => ({ ...commit(values), id: values.note_id, discussionId: values.discussion_id }),
    missing,
    record: recordOf(Note, ({ repository }) => noteOf(repository.commit.comment)),
    dialect: 'version 4',
  }),
  route<{ commitCommentUpdate: SavedData }>({
    ...shared,
    method: 'PUT',
    path: note,
    summary: 'Change a comment of a thread on a commit',
    parameters: oneOfBoth,
    operation: `mutation ($input: CommitCommentUpdateInput!) { commitCommentUpdate(input: $input) { ${savedFields} } }`,
    variables: (values) => {
      if (values.resolved != null) throw new ModelProblem('400 Bad request - Note is not resolvable');
      return { input: { ...inThread(values), note: values.body ?? '' } };
    },
    missing,
    ...writing(({ commitCommentUpdate }) => writtenOf(commitCommentUpdate)),
    dialect: 'saving a note',
  }),
  route<unknown>({
    ...shared,
    method: 'DELETE',
    path: note,
    summary: 'Delete a comment of a thread on a commit',
    parameters: [],
    operation:
      'mutation ($input: CommitCommentDestroyInput!) { commitCommentDestroy(input: $input) { comment { databaseId } } }',
    variables: (values, { unmodifiedSince }) => ({ input: { ...inThread(values), unmodifiedSince } }),
    conditional: true,
    status: 204,
    missing,
    record: NoContent,
    dialect: 'version 4',
  }),
];
