import { flag, moment, text, texts } from '../../engine/declared.ts';
import { listRoute, type ListRoute } from '../../engine/list-route.ts';
import type { Declaration, Values } from '../../engine/parameters.ts';
import type { Record as WireRecord } from '../../engine/record.ts';
import { milestoneOf, one, orNone, personOf, searchedIn, some } from '../../planning/issues/values.ts';
import {
  listedMergeRequestFields,
  MergeRequestBasic,
  MergeRequestSimple,
  simpleFields,
  type MergeRequestBasicData,
} from './record.ts';

/** The parameters of every list of merge requests, and what they are for the schema. */

const either = (...of: readonly string[]): Declaration => ({ rule: 'at most one', of });

const orders: Readonly<Record<string, string>> = {
  created_at: 'CREATED',
  updated_at: 'UPDATED',
  title: 'TITLE',
  merged_at: 'MERGED_AT',
  priority: 'PRIORITY',
  label_priority: 'LABEL_PRIORITY',
  milestone_due: 'MILESTONE_DUE',
  popularity: 'POPULARITY',
};

const scopes: Readonly<Record<string, string>> = {
  created_by_me: 'CREATED_BY_ME',
  assigned_to_me: 'ASSIGNED_TO_ME',
  reviews_for_me: 'REVIEWS_FOR_ME',
  all: 'ALL',
  'created-by-me': 'CREATED_BY_ME',
  'assigned-to-me': 'ASSIGNED_TO_ME',
  'reviews-for-me': 'REVIEWS_FOR_ME',
};

const person = (role: string, words: string): readonly Declaration[] => [
  text(`${role}_id`, `Only those ${words} this person; \`None\` or \`Any\`: no one, or someone.`),
  text(`${role}_username`, `Only those ${words} this person.`),
  either(`${role}_id`, `${role}_username`),
];

const notPerson = (role: string, words: string): readonly Declaration[] => [
  { name: `not[${role}_id]`, type: 'integer', description: `Leave out those ${words} this person.` },
  text(`not[${role}_username]`, `Leave out those ${words} this person.`),
  either(`not[${role}_id]`, `not[${role}_username]`),
];

/** @param scope the default of `scope` */
const filterParameters = (scope: 'created_by_me' | 'all'): readonly Declaration[] => [
  {
    ...text('state', 'Only those in this state.'),
    allowed: ['opened', 'closed', 'locked', 'merged', 'all'],
    default: 'all',
  },
  { ...text('scope', 'Your own, those you deal with, or all.'), allowed: Object.keys(scopes), default: scope },
  texts('labels', 'Only those with all of these labels; `None` or `Any`: without labels, or with some.'),
  text('milestone', 'Only those in the milestone of this title; `None`, `Any`, `Upcoming`, `Started`.'),
  { name: 'author_id', type: 'integer', description: 'Only those of this person.' },
  text('author_username', 'Only those of this person.'),
  either('author_id', 'author_username'),
  ...person('assignee', 'assigned to'),
  ...person('reviewer', 'to be reviewed by'),
  { name: 'merge_user_id', type: 'integer', description: 'Only those that this person merged.' },
  text('merge_user_username', 'Only those that this person merged.'),
  either('merge_user_id', 'merge_user_username'),
  text('my_reaction_emoji', 'Only those to which you gave this emoji; `None` or `Any`: without or with one of you.'),
  text('source_branch', 'Only those of this source branch.'),
  text('target_branch', 'Only those into this target branch.'),
  { name: 'source_project_id', type: 'integer', description: 'Only those of this project or fork.' },
  text('environment', 'Only those deployed to the environment with this name.'),
  moment('deployed_after', 'Only those deployed then or later.'),
  moment('deployed_before', 'Only those deployed then or earlier.'),
  { ...text('approved', 'Only those that someone approved, or no one.'), allowed: ['yes', 'no'] },
  text('search', 'Words that must all occur in the title or in the description.'),
  text('in', 'Where to search: `title`, `description`, or both, separated by a comma.'),
  { ...text('wip', 'Only drafts, or only others.'), allowed: ['yes', 'no'] },
  moment('created_after', 'Only those opened then or later.'),
  moment('created_before', 'Only those opened then or earlier.'),
  moment('updated_after', 'Only those changed then or later.'),
  moment('updated_before', 'Only those last changed then or earlier.'),
  texts('not[labels]', 'Leave out those with any of these labels.'),
  text('not[milestone]', 'Only those in another milestone.'),
  ...notPerson('author', 'of'),
  ...notPerson('assignee', 'assigned to'),
  ...notPerson('reviewer', 'to be reviewed by'),
  text('not[my_reaction_emoji]', 'Leave out those to which you gave this emoji.'),
  {
    ...text('order_by', 'Field to sort by. What has no value comes last.'),
    allowed: Object.keys(orders),
    default: 'created_at',
  },
  { ...text('sort', 'Sort direction.'), allowed: ['asc', 'desc'], default: 'desc' },
  { ...text('view', 'With `simple`, show less of each.'), allowed: ['simple'] },
  flag('with_labels_details', 'Show labels as records instead of titles.'),
  flag(
    'with_merge_status_recheck',
    'Have those checked in the background of which git doesn’t know if it can merge them.',
  ),
  flag('render_html', 'Show title and description as HTML, too.'),
];

/** What a word switches on or off. */
const yesNo = (value: Values[string]) => (value == null || value === '' ? undefined : value === 'yes');

