import type { Context, PrefetchFor } from '../../../context.ts';
import type { Prefetch } from '../../../database/index.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { holds, isAdministrator, mayChange, readIssue, type Condition, type Facts } from '../../../policy/index.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import { idOf } from '../../engine/global-id.ts';
import { findIssue, placeOfIssue, type FoundIssue, type IssueRecord } from './statements/reading.ts';

/** An issue that the viewer reads, with what decides what they may do with it. */
export interface SeenIssue {
  readonly issue: IssueRecord;
  readonly facts: Facts;
  readonly isArchived: boolean;
  readonly subscribed: boolean;
}

/** How a client names an issue: its project by id or full path, and its iid. */
export interface IssueName {
  readonly project: string;
  readonly iid: string;
}

/** The number of an issue in its project; 0, which no issue has, for any other text. */
export const iidOf = (iid: string): number => idOf(iid, 'Issue');

/** The look-up of an issue as a prefetch with the viewer's credential. @param given not validated yet */
export const prefetchIssue = ({
  project,
  iid,
}: {
  readonly project?: unknown;
  readonly iid?: unknown;
}): Prefetch | undefined =>
  typeof iid === 'string' ? prefetchPlace(findIssue, 'Project', project, iidOf(iid)) : undefined;

/** The same for a mutation whose input names the issue. */
export const prefetchNamed: PrefetchFor = ({ input }) => {
  const { projectPath: project, iid } = (input ?? {}) as { projectPath?: unknown; iid?: unknown };
  return prefetchIssue({ project, iid });
};

/**
 * An issue of a project.
 * @throws NotFound for the project or for the issue, if it is missing or the viewer doesn't read it; Moved
 */
export async function lookUpIssue(context: Context, { project, iid }: IssueName): Promise<SeenIssue> {
  const row = await lookUp<FoundIssue>(context, findIssue, 'Project', project, iidOf(iid));
  const seen = seenIn(row);
  if (!seen || !holds(readIssue, context.viewer, seen.facts)) throw new NotFound('Issue');
  return seen;
}

/** The same for a global id or a number. @throws NotFound */
export async function lookUpIssueById(context: Context, id: string): Promise<SeenIssue> {
  const [place] = await context.database.rows(placeOfIssue, [idOf(id, 'Issue') || idOf(id, 'WorkItem')]);
  if (!place) throw new NotFound('Issue');
  try {
    return await lookUpIssue(context, { project: String(place.project_id), iid: String(place.iid) });
  } catch (error) {
    throw error instanceof NotFound ? new NotFound('Issue') : error;
  }
}

function seenIn(row: FoundIssue): SeenIssue | undefined {
  if (row.issueId === null) return undefined;
  const { authorId, assigneeId, confidential } = row;
  return {
    issue: { ...row, id: row.issueId },
    facts: { ...facts(row), issue: { authorId, assigneeId, confidential } },
    isArchived: row.archived,
    subscribed: row.subscribed,
  };
}

/** @throws Forbidden if the project is archived, which stops every change, or if the viewer lacks a permission */
export function requireIssueRight(context: Context, { isArchived, facts }: SeenIssue, rule: Condition): void {
  if (!mayChange(rule, context.viewer, facts, isArchived)) throw new Forbidden();
}

/** Whether the viewer has a permission for an issue. */
export const mayOnIssue = (context: Context, { facts }: Pick<SeenIssue, 'facts'>, rule: Condition): boolean =>
  isAdministrator(context.viewer) || holds(rule, context.viewer, facts);
