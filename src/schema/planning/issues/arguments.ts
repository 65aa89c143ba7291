import type { InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { BadRequest } from '../../../errors.ts';
import { emojiNamed } from '../../../values/emoji.ts';
import { builder } from '../../engine/builder.ts';
import { idIn } from '../../engine/global-id.ts';
import { searchText } from '../../engine/list.ts';
import type { IssueFilter } from './statements/list.ts';
import { iidOf } from './look-up.ts';
import { IssuableState, IssueType } from './types.ts';

/** The filters of every list of issues: arguments with GitLab's names, and what they stand for. */

/** Maximum number of values of one filter. */
const maxNamed = 1_000;
/** Maximum number of labels: each is a condition of its own. */
const maxLabels = 50;

const AssigneeWildcardId = builder.enumType('AssigneeWildcardId', {
  values: { NONE: { description: 'Nobody is assigned.' }, ANY: { description: 'Somebody is assigned.' } } as const,
});
const MilestoneWildcardId = builder.enumType('MilestoneWildcardId', {
  values: {
    NONE: {},
    ANY: {},
    STARTED: { description: 'Has begun, and is not over.' },
    UPCOMING: { description: 'The next one that is due, of each project and group.' },
  } as const,
});
const NegatedMilestoneWildcardId = builder.enumType('NegatedMilestoneWildcardId', {
  values: ['STARTED', 'UPCOMING'] as const,
});
const IssuableSearchableField = builder.enumType('IssuableSearchableField', {
  values: { TITLE: { value: 'title' }, DESCRIPTION: { value: 'description' } } as const,
});
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

export const issueArgs = builder.args((t) => ({
  iid: t.string({ description: 'Only the issue with this number in its project.' }),
  iids: t.stringList({ description: 'Only those with these numbers in their projects.' }),
  state: t.field({ type: IssuableState }),
  labelName: t.field({
    type: ['String'],
    description: 'Only those with all of these labels. `None` or `Any` alone: without labels, or with some.',
  }),
  milestoneTitle: t.field({
    type: ['String'],
    description: 'Only those in one of these milestones. `None` or `Any` alone: in no milestone, or in some.',
  }),
  milestoneWildcardId: t.field({ type: MilestoneWildcardId }),
  authorUsername: t.string(),
  authorId: t.field({ type: 'UserID' }),
  assigneeUsername: t.string(),
  assigneeUsernames: t.stringList(),
  assigneeId: t.string({ description: 'Id of a person, or `None` or `Any`.' }),
  assigneeWildcardId: t.field({ type: AssigneeWildcardId }),
  myReactionEmoji: t.string({
    description: 'An emoji that you gave. `None` or `Any`: those without or with one of you.',
  }),
  scope: t.field({ type: IssueScope, description: 'Yours, those assigned to you, or all.' }),
  confidential: t.boolean(),
  types: t.field({ type: [IssueType] }),
  search: t.string({
    description:
      'Words that must all occur in the title or in the description. A word shorter than three letters must match the whole value.',
  }),
  in: t.field({ type: [IssuableSearchableField], description: 'Where to search; by default in both.' }),
  due: t.field({ type: IssueDue }),
  createdAfter: t.field({ type: 'Time', description: 'This moment included, as in all of these.' }),
  createdBefore: t.field({ type: 'Time' }),
  updatedAfter: t.field({ type: 'Time' }),
  updatedBefore: t.field({ type: 'Time' }),
  closedAfter: t.field({ type: 'Time' }),
  closedBefore: t.field({ type: 'Time' }),
  dueAfter: t.field({ type: 'Time' }),
  dueBefore: t.field({ type: 'Time' }),
  not: t.field({ type: NegatedIssueFilterInput }),
}));

export type IssueArgs = InputShapeFromFields<typeof issueArgs>;
type Negated = NonNullable<IssueArgs['not']>;

const wild = (texts: readonly (string | null)[] | null | undefined): 'NONE' | 'ANY' | undefined => {
  const only = texts?.length === 1 ? texts[0]?.toLowerCase() : undefined;
  return only === 'none' ? 'NONE' : only === 'any' ? 'ANY' : undefined;
};

/** @throws BadRequest for too many values */
function textsOf(given: readonly (string | null)[] | null | undefined): readonly string[] | undefined {
  if (given == null || wild(given)) return undefined;
  if (given.length > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} in one filter.`);
  return given.filter((one) => one !== null);
}

const names = (given: readonly (string | null)[] | null | undefined) => textsOf(given)?.map((one) => one.toLowerCase());
const orUndefined = <T>(given: T | null | undefined): T | undefined => given ?? undefined;
const personOf = (given: string | null | undefined) => (given == null ? undefined : idIn(given, 'User'));

/** The name under which an emoji is stored, whichever of its names is given. */
const emojiOf = async (given: string | null | undefined) =>
  given == null ? undefined : ((await emojiNamed(given))?.name ?? given);

/** What a filter and its negation share. */
async function sharedOf(args: Negated) {
  const iids = textsOf(args.iids)?.map(iidOf);
  return {
    iids,
    labels: textsOf(args.labelName),
    milestones: textsOf(args.milestoneTitle),
    milestonePresence: orUndefined(args.milestoneWildcardId),
    authorId: personOf(args.authorId),
    authors: names(args.authorUsername),
    assigneeId: personOf(args.assigneeId),
    assignees: names(args.assigneeUsernames),
    reaction: await emojiOf(args.myReactionEmoji),
    types: orUndefined(args.types),
  };
}

const listOf = (one: string | null | undefined) => (one == null ? undefined : [one]);

/** The filter that arguments stand for. @throws BadRequest */
export async function issueFilterOf({ viewer }: Context, args: IssueArgs): Promise<IssueFilter> {
  if ((args.labelName?.length ?? 0) + (args.not?.labelName?.length ?? 0) > maxLabels)
    throw new BadRequest(`Name no more than ${maxLabels} labels.`);
  const assignee = wild(listOf(args.assigneeId));
  const reaction = wild(listOf(args.myReactionEmoji));
  const { milestoneWildcardId, scope, state } = args;
  const me = viewer.person?.id ?? 0;
  const filter = {
    ...(await sharedOf({
      iids: args.iid == null ? args.iids : [args.iid],
      labelName: args.labelName,
      milestoneTitle: args.milestoneTitle,
      authorUsername: listOf(args.authorUsername),
      authorId: args.authorId,
      assigneeUsernames: args.assigneeUsername == null ? args.assigneeUsernames : [args.assigneeUsername],
      assigneeId: assignee ? undefined : args.assigneeId,
      myReactionEmoji: reaction ? undefined : args.myReactionEmoji,
      types: args.types,
    } as Negated)),
    not: args.not ? await sharedOf(args.not) : undefined,
    labelPresence: wild(args.labelName),
    milestonePresence: milestoneWildcardId ?? wild(args.milestoneTitle),
    assigneePresence: args.assigneeWildcardId ?? assignee,
    reactionPresence: reaction,
    state: state === 'OPENED' || state === 'CLOSED' ? state : undefined,
    search: searchText(args.search),
    searchIn: args.in && args.in.length > 0 ? args.in : undefined,
    confidential: orUndefined(args.confidential),
    due: orUndefined(args.due),
    createdAfter: orUndefined(args.createdAfter),
    createdBefore: orUndefined(args.createdBefore),
    updatedAfter: orUndefined(args.updatedAfter),
    updatedBefore: orUndefined(args.updatedBefore),
    closedAfter: orUndefined(args.closedAfter),
    closedBefore: orUndefined(args.closedBefore),
    dueAfter: orUndefined(args.dueAfter),
    dueBefore: orUndefined(args.dueBefore),
  } as const;
  // A scope narrows the list; it doesn't replace a filter by person.
  if (scope === 'CREATED_BY_ME') return narrowed(filter, 'authorId', me);
  if (scope === 'ASSIGNED_TO_ME') return narrowed(filter, 'assigneeId', me);
  // No issue is locked.
  return state === 'LOCKED' ? { ...filter, iids: [] } : filter;
}

/** The filter with a person; nothing matches if it names another one. */
const narrowed = (filter: IssueFilter, key: 'authorId' | 'assigneeId', me: number): IssueFilter => ({
  ...filter,
  [key]: filter[key] === undefined || filter[key] === me ? me : 0,
});
