import type { ListQuery, Parent } from '../../../../database/list.ts';
import { readMergeRequest, type Facts, type Viewer } from '../../../../policy/index.ts';
import {
  itemList,
  keyOf,
  people,
  present,
  type ItemFilter,
  type ItemKind,
  type ItemPlace,
  type Presence,
  type Shared,
} from '../../../planning/issues/statements/items.ts';
import { mergeRequestReading, type MergeRequestRecord } from './reading.ts';

/** The conditions that a filter and its negation share. */
interface SharedOfMergeRequests extends Shared {
  readonly reviewerId?: number | Parent | undefined;
  /** In lower case. */
  readonly reviewers?: readonly string[] | undefined;
  readonly sourceBranches?: readonly string[] | undefined;
  readonly targetBranches?: readonly string[] | undefined;
}

/** Filters of a list of merge requests. Omitted ones match everything. */
export interface MergeRequestFilter extends ItemFilter, SharedOfMergeRequests {
  readonly not?: SharedOfMergeRequests | undefined;
  readonly reviewerPresence?: Presence | undefined;
  readonly state?: MergeRequestRecord['state'] | undefined;
  readonly draft?: boolean | undefined;
  readonly approved?: boolean | undefined;
  readonly sourceProject?: number | undefined;
  readonly mergeUserId?: number | undefined;
  /** In lower case. */
  readonly mergeUser?: string | undefined;
  readonly mergedAfter?: Date | undefined;
  readonly mergedBefore?: Date | undefined;
  /** Those that are linked to an issue: that name it, or that close it. */
  readonly issue?: { readonly id: Parent; readonly closes: boolean } | undefined;
  /**
   * Those with a commit: those with these numbers, unless they start at one of these commits; and those whose merge made it.
   */
  readonly ofCommit?:
    | { readonly sha: string; readonly iids: readonly number[]; readonly after: readonly string[] }
    | undefined;
  /** Those that this deployment brought to its environment. */
  readonly deployment?: Parent | undefined;
  /** Those that a deployment brought to an environment. */
  readonly deployed?: Deployed | undefined;
}

/** Which deployments; what is omitted matches all. */
interface Deployed {
  /** The name of the environment. */
  readonly environment?: string | undefined;
  /** When they finished. */
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
}

/** SQL for the merge requests that some deployments brought somewhere. */
function deployedBy(query: ListQuery<MergeRequestRecord>, { environment, after, before }: Deployed): string {
  const conditions = [
    ...(environment === undefined ? [] : [`e.name = ${query.value(environment)}::text`]),
    ...(after ? [`d.finished_at >= ${query.value(after)}::timestamptz`] : []),
    ...(before ? [`d.finished_at <= ${query.value(before)}::timestamptz`] : []),
  ];
  return `i.id in (select link.merge_request_id from deployment_merge_requests link
     join deployments d on d.id = link.deployment_id join environments e on e.id = link.environment_id
    where ${conditions.join(' and ')})`;
}

const kind: ItemKind<MergeRequestRecord, SharedOfMergeRequests> = {
  table: 'merge_requests',
  reading: mergeRequestReading,
  awards: 'merge_request_id',
  rule: readMergeRequest,
  facts: () => ({}),
  isOfPerson: ({ reviewerId }) => reviewerId !== undefined,
  more(query, { reviewerId, reviewers, sourceBranches, targetBranches }) {
    const conditions: string[] = [];
    if (reviewerId !== undefined) conditions.push(`i.reviewer_id = ${keyOf(query, reviewerId)}`);
    if (reviewers) conditions.push(`i.reviewer_id = any(${people(query.value(reviewers))})`);
    if (sourceBranches) conditions.push(`i.source_branch = any(${query.value(sourceBranches)}::text[])`);
    if (targetBranches) conditions.push(`i.target_branch = any(${query.value(targetBranches)}::text[])`);
    return conditions;
  },
};

const approvals = 'exists (select from approvals a where a.merge_request_id = i.id)';

/** SQL for whether `i` is linked to an issue. @param closes only those that close it once they are merged */
const linked = (issue: Parent, closes: boolean) =>
  `i.id in (select link.merge_request_id from merge_request_issues link where link.issue_id = ${issue}${closes ? ' and link.closes' : ''})`;

/** SQL for whether `i` names an issue, in its description or in a comment: that left a note at the issue. */
const naming = (issue: Parent) =>
  `i.id in (select note.referrer_merge_request_id from notes note where note.issue_id = ${issue} and note.action = 'cross_reference')`;

/** The merge requests that a viewer reads, by a filter. */
export function mergeRequestList(
  viewer: Viewer,
  place: ItemPlace,
  filter: MergeRequestFilter,
  known?: Facts,
): ListQuery<MergeRequestRecord> {
  const query = itemList(kind, viewer, place, filter, known);
  const { state, draft, approved, sourceProject, mergeUserId, issue, ofCommit } = filter;
  // Says the type of the viewer's id, where a count needs it for nothing: what they read in a known project is known.
  if (known && viewer.person) query.where('$1::int is not null');
  if (filter.deployment)
    query.where(
      `i.id in (select link.merge_request_id from deployment_merge_requests link where link.deployment_id = ${filter.deployment})`,
    );
  if (filter.deployed) query.where(deployedBy(query, filter.deployed));
  if (state) query.where(`i.state = '${state}'`);
  if (draft !== undefined) query.where(draft ? 'i.draft' : 'not i.draft');
  if (approved !== undefined) query.where(approved ? approvals : `not ${approvals}`);
  if (sourceProject !== undefined) query.where(`i.source_project_id = ${query.key(sourceProject)}::int`);
  if (mergeUserId !== undefined) query.where(`i.merge_user_id = ${query.key(mergeUserId)}::int`);
  if (issue) query.where(issue.closes ? linked(issue.id, true) : `(${linked(issue.id, false)} or ${naming(issue.id)})`);
  if (ofCommit) {
    const sha = `${query.value(ofCommit.sha)}::text`;
    const [iids, after] = [query.value(ofCommit.iids), query.value(ofCommit.after)];
    query.where(
      `(i.iid = any(${iids}::int[]) and not i.start_sha = any(${after}::text[])
        or i.merge_commit_sha = ${sha} or i.squash_commit_sha = ${sha})`,
    );
  }
  return query
    .where(present(filter.reviewerPresence, 'i.reviewer_id is null', 'i.reviewer_id is not null'))
    .given(filter.mergeUser, (name) => `i.merge_user_id = any(${people(`array[${name}::text]`)})`)
    .given(filter.mergedAfter, (moment) => `i.merged_at >= ${moment}::timestamptz`)
    .given(filter.mergedBefore, (moment) => `i.merged_at <= ${moment}::timestamptz`);
}
