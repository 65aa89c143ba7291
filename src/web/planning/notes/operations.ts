import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { pageInfoFields, type PageInfo } from '../../site/records/paging.ts';
import type { Visit } from '../../site/visit.ts';
import { noteNaming, type NoteableHost } from './host.ts';
import { noteFields, placedFields, threadStateFields, type CommentDraft, type Note, type Thread } from './thread.ts';

/** What the pages of comments do: on issues, merge requests and snippets here, on commits in another file. */

/** A part of a thread. */
export interface NotesPart {
  readonly count: number;
  readonly edges: readonly { readonly cursor: string; readonly node: Note }[];
  readonly pageInfo: PageInfo;
}

/** A thread, with its first note and a part of all. */
export type PartOfThread = Omit<Thread, 'allNotes' | 'notes'> & {
  readonly opening: readonly Note[];
  readonly notes: NotesPart;
};

/** Which part of a thread. */
export interface PartAsked {
  readonly first?: number;
  readonly last?: number;
  readonly before?: string;
  readonly after?: string;
  readonly offset?: number;
}

/** The operations of comments. `visit` names what they are on. A comment or thread that is missing is null, or NotFound. */
export interface NoteOperations {
  /** @param thread that it replies to @returns null for a text of nothing but commands, which isn’t stored @throws InvalidFields, BadRequest */
  readonly write: (
    visit: Visit,
    place: PlaceHead,
    draft: CommentDraft,
    thread?: string,
  ) => Promise<{ readonly id: number } | null>;
  /** @returns null if the text is now nothing but commands @throws InvalidFields, BadRequest */
  readonly update: (
    visit: Visit,
    place: PlaceHead,
    changed: { readonly id: string; readonly body: string },
  ) => Promise<{ readonly id: number } | null>;
  readonly remove: (visit: Visit, place: PlaceHead, id: string) => Promise<unknown>;
  /** Missing if threads aren’t resolved. */
  readonly resolve?: (visit: Visit, place: PlaceHead, thread: string, isResolved: boolean) => Promise<unknown>;
  readonly find: (visit: Visit, place: PlaceHead, id: string) => Promise<Note | null>;
  readonly thread: (visit: Visit, place: PlaceHead, thread: string, part: PartAsked) => Promise<PartOfThread | null>;
  /** The thread of a comment, and how many of its comments are before that. */
  readonly placeOf: (
    visit: Visit,
    place: PlaceHead,
    id: string,
  ) => Promise<{ readonly key: string; readonly index: number } | null>;
}

export const partDeclared = '$first: Int, $last: Int, $before: String, $after: String, $offset: Int';

/** What operations select of a part of a thread. @param ofNotes what to select of its notes */
export const partFields = (ofNotes: string): string =>
  `opening: allNotes(most: 1) { ${ofNotes} }
   notes(first: $first, last: $last, before: $before, after: $after, offset: $offset) { count edges { cursor node { ${ofNotes} } } ${pageInfoFields} }`;

interface Written {
  readonly written: { readonly note: { readonly id: number } | null };
}

/** A mutation that writes a comment. @param field of the payload that has the comment */
export const noteWriter = (schema: GraphQLSchema, name: string, type: string, field = 'note') =>
  compileOperation<Written>(
    schema,
    `mutation ($input: ${type}!) { written: ${name}(input: $input) { note: ${field} { id: databaseId } } }`,
  );

/** Those of issues, merge requests or snippets. */
export function noteOperations(schema: GraphQLSchema, host: NoteableHost): NoteOperations {
  const comment = noteWriter(schema, 'createNote', 'CreateNoteInput');
  const startThread = noteWriter(schema, 'createDiscussion', 'CreateDiscussionInput');
  const update = noteWriter(schema, 'updateNote', 'UpdateNoteInput');
  const remove = noteWriter(schema, 'destroyNote', 'DestroyNoteInput');
  const resolve = compileOperation<object>(
    schema,
    'mutation ($input: DiscussionToggleResolveInput!) { discussionToggleResolve(input: $input) { discussion { key } } }',
  );
  const ofNotes = `${noteFields} ${host.field === 'mergeRequest' ? placedFields : ''}`;
  const { declared, named: on } = noteNaming(host);
  const find = compileOperation<{ note: Note | null }>(
    schema,
    `query (${declared}, $id: NoteID!) { note(${on}, id: $id) { ${noteFields} } }`,
  );
  const thread = compileOperation<{ thread: PartOfThread | null }>(
    schema,
    `query (${declared}, $thread: ID!, ${partDeclared}) {
      thread: discussion(${on}, id: $thread) { ${threadStateFields} ${partFields(ofNotes)} }
    }`,
  );
  const threadOf = compileOperation<{
    note: { discussion: { key: string; notes: { readonly count: number } } } | null;
  }>(
    schema,
    `query (${declared}, $id: NoteID!) {
      note(${on}, id: $id) { discussion { key notes(beforeNote: $id) { count } } }
    }`,
  );

  const nameOf = ({ named }: Visit, { fullPath }: PlaceHead) => ({ projectPath: fullPath, [host.iid]: named.iid });
  const asked = ({ named }: Visit, { fullPath }: PlaceHead) => ({ project: fullPath, iid: named.iid });

  return {
    async write(visit, place, { body, internal, startsThread, head }, reply) {
      const input = {
        ...nameOf(visit, place),
        body,
        ...(internal && { internal }),
        ...(reply !== undefined && { discussionId: reply }),
        ...(head && { mergeRequestDiffHeadSha: head }),
      };
      return (await (startsThread ? startThread : comment).execute(visit.context, { input })).written.note;
    },
    update: async (visit, place, changed) =>
      (await update.execute(visit.context, { input: { ...nameOf(visit, place), ...changed } })).written.note,
    remove: (visit, place, id) => remove.execute(visit.context, { input: { ...nameOf(visit, place), id } }),
    resolve: (visit, place, id, isResolved) =>
      resolve.execute(visit.context, { input: { ...nameOf(visit, place), id, resolve: isResolved } }),
    find: async (visit, place, id) => (await find.execute(visit.context, { ...asked(visit, place), id })).note,
    thread: async (visit, place, key, part) =>
      (await thread.execute(visit.context, { ...asked(visit, place), thread: key, ...part })).thread,
    async placeOf(visit, place, id) {
      const { note } = await threadOf.execute(visit.context, { ...asked(visit, place), id });
      return note && { key: note.discussion.key, index: note.discussion.notes.count };
    },
  };
}
