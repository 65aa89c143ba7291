import type { Context, PrefetchFor } from '../../../context.ts';
import type { Prefetch } from '../../../database/index.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import {
  holds,
  isAdministrator,
  mayChange,
  readMergeRequest,
  type Condition,
  type Facts,
} from '../../../policy/index.ts';
import { idOf } from '../../engine/global-id.ts';
import { facts, lookUp, prefetchPlace } from '../../places/place/look-up.ts';
import {
  findMergeRequest,
  placeOfMergeRequest,
  type FoundMergeRequest,
  type MergeRequestRecord,
} from './statements/reading.ts';

/** A merge request that the viewer reads, with what decides what they may do with it. */
export interface SeenMergeRequest {
  readonly mergeRequest: MergeRequestRecord;
  /** In the target. */
  readonly facts: Facts;
  readonly isArchived: boolean;
  readonly subscribed: boolean;
  /** Whether one of its branches may have changed since it was last brought up to date. */
  readonly isBehind: boolean;
  /** The pipeline of its head at this moment; null without one. */
  readonly headPipelineId: number | null;
}

/** How a client names a merge request: its target by id or full path, and its iid. */
export interface MergeRequestName {
  readonly project: string;
  readonly iid: string;
}

/** The number of a merge request in its project; 0, which none has, for any other text. */
export const iidOf = (iid: string): number => idOf(iid, 'MergeRequest');

/** The look-up of a merge request as a prefetch with the viewer's credential. @param given not validated yet */
export const prefetchMergeRequest = ({
  project,
  iid,
}: {
  readonly project?: unknown;
  readonly iid?: unknown;
}): Prefetch | undefined =>
  typeof iid === 'string' ? prefetchPlace(findMergeRequest, 'Project', project, iidOf(iid)) : undefined;

/** The same for a mutation whose input names the merge request. */
export const prefetchNamed: PrefetchFor = ({ input }) => {
  const { projectPath: project, iid } = (input ?? {}) as { projectPath?: unknown; iid?: unknown };
  return prefetchMergeRequest({ project, iid });
};

/**
 * A merge request of a project.
 * @throws NotFound for the project or for the merge request, if it is missing; Forbidden if the viewer sees the project, but
 *   not its merge requests or its code; Moved
 */
export async function lookUpMergeRequest(
  context: Context,
  { project, iid }: MergeRequestName,
): Promise<SeenMergeRequest> {
  const row = await lookUp<FoundMergeRequest>(context, findMergeRequest, 'Project', project, iidOf(iid));
  if (!holds(readMergeRequest, context.viewer, facts(row))) throw new Forbidden();
  const seen = seenIn(row);
  if (!seen) throw new NotFound('MergeRequest');
  return seen;
}

/** The same for a global id or a number. @throws NotFound */
export async function lookUpMergeRequestById(context: Context, id: string): Promise<SeenMergeRequest> {
  const [place] = await context.database.rows(placeOfMergeRequest, [idOf(id, 'MergeRequest')]);
  if (!place) throw new NotFound('MergeRequest');
  try {
    return await lookUpMergeRequest(context, { project: String(place.project_id), iid: String(place.iid) });
  } catch (error) {
    throw error instanceof NotFound ? new NotFound('MergeRequest') : error;
  }
}

function seenIn(row: FoundMergeRequest): SeenMergeRequest | undefined {
  if (row.mergeRequestId === null) return undefined;
  const { authorId, assigneeId } = row;
  return {
    mergeRequest: { ...row, id: row.mergeRequestId },
    facts: { ...facts(row), mergeRequest: { authorId, assigneeId } },
    isArchived: row.archived,
    subscribed: row.subscribed,
    isBehind: row.behind,
    headPipelineId: row.newestPipelineId,
  };
}

/** @throws Forbidden if the project is archived, which stops every change, or if the viewer lacks a permission */
export function requireMergeRequestRight(
  context: Context,
  { isArchived, facts: known }: SeenMergeRequest,
  rule: Condition,
): void {
  if (!mayChange(rule, context.viewer, known, isArchived)) throw new Forbidden();
}

/** Whether the viewer has a permission for a merge request. */
export const mayOnMergeRequest = (
  context: Context,
  { facts: known }: Pick<SeenMergeRequest, 'facts'>,
  rule: Condition,
): boolean => isAdministrator(context.viewer) || holds(rule, context.viewer, known);
