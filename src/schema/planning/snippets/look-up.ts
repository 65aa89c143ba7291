import type { Context } from '../../../context.ts';
import type { Prefetch } from '../../../database/index.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import {
  adminPersonalSnippet,
  adminProjectSnippet,
  holds,
  mayChange,
  readPersonalSnippet,
  readProjectSnippet,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import { idIn } from '../../engine/global-id.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { findAnySnippet, findSnippet, type FoundSnippet, type SnippetRecord } from './statements/reading.ts';

/** A snippet that the viewer reads, with what decides what they may do with it. */
export interface SeenSnippet {
  readonly snippet: SnippetRecord;
  /** The role in its project and the visibility of that; of a personal snippet, no role. */
  readonly facts: Facts;
  /** Whether its project is archived. */
  readonly isArchived: boolean;
}

/** The number of a snippet; 0, which no snippet has, for any other text. @throws BadRequest for an id of another kind */
export const snippetIdOf = (given: string): number => idIn(given, 'Snippet');

/** The look-up of a snippet of a project as a prefetch with the viewer's credential. @param given not validated yet */
export const prefetchSnippet = ({
  project,
  id,
}: {
  readonly project?: unknown;
  readonly id?: unknown;
}): Prefetch | undefined =>
  typeof id === 'string' && /^\d{1,9}$/.test(id)
    ? prefetchPlace(findSnippet, 'Project', project, Number(id))
    : undefined;

/**
 * A snippet of a project.
 * @throws NotFound for the project or for the snippet, if it is missing or the viewer doesn't read it; Moved
 */
export async function lookUpProjectSnippet(context: Context, project: string, id: string): Promise<SeenSnippet> {
  const row = await lookUp<FoundSnippet>(context, findSnippet, 'Project', project, snippetIdOf(id));
  if (row.snippetId === null) throw new NotFound('Snippet');
  const { authorId, snippetVisibility: visibility, archived: isArchived } = row;
  const snippet: SnippetRecord = { ...row, id: row.snippetId, visibility };
  return readable(context, { snippet, facts: { ...facts(row), snippet: { authorId, visibility } }, isArchived });
}

/** A snippet, personal or of a project. @throws NotFound if it is missing or the viewer doesn't read it; BadRequest */
export async function lookUpSnippet(context: Context, id: string): Promise<SeenSnippet> {
  const [snippet] = await context.database.rows(findAnySnippet, [snippetIdOf(id)]);
  if (!snippet) throw new NotFound('Snippet');
  const { authorId, visibility, projectId } = snippet;
  if (projectId === null) {
    const facts: Facts = { visibility: 'PUBLIC', accessLevel: 0, snippet: { authorId, visibility } };
    return readable(context, { snippet, facts, isArchived: false });
  }
  try {
    return await lookUpProjectSnippet(context, String(projectId), id);
  } catch (error) {
    throw error instanceof NotFound ? new NotFound('Snippet') : error;
  }
}

/** @throws NotFound if the viewer doesn't read it */
function readable(context: Context, seen: SeenSnippet): SeenSnippet {
  const rule = seen.snippet.projectId === null ? readPersonalSnippet : readProjectSnippet;
  if (!holds(rule, context.viewer, seen.facts)) throw new NotFound('Snippet');
  return seen;
}

/** Who changes and removes a snippet: of a project, or a personal one. */
const adminSnippet = ({ snippet }: Pick<SeenSnippet, 'snippet'>): Condition =>
  snippet.projectId === null ? adminPersonalSnippet : adminProjectSnippet;

/**
 * @throws Forbidden if its project is archived, which stops every change, or if the viewer lacks a permission; NotFound for
 * someone else's personal snippet, as GitLab does
 */
export function requireSnippetRight(
  { viewer }: Context,
  seen: SeenSnippet,
  rule: Condition = adminSnippet(seen),
): void {
  if (mayChange(rule, viewer, seen.facts, seen.isArchived)) return;
  throw seen.snippet.projectId === null ? new NotFound('Snippet') : new Forbidden();
}
