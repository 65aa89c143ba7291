import type { InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';
import { itemArgs, itemFilterOf, narrowed, NegatedMilestoneWildcardId, orUndefined } from './item-arguments.ts';
import type { IssueFilter } from './statements/list.ts';
import { IssuableState, IssueType } from './types.ts';

/** The filters of every list of issues: arguments with GitLab's names, and what they stand for. */

const IssueDue = builder.enumType('IssueDue', {
  description: 'When an issue is due. Weeks begin on Monday, and days are those of UTC.',
  values: [
    'NONE',
    'ANY',
    'OVERDUE',
    'TODAY',
    'TOMORROW',
    'WEEK',
    'MONTH',
    'NEXT_MONTH_AND_PREVIOUS_TWO_WEEKS',
  ] as const,
});
const IssueScope = builder.enumType('IssueScope', {
  values: { CREATED_BY_ME: {}, ASSIGNED_TO_ME: {}, ALL: {} } as const,
});

const NegatedIssueFilterInput = builder.inputType('NegatedIssueFilterInput', {
  description: 'Issues with any of these are left out.',
  fields: (t) => ({
    iids: t.stringList(),
    labelName: t.stringList(),
    milestoneTitle: t.stringList(),
    milestoneWildcardId: t.field({ type: NegatedMilestoneWildcardId }),
    authorUsername: t.stringList(),
    authorId: t.field({ type: 'UserID' }),
    assigneeUsernames: t.stringList(),
    assigneeId: t.string({ description: 'Id of a person.' }),
    myReactionEmoji: t.string(),
    types: t.field({ type: [IssueType] }),
  }),
});

export const issueArgs = {
  ...itemArgs,
  ...builder.args((t) => ({
    milestoneTitle: t.stringList({
      required: { list: false, items: false },
      description: 'Only those in one of these milestones. `None` or `Any` alone: in no milestone, or in some.',
    }),
    iid: t.string({ description: 'Only the issue with this number in its project.' }),
    state: t.field({ type: IssuableState }),
    scope: t.field({ type: IssueScope, description: 'Yours, those assigned to you, or all.' }),
    confidential: t.boolean(),
    types: t.field({ type: [IssueType] }),
    due: t.field({ type: IssueDue }),
    closedAfter: t.field({ type: 'Time' }),
    closedBefore: t.field({ type: 'Time' }),
    dueAfter: t.field({ type: 'Time' }),
    dueBefore: t.field({ type: 'Time' }),
    not: t.field({ type: NegatedIssueFilterInput }),
  })),
};

export type IssueArgs = InputShapeFromFields<typeof issueArgs>;

/** The filter that arguments stand for. @throws BadRequest */
export async function issueFilterOf({ viewer }: Context, args: IssueArgs): Promise<IssueFilter> {
  const { scope, state } = args;
  const me = viewer.person?.id ?? 0;
  const { not, ...common } = await itemFilterOf({ ...args, iids: args.iid == null ? args.iids : [args.iid] });
  const filter: IssueFilter = {
    ...common,
    not: not && { ...not, types: orUndefined(args.not?.types) },
    types: orUndefined(args.types),
    state: state === 'OPENED' || state === 'CLOSED' ? state : undefined,
    confidential: orUndefined(args.confidential),
    due: orUndefined(args.due),
    closedAfter: orUndefined(args.closedAfter),
    closedBefore: orUndefined(args.closedBefore),
    dueAfter: orUndefined(args.dueAfter),
    dueBefore: orUndefined(args.dueBefore),
  };
  if (scope === 'CREATED_BY_ME') return narrowed(filter, 'authorId', me);
  if (scope === 'ASSIGNED_TO_ME') return narrowed(filter, 'assigneeId', me);
  // No issue is locked.
  return state === 'LOCKED' ? { ...filter, iids: [] } : filter;
}
