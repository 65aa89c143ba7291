import type { GraphQLSchema } from 'graphql';
import type { ComponentChildren } from 'preact';
import type { Answer } from '../../../http/index.ts';
import { compileOperation } from '../../../operation.ts';
import { below, type PlaceSection } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import { isRecordNumber } from '../../site/paths.ts';
import type { Visit } from '../../site/visit.ts';
import type { AwardDraft } from '../awards/award.ts';
import type { CommentDraft, Thread } from './thread.ts';

/** What a person typed below an issue, a merge request or a snippet that was refused, with the reasons. */
export interface TypedBelow {
  readonly comment?: CommentDraft;
  /** An emoji for the issue, the merge request or the snippet itself. */
  readonly award?: AwardDraft;
}

/** What the viewer may do in a discussion. */
export interface NoteRights {
  readonly createNote: boolean;
  readonly readInternalNote: boolean;
  readonly adminNote: boolean;
  readonly resolveNote: boolean;
}

/** What the pages below an issue, a merge request, a snippet or a commit need of it. */
interface Hosted {
  /** Its global id. */
  readonly id: string;
  readonly title: string;
  readonly userPermissions: NoteRights;
  /** The head of a merge request: a comment doesn’t merge another one. */
  readonly head?: string | null;
}

/** What people discuss: issues, merge requests, snippets of projects, or commits. */
export interface NoteHost {
  /** The folder of its addresses: `/issues`. */
  readonly root: string;
  readonly section: PlaceSection;
  /** What it is called in a heading: `#7`. @param iid as its address names it */
  readonly called: (iid: string) => string;
  /** Of a snippet or a commit: its single comments take no replies, and its threads aren’t resolved. */
  readonly isSimple?: true;
  /** Shows its page again with what was refused. */
  readonly show: (visit: Visit, place: PlaceHead, typed: TypedBelow) => Promise<Answer | null>;
  /** Null if there is none that the viewer sees. */
  readonly find: (visit: Visit, place: PlaceHead) => Promise<Hosted | null>;
  /** Of merge requests: adds a comment to the viewer's review. @returns the address of it */
  readonly addToReview?: (
    visit: Visit,
    place: PlaceHead,
    comment: { readonly body: string; readonly discussionId?: string },
  ) => Promise<string>;
  /** Of merge requests: what the viewer's review has for a thread. */
  readonly draftsOf?: (visit: Visit, place: PlaceHead, thread: Thread) => Promise<ComponentChildren>;
  /** What a thread stands on. */
  readonly above?: (visit: Visit, place: PlaceHead, thread: Thread) => Promise<ComponentChildren>;
}

/** Issues, merge requests, or snippets of projects. */
export interface NoteableHost extends NoteHost {
  readonly noun: 'issue' | 'merge request' | 'snippet';
  /** Its field in the schema, and the argument of notes that has its number. */
  readonly field: 'issue' | 'mergeRequest' | 'snippet';
  readonly iid: 'iid' | 'mergeRequestIid' | 'snippetId';
}

/** How operations about notes name what these are on: the variables, and the arguments. */
export const noteNaming = ({ iid }: Pick<NoteableHost, 'iid'>) => ({
  declared: `$project: ID!, $iid: ${iid === 'snippetId' ? 'ID' : 'String'}!`,
  named: `projectPath: $project, ${iid}: $iid`,
});

/** Finds the issue, the merge request or the snippet of an address, with what pages below it need. */
export function hostFinder(
  schema: GraphQLSchema,
  field: NoteableHost['field'],
  isOn: (place: PlaceHead) => boolean,
): NoteHost['find'] {
  const find = compileOperation<{ one: Hosted | null }>(
    schema,
    `query ($project: ID!, $iid: ${field === 'snippet' ? 'SnippetID' : 'String'}!) { one: ${field}(project: $project, ${asked[field]}) {
      id title userPermissions { createNote readInternalNote adminNote resolveNote } ${field === 'mergeRequest' ? 'head: diffHeadSha' : ''}
    } }`,
  );
  return async ({ context, named: { iid } }, place) => {
    if (!isOn(place) || !isRecordNumber(iid)) return null;
    return (await find.execute(context, { project: place.fullPath, iid })).one;
  };
}

/** The arguments of the field of each. The head of a merge request is that of its branch at present. */
const asked = { issue: 'iid: $iid', mergeRequest: 'iid: $iid, current: true', snippet: 'id: $iid' };

/** The address of one. @param page begins with a slash: `/edit` */
export const hostPath = (
  { root }: Pick<NoteHost, 'root'>,
  place: Pick<PlaceHead, 'kind' | 'fullPath'>,
  iid: string,
  page = '',
): string => below(place, `${root}/${iid}${page}`);

/** A page below one that only takes a form; its own address leads to the page above. @param page without a slash at the beginning */
export const takingOf = (
  host: Pick<NoteHost, 'root'>,
  page: string,
  name: string,
  post: NonNullable<PlaceRoute['post']>,
): PlaceRoute => ({
  of: 'project',
  path: `${host.root}/:iid/${page}`,
  name,
  leadsTo: ({ named }, place) => hostPath(host, place, named.iid!),
  post,
});
