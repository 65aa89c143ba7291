import type { Answer } from '../../../http/index.ts';
import { below, type PlaceSection } from '../../places/place/layout.tsx';
import type { PlaceHead, PlaceRoute } from '../../places/place/route.ts';
import type { Visit } from '../../site/visit.ts';
import type { AwardDraft } from '../awards/award.ts';
import type { CommentDraft } from './thread.ts';

/** What a person typed below an issue or a merge request that was refused, with the reasons. */
export interface TypedBelow {
  readonly comment?: CommentDraft;
  readonly award?: AwardDraft;
}

/** What the viewer may do in a discussion. */
export interface NoteRights {
  readonly createNote: boolean;
  readonly readInternalNote: boolean;
  readonly adminNote: boolean;
  readonly resolveNote: boolean;
}

/** What people discuss: issues, or merge requests. */
export interface NoteHost {
  readonly noun: 'issue' | 'merge request';
  /** Its field in the schema, and the argument that has its number. */
  readonly field: 'issue' | 'mergeRequest';
  readonly iid: 'iid' | 'mergeRequestIid';
  /** The folder of its addresses: `/issues`. */
  readonly root: string;
  readonly section: PlaceSection;
  /** The sign before its number. */
  readonly sign: '#' | '!';
  /** Shows its page again with what was refused. */
  readonly show: (visit: Visit, place: PlaceHead, typed: TypedBelow) => Promise<Answer | null>;
  /** What the viewer may do there; null if there is none. */
  readonly find: (visit: Visit, place: PlaceHead) => Promise<NoteRights | null>;
}

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
