import type { MergeRequestRecord } from './statements/reading.ts';

/** Whether a merge request can be merged, and if not, why: the first reason that applies (contract §6.2). */

export const detailedStatuses = [
  'UNCHECKED',
  'CHECKING',
  'MERGEABLE',
  'MERGE_TIME',
  'COMMITS_STATUS',
  'CI_MUST_PASS',
  'CI_STILL_RUNNING',
  'DISCUSSIONS_NOT_RESOLVED',
  'DRAFT_STATUS',
  'NOT_OPEN',
  'CONFLICT',
  'NEED_REBASE',
  'PREPARING',
] as const;
export type DetailedStatus = (typeof detailedStatuses)[number];

/** The status of the pipeline of its head; null without one. */
export type HeadPipelineStatus = string | null;

/** What decides whether it can be merged, besides its pipeline. */
export type Mergeable = Pick<
  MergeRequestRecord,
  | 'state'
  | 'draft'
  | 'mergeAfter'
  | 'sourceProjectId'
  | 'headSha'
  | 'commitsCount'
  | 'unresolved'
  | 'mergeStatus'
  | 'needsRebase'
  | 'rules'
>;

export const activePipeline: ReadonlySet<string> = new Set([
  'CREATED',
  'WAITING_FOR_RESOURCE',
  'PREPARING',
  'PENDING',
  'RUNNING',
  'SCHEDULED',
  'MANUAL',
]);

/** Whether the moment from which it may be merged is yet to come. */
export const waitsForTime = ({ mergeAfter }: Pick<Mergeable, 'mergeAfter'>): boolean =>
  mergeAfter !== null && mergeAfter.getTime() > Date.now();

/** Whether threads must be resolved first, and some aren't. */
const waitsForThreads = ({ rules, unresolved }: Pick<Mergeable, 'rules' | 'unresolved'>): boolean =>
  rules.onlyAllowMergeIfAllDiscussionsAreResolved === true && unresolved > 0;

/** Whether a pipeline counts as a success: a skipped one does where the project says so. */
export const succeeds = ({ rules }: Pick<Mergeable, 'rules'>, status: HeadPipelineStatus): boolean =>
  status === 'SUCCESS' || (status === 'SKIPPED' && rules.allowMergeOnSkippedPipeline === true);

/** Whether a pipeline must succeed first, and what is missing; undefined if nothing is. */
export function refusedByPipeline(
  one: Pick<Mergeable, 'rules'>,
  status: HeadPipelineStatus,
): 'CI_MUST_PASS' | 'CI_STILL_RUNNING' | undefined {
  if (one.rules.onlyAllowMergeIfPipelineSucceeds !== true || succeeds(one, status)) return undefined;
  return status !== null && activePipeline.has(status) ? 'CI_STILL_RUNNING' : 'CI_MUST_PASS';
}

/** Whether the way of merging wants the head to contain the target, and it doesn't. */
export const mustBeRebased = ({ rules, needsRebase }: Pick<Mergeable, 'rules' | 'needsRebase'>): boolean =>
  needsRebase && (rules.mergeMethod ?? 'merge') !== 'merge';

/** The first reason not to merge. @param pipeline the status of the pipeline of its head */
export function detailedStatusOf(one: Mergeable, pipeline: HeadPipelineStatus): DetailedStatus {
  if (one.state !== 'OPENED') return 'NOT_OPEN';
  if (one.mergeStatus === 'CHECKING') return 'CHECKING';
  if (one.mergeStatus === 'UNCHECKED' || one.mergeStatus === 'CANNOT_BE_MERGED_RECHECK') return 'UNCHECKED';
  if (waitsForTime(one)) return 'MERGE_TIME';
  if (one.draft) return 'DRAFT_STATUS';
  // Without a fork, what was known of its branch is of the past.
  if (one.sourceProjectId === null || one.headSha === null || one.commitsCount === 0) return 'COMMITS_STATUS';
  if (waitsForThreads(one)) return 'DISCUSSIONS_NOT_RESOLVED';
  if (one.mergeStatus === 'CANNOT_BE_MERGED') return 'CONFLICT';
  if (mustBeRebased(one)) return 'NEED_REBASE';
  return refusedByPipeline(one, pipeline) ?? 'MERGEABLE';
}

/** Whether the pipeline of its head decides anything: it is read only then. */
export const dependsOnPipeline = ({ state, rules }: Pick<Mergeable, 'state' | 'rules'>): boolean =>
  state === 'OPENED' && rules.onlyAllowMergeIfPipelineSucceeds === true;

/** What its state or a rule of the project says against merging, whatever git says; undefined if nothing does. */
export function refusedByRules(one: Mergeable, pipeline: HeadPipelineStatus): DetailedStatus | undefined {
  if (one.state !== 'OPENED') return 'NOT_OPEN';
  if (waitsForTime(one)) return 'MERGE_TIME';
  if (one.draft) return 'DRAFT_STATUS';
  if (waitsForThreads(one)) return 'DISCUSSIONS_NOT_RESOLVED';
  return refusedByPipeline(one, pipeline);
}
