import { GraphQLError } from 'graphql';
import { builder } from '../../engine/builder.ts';
import { globalId, idOf } from '../../engine/global-id.ts';
import { noteableKinds, type NoteableKind, type OfEachKind } from './statements/kinds.ts';

/** Global ids of comments, of threads, and of what they are about. */

/** The types in global ids of each kind; the first one is written. */
const types = {
  Issue: ['Issue', 'WorkItem'],
  MergeRequest: ['MergeRequest'],
  Snippet: ['ProjectSnippet', 'Snippet'],
} as const satisfies OfEachKind<readonly string[]>;

/** What a global id names. Undefined for any other one, and for a number, which says too little. */
export function noteableId(given: string): { readonly kind: NoteableKind; readonly id: number } | undefined {
  if (!given.startsWith('gid:')) return undefined;
  for (const kind of noteableKinds)
    for (const type of types[kind]) {
      const id = idOf(given, type);
      if (id > 0) return { kind, id };
    }
  return undefined;
}

/** What a note is on. */
interface On {
  readonly issueId: number | null;
  readonly mergeRequestId: number | null;
  readonly snippetId: number | null;
}

/** What a note is on: its kind and its id. */
export function onOf({ issueId, mergeRequestId, snippetId }: On): { readonly kind: NoteableKind; readonly id: number } {
  if (issueId !== null) return { kind: 'Issue', id: issueId };
  if (mergeRequestId !== null) return { kind: 'MergeRequest', id: mergeRequestId };
  return { kind: 'Snippet', id: snippetId! };
}

/** The global id of what a note is on. */
export function noteableGid(on: On): string {
  const { kind, id } = onOf(on);
  return globalId(types[kind][0], id);
}

/** The id of a note, by its global id or number; 0 for any other text. */
export const noteIdOf = (given: string): number =>
  idOf(given, 'Note') || idOf(given, 'DiscussionNote') || idOf(given, 'DiffNote');

/** The id of a thread in hexadecimal, by its global id or that alone; undefined for any other text. */
export const discussionIdOf = (given: string): string | undefined =>
  /^(?:gid:\/\/gitlab\/(?:Individual(?:Note)|Diff)?Discussion\/)?([0-9a-f]{40})$/i.exec(given)?.[1]!.toLowerCase();

/** The global id of a thread. */
export const discussionGid = (id: string, isIndividual: boolean): string =>
  `gid://gitlab/${isIndividual ? 'IndividualNoteDiscussion' : 'Discussion'}/${id}`;

const scalar = (name: 'NoteableID' | 'NoteID' | 'DiscussionID', example: string, isOne: (given: string) => boolean) =>
  builder.scalarType(name, {
    description: `A global id, for example \`${example}\`.`,
    serialize: String,
    parseValue(value) {
      const given = typeof value === 'number' ? String(value) : value;
      if (typeof given !== 'string' || !isOne(given))
        throw new GraphQLError(
          `"${typeof given === 'string' ? given : JSON.stringify(value)}" does not represent an instance of ${name.slice(0, -2)}`,
        );
      return given;
    },
  });

scalar('NoteableID', globalId('Issue', 7), (given) => noteableId(given) !== undefined);
// A text that isn't a global id names nothing.
const isPlain = (given: string) => !given.startsWith('gid:');
scalar('NoteID', globalId('Note', 7), (given) => isPlain(given) || noteIdOf(given) > 0);
scalar(
  'DiscussionID',
  `gid://gitlab/Discussion/${'0'.repeat(40)}`,
  (given) => isPlain(given) || discussionIdOf(given) !== undefined,
);
