import type { Context } from '../../../context.ts';
import { viewerId, type Prefetch, type Statement } from '../../../database/index.ts';
import type { ByReference } from '../../../database/access/places.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import {
  commentLocked,
  holds,
  isAdministrator,
  readInternalNote,
  readIssue,
  readProjectSnippet,
  seePlace,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { builder } from '../../engine/builder.ts';
import { idOf } from '../../engine/global-id.ts';
import type { InputsOf } from '../../engine/mutation.ts';
import {
  findNoteableIssue,
  findNoteableSnippet,
  noteableIssueById,
  noteableSnippetById,
  type NoteableRow,
} from './statements/noteables.ts';
import { noteableId } from './ids.ts';

/** What people comment on: issues, and snippets of projects. A further kind is one more line of `kinds`. */

export type NoteableKind = 'Issue' | 'Snippet';

interface Kind {
  readonly inProject: ByReference<NoteableRow>;
  readonly byId: Statement<NoteableRow>;
  /** Whether the viewer, who sees the project, reads it. */
  readonly reads: Condition;
}

const kinds: Record<NoteableKind, Kind> = {
  Issue: {
    inProject: findNoteableIssue,
    byId: noteableIssueById,
    reads: readIssue,
  },
  Snippet: {
    inProject: findNoteableSnippet,
    byId: noteableSnippetById,
    reads: readProjectSnippet,
  },
};

/** Something that the viewer reads and may comment on, with what decides what they may do. */
export interface Noteable {
  readonly kind: NoteableKind;
  readonly id: number;
  /** Of an issue. */
  readonly iid: number | null;
  readonly projectId: number;
  readonly projectPath: string;
  readonly isArchived: boolean;
  readonly isLocked: boolean;
  readonly facts: Facts;
  readonly readsInternal: boolean;
}

/** How a client names it: by its global id, or by its project and either the iid of an issue or the id of a snippet. */
export interface NoteableName {
  readonly noteableId?: string | null | undefined;
  readonly projectPath?: string | null | undefined;
  readonly iid?: string | null | undefined;
  readonly snippetId?: string | null | undefined;
}

/** The fields of an input that name it. */
export const nameFields = (t: InputsOf) => ({
  noteableId: t.field({ type: 'NoteableID', description: 'The global id of an issue, or of a snippet of a project.' }),
  projectPath: t.id({
    description: 'Instead of `noteableId`: id or full path of the project, with one of the next two.',
  }),
  iid: t.string({ description: 'The number of an issue.' }),
  snippetId: t.id({ description: 'The id of a snippet.' }),
});

/** The same as arguments of a field. */
export const nameArguments = builder.args((t) => nameFields(t as never));

/** Where to look: undefined if the name is incomplete. */
function wanted({ noteableId: id, projectPath, iid, snippetId }: NoteableName) {
  if (typeof id === 'string') {
    const named = noteableId(id);
    return named && { kind: named.kind, id: named.id, project: undefined };
  }
  if (typeof projectPath !== 'string') return undefined;
  if (typeof iid === 'string') return { kind: 'Issue' as const, id: idOf(iid, 'Issue'), project: projectPath };
  if (typeof snippetId !== 'string') return undefined;
  return { kind: 'Snippet' as const, id: idOf(snippetId, 'ProjectSnippet'), project: projectPath };
}

/** The look-up as a prefetch with the viewer's credential. @param name not validated yet */
export function prefetchNoteable(name: NoteableName): Prefetch | undefined {
  const found = wanted(name);
  if (!found) return undefined;
  const { kind, id, project } = found;
  return project === undefined
    ? { statement: kinds[kind].byId, values: [id, viewerId] }
    : prefetchPlace(kinds[kind].inProject, 'Project', project, id);
}

/** The same for a mutation. */
export const prefetchInput = ({ input }: { readonly input?: unknown }): Prefetch | undefined =>
  prefetchNoteable((input ?? {}) as NoteableName);

/**
 * What a request names.
 * @throws NotFound for the project, or for the issue or the snippet, if it is missing or the viewer doesn't read it; Moved
 */
export async function lookUpNoteable(context: Context, name: NoteableName): Promise<Noteable> {
  const found = wanted(name);
  if (!found) throw new NotFound('Noteable');
  const { kind, id, project } = found;
  const { inProject, byId, reads } = kinds[kind];
  const row =
    project === undefined
      ? (await context.database.rows(byId, [id, context.viewer.person?.id ?? null]))[0]
      : await lookUp<NoteableRow>(context, inProject, 'Project', project, id);
  if (!row || row.noteable_id === null) throw new NotFound(kind);
  const known: Facts = {
    ...facts(row),
    ...(row.snippet_visibility === null
      ? { issue: { authorId: row.author_id, assigneeId: row.assignee_id, confidential: row.confidential } }
      : { snippet: { authorId: row.author_id, visibility: row.snippet_visibility } }),
  };
  if (!holds(seePlace, context.viewer, known) || !holds(reads, context.viewer, known)) throw new NotFound(kind);
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
  if (seen.isArchived || (seen.isLocked && !mayOnNoteable(context, seen, commentLocked))) throw new Forbidden();
}
