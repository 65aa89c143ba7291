import type { Context, PrefetchFor } from '../../../context.ts';
import { BadRequest, Forbidden, NotFound } from '../../../errors.ts';
import {
  commentLocked,
  holds,
  isAdministrator,
  readInternalNote,
  readProjectSnippet,
  type Facts,
} from '../../../policy/index.ts';
import { idOf, partsOf } from '../../engine/global-id.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { readsCodeOf } from '../../places/projects/permissions.ts';
import { lookUpIssue, lookUpIssueById, prefetchIssue, type SeenIssue } from '../issues/look-up.ts';
import { readableIssueById } from '../issues/read.ts';
import {
  lookUpMergeRequest,
  lookUpMergeRequestById,
  prefetchMergeRequest,
  type SeenMergeRequest,
} from '../../reviews/merge-requests/look-up.ts';
import { readableMergeRequestById } from '../../reviews/merge-requests/read.ts';
import { placeOf as placeOfNote } from '../notes/read.ts';
import {
  findNoteOf,
  findSnippetIn,
  placeOfSnippet,
  type AwardedColumn,
  type AwardedItem,
  type FoundSnippet,
} from './statements.ts';

/** What awards are given to: an issue, a merge request, a snippet, or a note of one. The viewer reads it. */
export interface Awardable {
  readonly column: AwardedColumn;
  readonly id: number;
  /** The issue or merge request whose to-dos an award settles. */
  readonly item: AwardedItem | null;
  readonly isArchived: boolean;
  /** Whether the viewer gives awards here. Notes of the system get none, and only members award where it is locked. */
  readonly mayAward: boolean;
}

/** How a client names an awardable: its project, an issue, a merge request or a snippet of it, and a note of that one. */
export interface AwardableName {
  readonly project: string;
  readonly iid?: string | null | undefined;
  readonly mergeRequest?: string | null | undefined;
  readonly snippet?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/** The look-up of an awardable as a prefetch. */
export const prefetchAwardable: PrefetchFor = ({ project, iid, mergeRequest, snippet }) =>
  typeof iid === 'string'
    ? prefetchIssue({ project, iid })
    : typeof mergeRequest === 'string'
      ? prefetchMergeRequest({ project, iid: mergeRequest })
      : typeof snippet === 'string'
        ? prefetchPlace(findSnippetIn, 'Project', project, idOf(snippet, 'Snippet'))
        : undefined;

/**
 * An issue, a merge request, a snippet or a note that the viewer reads.
 * @throws NotFound for the project, or for what isn't there or is hidden; BadRequest unless the name has one of the three
 */
export async function lookUpAwardable(context: Context, name: AwardableName): Promise<Awardable> {
  const { iid, mergeRequest, snippet, note } = name;
  if ([iid, mergeRequest, snippet].filter((one) => one != null).length !== 1)
    throw new BadRequest('Name an issue, a merge request or a snippet.');
  const found = await namedIn(context, name);
  return note == null ? found : await noteOf(context, found, idOf(note, 'Note'));
}

async function namedIn(context: Context, { project, iid, mergeRequest, snippet }: AwardableName): Promise<Found> {
  if (iid != null) return ofIssue(context, await lookUpIssue(context, { project, iid }));
  if (mergeRequest != null)
    return ofMergeRequest(context, await hidden(lookUpMergeRequest(context, { project, iid: mergeRequest })));
  return await snippetOf(context, project, idOf(snippet!, 'Snippet'));
}

/** Who sees a project, but not its merge requests, is answered as if there were none. */
async function hidden<Seen>(work: Promise<Seen>): Promise<Seen> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Forbidden ? new NotFound('MergeRequest') : error;
  }
}

interface Found extends Awardable {
  /** Whether the viewer reads internal notes. */
  readonly readsInternal: boolean;
}

const within = ({ viewer }: Context, about: Facts) => ({
  readsInternal: holds(readInternalNote, viewer, about),
  mayAward: viewer.person !== null,
});

/** An issue or a merge request. */
function ofItem(
  context: Context,
  item: AwardedItem,
  { isArchived, isLocked, about }: { readonly isArchived: boolean; readonly isLocked: boolean; readonly about: Facts },
): Found {
  const { readsInternal, mayAward } = within(context, about);
  const isOpen = !isLocked || holds(commentLocked, context.viewer, about);
  return { ...item, item, isArchived, readsInternal, mayAward: mayAward && isOpen };
}

