import type { GraphQLSchema } from 'graphql';
import { compileOperation } from '../../../operation.ts';
import type { PlaceHead } from '../../places/place/route.ts';
import { positionFields, type NotePosition } from '../../planning/notes/thread.ts';
import type { Visit } from '../../site/visit.ts';

/** A comment of the viewer's review that isn't published yet. */
export interface Draft {
  readonly id: number;
  readonly body: string;
  readonly bodyHtml: string;
  /** The thread that it replies to. */
  readonly discussionKey: string | null;
  readonly position: NotePosition | null;
}

export const draftFields = `id: databaseId body bodyHtml discussionKey position ${positionFields}`;

/** What operations select of a merge request for the viewer's review. All drafts that one person may have fit into it. */
export const reviewFields = `draftNotes(first: 100) @include(if: $signedIn) { nodes { ${draftFields} } }`;

/** The viewer's review, where they are signed in. */
export interface WithReview {
  readonly draftNotes?: { readonly nodes: readonly Draft[] };
}

/** Reads the viewer's review of the merge request of an address. */
export function draftReader(schema: GraphQLSchema): (visit: Visit, place: PlaceHead) => Promise<readonly Draft[]> {
  const find = compileOperation<{ mergeRequest: WithReview | null }>(
    schema,
    `query ($project: ID!, $iid: String!, $signedIn: Boolean!) {
      mergeRequest(project: $project, iid: $iid) { ${reviewFields} }
    }`,
  );
  return async ({ context, site, named: { iid } }, { fullPath: project }) => {
    const { mergeRequest } = await find.execute(context, { project, iid, signedIn: site.visitor !== null });
    return mergeRequest?.draftNotes?.nodes ?? [];
  };
}

/** The id of a draft in a page. */
export const anchorOf = (id: number): string => `draft_note_${id}`;

/** Adds a comment to the viewer's review of the merge request of an address. @returns its id */
export type AddDraft = (visit: Visit, place: PlaceHead, values: Readonly<Record<string, unknown>>) => Promise<number>;

export function draftAdder(schema: GraphQLSchema): AddDraft {
  const create = compileOperation<{ draftNoteCreate: { draftNote: { id: number } } }>(
    schema,
    'mutation ($input: DraftNoteCreateInput!) { draftNoteCreate(input: $input) { draftNote { id: databaseId } } }',
  );
  return async ({ context, named: { iid } }, { fullPath: projectPath }, values) => {
    const input = { projectPath, iid, ...values };
    return (await create.execute(context, { input })).draftNoteCreate.draftNote.id;
  };
}
