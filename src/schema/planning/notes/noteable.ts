import type { Context } from '../../../context.ts';
import { viewerId, type Prefetch } from '../../../database/index.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import {
  holds,
  isAdministrator,
  isOpenTo,
  readInternalNote,
  readIssue,
  readMergeRequest,
  readProjectSnippet,
  seePlace,
  type Condition,
  type Discussed,
  type Facts,
} from '../../../policy/index.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import type { InputsOf } from '../../engine/mutation.ts';
import { noteableId } from './ids.ts';
import type { NoteableKind, OfEachKind } from './statements/kinds.ts';
import { findNoteable, noteableById, type NoteableRow } from './statements/noteables.ts';

/** What people comment on: issues, merge requests, and snippets of projects. */

/** What decides who reads and changes each kind. */
const factsOf: OfEachKind<(row: NoteableRow) => Partial<Facts>> = {
  Issue: ({ author_id: authorId, assignee_id: assigneeId, confidential }) => ({
    issue: { authorId, assigneeId, confidential },
  }),
  MergeRequest: ({ author_id: authorId, assignee_id: assigneeId }) => ({ mergeRequest: { authorId, assigneeId } }),
  Snippet: ({ author_id: authorId, snippet_visibility: visibility }) => ({
    snippet: { authorId, visibility: visibility! },
  }),
};

/** Whether the viewer, who sees the project, reads it. */
const reads: OfEachKind<Condition> = {
  Issue: readIssue,
  MergeRequest: readMergeRequest,
  Snippet: readProjectSnippet,
};

/** Something that the viewer reads and may comment on, with what decides what they may do. */
export interface Noteable extends Discussed {
  readonly kind: NoteableKind;
  readonly id: number;
  /** Of an issue or a merge request. */
  readonly iid: number | null;
  readonly projectId: number;
  readonly projectPath: string;
  readonly readsInternal: boolean;
}

/** How a client names it: by its global id, or by its project and the number of an issue, a merge request or a snippet. */
export interface NoteableName {
  readonly noteableId?: string | null | undefined;
  readonly projectPath?: string | null | undefined;
  readonly iid?: string | null | undefined;
  readonly mergeRequestIid?: string | null | undefined;
  readonly snippetId?: string | null | undefined;
}

/** The fields of an input that name it. */
export const nameFields = (t: InputsOf) => ({
  noteableId: t.field({
    type: 'NoteableID',
    description: 'The global id of an issue, a merge request, or a snippet of a project.',
  }),
  projectPath: t.id({
    description: 'Instead of `noteableId`: id or full path of the project, with one of the next three.',
  }),
  iid: t.string({ description: 'The number of an issue.' }),
  mergeRequestIid: t.string({ description: 'The number of a merge request.' }),
  snippetId: t.id({ description: 'The id of a snippet.' }),
});

/** The same as arguments of a field. */
export const nameArguments = builder.args((t) => nameFields(t as never));

/** Where to look: undefined if the name is incomplete. */
function wanted({ noteableId: id, projectPath: project, iid, mergeRequestIid, snippetId }: NoteableName) {
  if (typeof id === 'string') {
    const named = noteableId(id);
    return named && { ...named, project: undefined };
  }
  if (typeof project !== 'string') return undefined;
  if (typeof iid === 'string') return { kind: 'Issue' as const, id: idOf(iid, 'Issue'), project };
  if (typeof mergeRequestIid === 'string')
    return { kind: 'MergeRequest' as const, id: idOf(mergeRequestIid, 'MergeRequest'), project };
  if (typeof snippetId !== 'string') return undefined;
  return { kind: 'Snippet' as const, id: idOf(snippetId, 'ProjectSnippet'), project };
}

/** The look-up as a prefetch with the viewer's credential. @param name not validated yet */
export function prefetchNoteable(name: NoteableName): Prefetch | undefined {
  const found = wanted(name);
  if (!found) return undefined;
  const { kind, id, project } = found;
  return project === undefined
    ? { statement: noteableById[kind], values: [id, viewerId] }
    : prefetchPlace(findNoteable[kind], 'Project', project, id);
}

/** The same for a mutation. */
export const prefetchInput = ({ input }: { readonly input?: unknown }): Prefetch | undefined =>
  prefetchNoteable((input ?? {}) as NoteableName);

/**
 * What a request names.
 * @throws NotFound for the project, or for the issue, the merge request or the snippet, if it is missing or the viewer doesn't read it; Moved
 */
export async function lookUpNoteable(context: Context, name: NoteableName): Promise<Noteable> {
  const found = wanted(name);
  if (!found) throw new NotFound('Noteable');
  const { kind, id, project } = found;
  const row =
    project === undefined
      ? (await context.database.rows(noteableById[kind], [id, context.viewer.person?.id ?? null]))[0]
      : await lookUp<NoteableRow>(context, findNoteable[kind], 'Project', project, id);
  if (!row || row.noteable_id === null) throw new NotFound(kind);
  const known: Facts = { ...facts(row), ...factsOf[kind](row) };
  if (!holds(seePlace, context.viewer, known) || !holds(reads[kind], context.viewer, known)) throw new NotFound(kind);
  return {
    kind,
    id: row.noteable_id,
    iid: row.iid,
    projectId: row.id,
    projectPath: row.full_path,
    isArchived: row.archived,
    isLocked: row.locked,
    facts: known,
    readsInternal: holds(readInternalNote, context.viewer, known),
  };
}

/** Whether the viewer has a permission for it. */
export const mayOnNoteable = ({ viewer }: Context, { facts: known }: Noteable, rule: Condition): boolean =>
  isAdministrator(viewer) || holds(rule, viewer, known);

/** Requires that the viewer takes part in its discussion. @throws Forbidden if the project is archived, or it is locked */
export function requireToComment(context: Context, seen: Noteable): void {
  if (!isOpenTo(context.viewer, seen)) throw new Forbidden();
}