const ofIssue = (context: Context, { issue, isArchived, facts: about }: SeenIssue): Found =>
  ofItem(
    context,
    { column: 'issue_id', id: issue.id },
    { isArchived, isLocked: issue.discussionLocked === true, about },
  );

const ofMergeRequest = (context: Context, { mergeRequest, isArchived, facts: about }: SeenMergeRequest): Found =>
  ofItem(
    context,
    { column: 'merge_request_id', id: mergeRequest.id },
    { isArchived, isLocked: mergeRequest.discussionLocked === true, about },
  );

async function snippetOf(context: Context, project: string, id: number): Promise<Found> {
  const row = await lookUp<FoundSnippet>(context, findSnippetIn, 'Project', project, id);
  if (row.snippet_id === null || !readsSnippet(context, row)) throw new NotFound('Snippet');
  return {
    column: 'snippet_id',
    id: row.snippet_id,
    item: null,
    isArchived: row.archived,
    ...within(context, facts(row)),
  };
}

/** Whether the viewer reads a snippet of a project that they see. */
function readsSnippet({ viewer }: Context, row: FoundSnippet): boolean {
  const { author_id: authorId, snippet_visibility: visibility } = row;
  return holds(readProjectSnippet, viewer, { ...facts(row), snippet: { authorId, visibility } });
}

/** @throws NotFound for a note that isn't there, or that the viewer doesn't read */
async function noteOf(context: Context, of: Found, given: number): Promise<Awardable> {
  const { item, isArchived, mayAward, readsInternal } = of;
  const [note] = await context.database.rows(findNoteOf[of.column], [given, of.id]);
  const isHidden =
    !note ||
    (note.internal && !readsInternal) ||
    (note.referrer_id !== null && !(await readableIssueById(context, note.referrer_id))) ||
    (note.referrer_merge_request_id !== null &&
      !(await readableMergeRequestById(context, note.referrer_merge_request_id))) ||
    (note.referrer_project_id !== null && !(await readsCodeOf(context, note.referrer_project_id)));
  if (isHidden) throw new NotFound('Note');
  return { column: 'note_id', id: note.id, item, isArchived, mayAward: mayAward && !note.system };
}

/** The same for a global id. @throws NotFound, BadRequest for the global id of anything else */
export async function lookUpAwardableById(context: Context, given: string): Promise<Awardable> {
  const { type, id } = partsOf(given);
  switch (type) {
    case 'Issue':
    case 'WorkItem':
      return ofIssue(context, await lookUpIssueById(context, String(id)));
    case 'MergeRequest':
      return await mergeRequestById(context, id);
    case 'Note':
    case 'DiscussionNote':
    case 'DiffNote':
      return await noteOf(context, await noted(context, id), id);
    case 'Snippet':
    case 'ProjectSnippet':
    case 'PersonalSnippet':
      return await snippetById(context, id);
    default:
      throw new BadRequest(`"${given}" does not represent an instance of Awardable`);
  }
}

const mergeRequestById = async (context: Context, id: number): Promise<Found> =>
  ofMergeRequest(context, await hidden(lookUpMergeRequestById(context, String(id))));

/** What a note is on. @throws NotFound */
async function noted(context: Context, note: number): Promise<Found> {
  const on = await placeOfNote(context, note);
  if (!on) throw new NotFound('Note');
  if (on.kind === 'MergeRequest') return await mergeRequestById(context, on.id);
  if (on.kind === 'Snippet') return await snippetById(context, on.id);
  return ofIssue(context, await lookUpIssueById(context, String(on.id)));
}

async function snippetById(context: Context, id: number): Promise<Found> {
  const [row] = await context.database.rows(placeOfSnippet, [id]);
  if (!row) throw new NotFound('Snippet');
  if (row.project_id !== null) return await snippetOf(context, String(row.project_id), id);
  const { viewer } = context;
  const isReadable =
    row.visibility === 'PUBLIC' ||
    (row.visibility === 'INTERNAL' && viewer.person?.external === false) ||
    viewer.person?.id === row.author_id ||
    isAdministrator(viewer);
  if (!isReadable) throw new NotFound('Snippet');
  const mayAward = viewer.person !== null;
  return { column: 'snippet_id', id, item: null, isArchived: false, readsInternal: false, mayAward };
}

/** Requires that the viewer may give awards. @throws Forbidden in an archived project, NotFound elsewhere */
export function requireAwarding({ isArchived, mayAward }: Awardable): void {
  if (isArchived) throw new Forbidden();
  if (!mayAward) throw new NotFound('Award Emoji');
}
