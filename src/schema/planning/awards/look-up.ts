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
import { lookUpIssue, lookUpIssueById, prefetchIssue, type SeenIssue } from '../issues/look-up.ts';
import { readableIssueById } from '../issues/read.ts';
import {
  findNoteOf,
  findSnippetIn,
  placeOfNote,
  placeOfSnippet,
  type AwardedColumn,
  type FoundSnippet,
} from './statements.ts';

/** What awards are given to: an issue, a snippet, or a note of one. The viewer reads it. */
export interface Awardable {
  readonly column: AwardedColumn;
  readonly id: number;
  /** The issue whose to-dos an award settles. */
  readonly issueId: number | null;
  readonly isArchived: boolean;
  /** Whether the viewer gives awards here. Notes of the system get none, and only members award where it is locked. */
  readonly mayAward: boolean;
}

/** How a client names an awardable: its project, an issue or a snippet of it, and a note of that one. */
export interface AwardableName {
  readonly project: string;
  readonly iid?: string | null | undefined;
  readonly snippet?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/** The look-up of an awardable as a prefetch. */
export const prefetchAwardable: PrefetchFor = ({ project, iid, snippet }) =>
  typeof iid === 'string'
    ? prefetchIssue({ project, iid })
    : typeof snippet === 'string'
      ? prefetchPlace(findSnippetIn, 'Project', project, idOf(snippet, 'Snippet'))
      : undefined;

/**
 * An issue, a snippet or a note that the viewer reads.
 * @throws NotFound for the project, or for what isn't there or is hidden; BadRequest unless the name has an issue or a
 * snippet
 */
export async function lookUpAwardable(context: Context, name: AwardableName): Promise<Awardable> {
  const { project, iid, snippet, note } = name;
  if ((iid == null) === (snippet == null)) throw new BadRequest('Name an issue or a snippet.');
  const found =
    iid == null
      ? await snippetOf(context, project, idOf(snippet!, 'Snippet'))
      : ofIssue(context, await lookUpIssue(context, { project, iid }));
  return note == null ? found : await noteOf(context, found, idOf(note, 'Note'));
}

interface Found extends Awardable {
  /** Whether the viewer reads internal notes. */
  readonly readsInternal: boolean;
}

const within = ({ viewer }: Context, about: Facts) => ({
  readsInternal: holds(readInternalNote, viewer, about),
  mayAward: viewer.person !== null,
});

function ofIssue(context: Context, { issue, isArchived, facts: about }: SeenIssue): Found {
  const { readsInternal, mayAward } = within(context, about);
  const isOpen = issue.discussionLocked !== true || holds(commentLocked, context.viewer, about);
  return {
    column: 'issue_id',
    id: issue.id,
    issueId: issue.id,
    isArchived,
    readsInternal,
    mayAward: mayAward && isOpen,
  };
}

async function snippetOf(context: Context, project: string, id: number): Promise<Found> {
  const row = await lookUp<FoundSnippet>(context, findSnippetIn, 'Project', project, id);
  if (row.snippet_id === null || !readsSnippet(context, row)) throw new NotFound('Snippet');
  return {
    column: 'snippet_id',
    id: row.snippet_id,
    issueId: null,
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
  const { issueId, isArchived, mayAward, readsInternal } = of;
  const [note] = await context.database.rows(findNoteOf, [given, issueId, issueId === null ? of.id : null]);
  const isHidden =
    !note ||
    (note.internal && !readsInternal) ||
    (note.referrer_id !== null && !(await readableIssueById(context, note.referrer_id)));
  if (isHidden) throw new NotFound('Note');
  return { column: 'note_id', id: note.id, issueId, isArchived, mayAward: mayAward && !note.system };
}

/** The same for a global id. @throws NotFound, BadRequest for the global id of anything else */
export async function lookUpAwardableById(context: Context, given: string): Promise<Awardable> {
  const { type, id } = partsOf(given);
  switch (type) {
    case 'Issue':
    case 'WorkItem':
      return ofIssue(context, await lookUpIssueById(context, String(id)));
    case 'Note':
    case 'DiscussionNote': {
      const [place] = await context.database.rows(placeOfNote, [id]);
      if (!place) throw new NotFound('Note');
      const of =
        place.issue_id === null
          ? await snippetById(context, place.snippet_id ?? 0)
          : ofIssue(context, await lookUpIssueById(context, String(place.issue_id)));
      return await noteOf(context, of, id);
    }
    case 'Snippet':
    case 'ProjectSnippet':
    case 'PersonalSnippet':
      return await snippetById(context, id);
    default:
      throw new BadRequest(`"${given}" does not represent an instance of Awardable`);
  }
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
  return { column: 'snippet_id', id, issueId: null, isArchived: false, readsInternal: false, mayAward };
}

/** Requires that the viewer may give awards. @throws Forbidden in an archived project, NotFound elsewhere */
export function requireAwarding({ isArchived, mayAward }: Awardable): void {
  if (isArchived) throw new Forbidden();
  if (!mayAward) throw new NotFound('Award Emoji');
}
