import type { InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';
import { idIn } from '../../engine/global-id.ts';
import {
  AssigneeWildcardId,
  itemArgs,
  itemFilterOf,
  listOf,
  names,
  narrowed,
  NegatedMilestoneWildcardId,
  orUndefined,
  personOf,
  textsOf,
  wild,
} from '../../planning/issues/item-arguments.ts';
import type { MergeRequestFilter } from './statements/list.ts';
import { MergeRequestState } from './types.ts';

/** The filters of every list of merge requests: arguments with GitLab's names, and what they stand for. */

const MergeRequestScope = builder.enumType('MergeRequestScope', {
  values: { CREATED_BY_ME: {}, ASSIGNED_TO_ME: {}, REVIEWS_FOR_ME: {}, ALL: {} } as const,
});

const NegatedMergeRequestFilterInput = builder.inputType('MergeRequestsResolverNegatedParams', {
  description: 'Merge requests with any of these are left out.',
  fields: (t) => ({
    iids: t.stringList(),
    labels: t.stringList(),
    labelName: t.stringList({ description: 'The same as `labels`.' }),
    milestoneTitle: t.string(),
    milestoneWildcardId: t.field({ type: NegatedMilestoneWildcardId }),
    authorUsername: t.stringList(),
    authorId: t.field({ type: 'UserID' }),
    assigneeUsernames: t.stringList(),
    assigneeId: t.string({ description: 'Id of a person.' }),
    reviewerUsername: t.string(),
    reviewerId: t.field({ type: 'UserID' }),
    myReactionEmoji: t.string(),
    sourceBranches: t.stringList(),
    targetBranches: t.stringList(),
  }),
});

export const mergeRequestArgs = {
  ...itemArgs,
  ...builder.args((t) => ({
    milestoneTitle: t.string({
      description: 'Only those in the milestone with this title. `None` or `Any`: in no milestone, or in some.',
    }),
    state: t.field({ type: MergeRequestState }),
    scope: t.field({
      type: MergeRequestScope,
      description: 'Yours, those assigned to you, those that you review, or all.',
    }),
    labels: t.stringList({ description: 'The same as `labelName`.' }),
    draft: t.boolean(),
    approved: t.boolean({ description: 'Whether someone approved it.' }),
    sourceBranches: t.stringList(),
    targetBranches: t.stringList(),
    sourceProjectId: t.field({ type: 'ProjectID', description: 'Only those of this project or fork.' }),
    reviewerUsername: t.string(),
    reviewerId: t.string({ description: 'Id of a person, or `None` or `Any`.' }),
    reviewerWildcardId: t.field({ type: AssigneeWildcardId }),
    mergedBy: t.string({ description: 'Username.' }),
    mergeUserId: t.field({ type: 'UserID' }),
    mergedAfter: t.field({ type: 'Time' }),
    mergedBefore: t.field({ type: 'Time' }),
    environmentName: t.string({ description: 'Only those deployed to the environment with this name.' }),
    deployedAfter: t.field({ type: 'Time', description: 'Only those deployed then or later.' }),
    deployedBefore: t.field({ type: 'Time', description: 'Only those deployed then or earlier.' }),
    not: t.field({ type: NegatedMergeRequestFilterInput }),
  })),
};

export type MergeRequestArgs = InputShapeFromFields<typeof mergeRequestArgs>;

/** Which deployments are meant; undefined if none are. */
function deployedOf({ environmentName, deployedAfter, deployedBefore }: MergeRequestArgs) {
  if (environmentName == null && deployedAfter == null && deployedBefore == null) return undefined;
  return {
    environment: orUndefined(environmentName),
    after: orUndefined(deployedAfter),
    before: orUndefined(deployedBefore),
  };
}

/** The filter that arguments stand for. @throws BadRequest */
export async function mergeRequestFilterOf({ viewer }: Context, args: MergeRequestArgs): Promise<MergeRequestFilter> {
  const { scope, state, not: negated } = args;
  const me = viewer.person?.id ?? 0;
  const { not, ...common } = await itemFilterOf({
    ...args,
    labelName: args.labelName ?? args.labels,
    milestoneTitle: listOf(args.milestoneTitle),
    not: negated && {
      ...negated,
      labelName: negated.labelName ?? negated.labels,
      milestoneTitle: listOf(negated.milestoneTitle),
    },
  });
  const reviewer = wild(listOf(args.reviewerId));
  const filter: MergeRequestFilter = {
    ...common,
    not: not && {
      ...not,
      reviewerId: personOf(negated?.reviewerId),
      reviewers: names(listOf(negated?.reviewerUsername)),
      sourceBranches: textsOf(negated?.sourceBranches),
      targetBranches: textsOf(negated?.targetBranches),
    },
    state: state === 'ALL' ? undefined : orUndefined(state),
    draft: orUndefined(args.draft),
    approved: orUndefined(args.approved),
    sourceBranches: args.sourceBranches ?? undefined,
    targetBranches: args.targetBranches ?? undefined,
    sourceProject: args.sourceProjectId == null ? undefined : idIn(args.sourceProjectId, 'Project'),
    reviewerId: reviewer ? undefined : personOf(args.reviewerId),
    reviewers: names(listOf(args.reviewerUsername)),
    reviewerPresence: args.reviewerWildcardId ?? reviewer,
    mergeUserId: personOf(args.mergeUserId),
    mergeUser: args.mergedBy?.toLowerCase(),
    mergedAfter: orUndefined(args.mergedAfter),
    mergedBefore: orUndefined(args.mergedBefore),
    deployed: deployedOf(args),
  };
  if (scope === 'CREATED_BY_ME') return narrowed(filter, 'authorId', me);
  if (scope === 'ASSIGNED_TO_ME') return narrowed(filter, 'assigneeId', me);
  return scope === 'REVIEWS_FOR_ME' ? narrowed(filter, 'reviewerId', me) : filter;
}