/** The arguments of a list. @throws ParameterProblems */
function filterVariables(values: Values): Record<string, unknown> {
  const not = (name: string) => values[`not[${name}]`];
  const negated = {
    labelName: some(not('labels')),
    ...milestoneOf(not('milestone'), undefined, orNone),
    authorId: orNone(not('author_id')),
    authorUsername: one(not('author_username')),
    assigneeId: orNone(not('assignee_id')),
    assigneeUsernames: one(not('assignee_username')),
    reviewerId: orNone(not('reviewer_id')),
    reviewerUsername: orNone(not('reviewer_username')),
    myReactionEmoji: orNone(not('my_reaction_emoji')),
  };
  return {
    state: values.state ?? undefined,
    scope: scopes[String(values.scope)],
    labelName: some(values.labels),
    ...milestoneOf(values.milestone, undefined, orNone),
    iids: some(values.iids),
    authorId: orNone(values.author_id),
    authorUsername: orNone(values.author_username),
    assigneeId: personOf('assignee_id', values.assignee_id),
    assigneeUsernames: one(values.assignee_username),
    reviewerId: personOf('reviewer_id', values.reviewer_id),
    reviewerUsername: orNone(values.reviewer_username),
    mergeUserId: orNone(values.merge_user_id),
    mergedBy: orNone(values.merge_user_username),
    myReactionEmoji: orNone(values.my_reaction_emoji),
    sourceBranches: one(values.source_branch),
    targetBranches: one(values.target_branch),
    sourceProjectId: orNone(values.source_project_id),
    environmentName: orNone(values.environment),
    deployedAfter: values.deployed_after,
    deployedBefore: values.deployed_before,
    approved: yesNo(values.approved),
    search: values.search,
    in: searchedIn(values.in),
    draft: yesNo(values.wip),
    createdAfter: values.created_after,
    createdBefore: values.created_before,
    updatedAfter: values.updated_after,
    updatedBefore: values.updated_before,
    not: Object.values(negated).some((value) => value !== undefined) ? negated : undefined,
  };
}

/** The types of the arguments. */
const filterArguments = {
  state: 'MergeRequestState',
  scope: 'MergeRequestScope',
  labelName: '[String!]',
  milestoneTitle: 'String',
  milestoneWildcardId: 'MilestoneWildcardId',
  iids: '[String!]',
  authorId: 'UserID',
  authorUsername: 'String',
  assigneeId: 'String',
  assigneeUsernames: '[String!]',
  reviewerId: 'String',
  reviewerUsername: 'String',
  mergeUserId: 'UserID',
  mergedBy: 'String',
  myReactionEmoji: 'String',
  sourceBranches: '[String!]',
  targetBranches: '[String!]',
  sourceProjectId: 'ProjectID',
  environmentName: 'String',
  deployedAfter: 'Time',
  deployedBefore: 'Time',
  approved: 'Boolean',
  search: 'String',
  in: '[IssuableSearchableField!]',
  draft: 'Boolean',
  createdAfter: 'Time',
  createdBefore: 'Time',
  updatedAfter: 'Time',
  updatedBefore: 'Time',
  not: 'MergeRequestsResolverNegatedParams',
} as const;

const nonArchived: Declaration = { ...flag('non_archived', 'Leave out archived projects.'), default: true };
const iids: Declaration = { name: 'iids', type: 'integers', description: 'Only those with these numbers.' };

/** What names the place of a list in each of its routes, and the reference that it shows of each, if it isn't the short one. */
const places = {
  everywhere: {
    parameters: [{ ...nonArchived, default: false }],
    args: { includeArchived: 'Boolean' },
    scope: 'created_by_me',
    relative: 'relative: reference(full: true)',
  },
  group: {
    parameters: [nonArchived],
    args: { includeArchived: 'Boolean', group: 'ID' },
    scope: 'all',
    relative: 'relative: reference(from: $group)',
  },
  project: { parameters: [iids], args: { project: 'ID' }, scope: 'all', relative: '' },
} as const;

type Where = keyof typeof places;

/** A merge request in a list, whole or simple. */
type Listed = MergeRequestBasicData;

/** The record of a list: with `view=simple`, nothing else is selected. */
const ListedMergeRequest: WireRecord<Listed> = {
  name: 'ListedMergeRequest',
  schema: { oneOf: [MergeRequestBasic.schema, MergeRequestSimple.schema] },
  present: (listed) =>
    (listed as Partial<Listed>).author === undefined
      ? MergeRequestSimple.present(listed)
      : MergeRequestBasic.present(listed),
};

/** What lists elsewhere select of each merge request, and how they show it. */
export const listedMergeRequests = {
  of: 'MergeRequest',
  selection: listedMergeRequestFields,
  selects: { details: 'Boolean!', html: 'Boolean!' },
  record: MergeRequestBasic,
} as const;

/** A list of merge requests. */
export const mergeRequestListRoute = (where: Where, path: string, summary: ListRoute<Listed>['summary']) =>
  listRoute<Listed>({
    path,
    summary,
    tag: 'Merge requests',
    of: 'MergeRequest',
    parameters: [...filterParameters(places[where].scope), ...places[where].parameters],
    field: 'mergeRequests',
    args: { ...filterArguments, ...places[where].args, sort: 'MergeRequestSort' },
    selection: `${simpleFields} mergeStatusRecheck @include(if: $recheck) ... @skip(if: $simple) { ${listedMergeRequestFields} ${places[where].relative} }`,
    selects: { ...listedMergeRequests.selects, simple: 'Boolean!', recheck: 'Boolean!' },
    variables: (values) => ({
      ...filterVariables(values),
      ...(where !== 'everywhere' && { [where]: values.id }),
      ...(where !== 'project' && { includeArchived: values.non_archived === false }),
      sort: `${orders[String(values.order_by)]}_${String(values.sort).toUpperCase()}`,
      details: values.with_labels_details === true,
      html: values.render_html === true,
      simple: values.view === 'simple',
      recheck: values.with_merge_status_recheck === true,
    }),
    record: ListedMergeRequest,
  });
