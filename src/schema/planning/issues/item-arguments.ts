import type { InputShapeFromFields } from '@pothos/core';
import type { Context } from '../../../context.ts';
import { BadRequest } from '../../../errors.ts';
import { emojiNamed } from '../../../values/text/emoji.ts';
import { builder } from '../../engine/builder.ts';
import { idIn } from '../../engine/global-id.ts';
import { searchText } from '../../engine/list.ts';
import { iidOf } from './look-up.ts';
import { rareLabels, type ItemFilter } from './statements/items.ts';

/** The filters that lists of issues and of merge requests share: arguments with GitLab's names, and what they stand for. */

/** Maximum number of values of one filter. */
const maxNamed = 1_000;
/** Maximum number of labels: each is a condition of its own. */
const maxLabels = 50;

export const AssigneeWildcardId = builder.enumType('AssigneeWildcardId', {
  values: { NONE: { description: 'No one is assigned.' }, ANY: { description: 'Someone is assigned.' } } as const,
});
const MilestoneWildcardId = builder.enumType('MilestoneWildcardId', {
  values: {
    NONE: {},
    ANY: {},
    STARTED: { description: 'Has begun, and is not over.' },
    UPCOMING: { description: 'The next one that is due, of each project and group.' },
  } as const,
});
export const NegatedMilestoneWildcardId = builder.enumType('NegatedMilestoneWildcardId', {
  values: {
    NONE: { description: 'Leave out those in no milestone.' },
    ANY: { description: 'Leave out those in some milestone.' },
    STARTED: {},
    UPCOMING: {},
  } as const,
});
const IssuableSearchableField = builder.enumType('IssuableSearchableField', {
  values: { TITLE: { value: 'title' }, DESCRIPTION: { value: 'description' } } as const,
});

export const itemArgs = builder.args((t) => ({
  iids: t.stringList({ description: 'Only those with these numbers in their projects.' }),
  labelName: t.stringList({
    required: { list: false, items: false },
    description: 'Only those with all of these labels. `None` or `Any` alone: without labels, or with some.',
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
  search: t.string({
    description:
      'Words that must all occur in the title or in the description. Words shorter than three letters are ignored; a search without longer ones must match the whole value.',
  }),
  in: t.field({ type: [IssuableSearchableField], description: 'Where to search; by default in both.' }),
  createdAfter: t.field({ type: 'Time', description: 'This moment included, as in all of these.' }),
  createdBefore: t.field({ type: 'Time' }),
  updatedAfter: t.field({ type: 'Time' }),
  updatedBefore: t.field({ type: 'Time' }),
}));

/** Texts, as a client lists them: nulls among them are ignored. */
type Texts = readonly (string | null | undefined)[] | null | undefined;

/** What a filter and its negation share. */
interface Negatable {
  readonly iids?: readonly string[] | null | undefined;
  readonly labelName?: Texts;
  readonly milestoneTitle?: Texts;
  readonly milestoneWildcardId?: 'NONE' | 'ANY' | 'STARTED' | 'UPCOMING' | null | undefined;
  readonly authorUsername?: readonly string[] | null | undefined;
  readonly authorId?: string | null | undefined;
  readonly assigneeUsernames?: readonly string[] | null | undefined;
  readonly assigneeId?: string | null | undefined;
  readonly myReactionEmoji?: string | null | undefined;
}

type ItemArgs = InputShapeFromFields<typeof itemArgs> &
  Pick<Negatable, 'milestoneTitle'> & { readonly not?: Negatable | null };

export const wild = (texts: Texts): 'NONE' | 'ANY' | undefined => {
  const only = texts?.length === 1 ? texts[0]?.toLowerCase() : undefined;
  return only === 'none' ? 'NONE' : only === 'any' ? 'ANY' : undefined;
};

/** @throws BadRequest for too many values */
export function textsOf(given: Texts): readonly string[] | undefined {
  if (given == null || wild(given)) return undefined;
  if (given.length > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} in one filter.`);
  return given.filter((one) => one != null);
}

export const names = (given: Texts) => textsOf(given)?.map((one) => one.toLowerCase());
export const orUndefined = <T>(given: T | null | undefined): T | undefined => given ?? undefined;
export const personOf = (given: string | null | undefined) => (given == null ? undefined : idIn(given, 'User'));

/** The name under which an emoji is stored, whichever of its names is given. */
const emojiOf = async (given: string | null | undefined) =>
  given == null ? undefined : ((await emojiNamed(given))?.name ?? given);

/** What a filter and its negation share. */
async function sharedOf(args: Negatable) {
  return {
    iids: textsOf(args.iids)?.map(iidOf),
    labels: textsOf(args.labelName),
    milestones: textsOf(args.milestoneTitle),
    milestonePresence: orUndefined(args.milestoneWildcardId),
    authorId: personOf(args.authorId),
    authors: names(args.authorUsername),
    assigneeId: personOf(args.assigneeId),
    assignees: names(args.assigneeUsernames),
    reaction: await emojiOf(args.myReactionEmoji),
  };
}

export const listOf = (one: string | null | undefined) => (one == null ? undefined : [one]);

/** The filter that the shared arguments stand for. @throws BadRequest */
export async function itemFilterOf(args: ItemArgs) {
  if ((args.labelName?.length ?? 0) + (args.not?.labelName?.length ?? 0) > maxLabels)
    throw new BadRequest(`Name no more than ${maxLabels} labels.`);
  const assignee = wild(listOf(args.assigneeId));
  const reaction = wild(listOf(args.myReactionEmoji));
  return {
    ...(await sharedOf({
      iids: args.iids,
      labelName: args.labelName,
      milestoneTitle: args.milestoneTitle,
      authorUsername: listOf(args.authorUsername),
      authorId: args.authorId,
      assigneeUsernames: args.assigneeUsername == null ? args.assigneeUsernames : [args.assigneeUsername],
      assigneeId: assignee ? undefined : args.assigneeId,
      myReactionEmoji: reaction ? undefined : args.myReactionEmoji,
    })),
    not: args.not ? await sharedOf(args.not) : undefined,
    labelPresence: wild(args.labelName),
    milestonePresence: args.milestoneWildcardId ?? wild(args.milestoneTitle),
    assigneePresence: args.assigneeWildcardId ?? assignee,
    reactionPresence: reaction,
    search: searchText(args.search),
    searchIn: args.in && args.in.length > 0 ? args.in : undefined,
    createdAfter: orUndefined(args.createdAfter),
    createdBefore: orUndefined(args.createdBefore),
    updatedAfter: orUndefined(args.updatedAfter),
    updatedBefore: orUndefined(args.updatedBefore),
  } as const;
}

/** The filter with a person, for a scope: it narrows the list, and nothing matches if the filter names another person. */
export const narrowed = <Key extends string, Filter extends { readonly [K in Key]?: unknown }>(
  filter: Filter,
  key: Key,
  me: number,
): Filter => ({ ...filter, [key]: filter[key] === undefined || filter[key] === me ? me : 0 });

/** How many labels may have a title that is looked up as their ids. */
const mostRare = 100;

/**
 * A filter for the list of everything. A title that few labels have is found by their ids, in an index; one that many have,
 * by the labels of each.
 */
export async function withRareLabels<Filter extends ItemFilter>(context: Context, filter: Filter): Promise<Filter> {
  const titles = [...(filter.labels ?? []), ...(filter.not?.labels ?? [])];
  if (titles.length === 0) return filter;
  const rows = await context.database.rows(rareLabels, [[...new Set(titles)], mostRare]);
  return { ...filter, rareLabels: new Map(rows.map(({ title, ids }) => [title, ids])) };
}
