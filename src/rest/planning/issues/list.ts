import { flag, moment, text, texts } from '../../engine/declared.ts';
import { ParameterProblems } from '../../engine/errors.ts';
import { listRoute, type ListRoute } from '../../engine/list-route.ts';
import type { Declaration, Value, Values } from '../../engine/parameters.ts';
import { Issue, listedIssueFields, type IssueData } from './record.ts';
import { milestoneOf, one, onlyName, orNone, personOf, searchedIn, some } from './values.ts';

/** The parameters of every list of issues, and what they are for the schema. */

export const issueTypes = ['issue', 'incident', 'test_case', 'task'] as const;

const orders: Readonly<Record<string, string>> = {
  created_at: 'CREATED',
  updated_at: 'UPDATED',
  priority: 'PRIORITY',
  due_date: 'DUE_DATE',
  relative_position: 'RELATIVE_POSITION',
  label_priority: 'LABEL_PRIORITY',
  milestone_due: 'MILESTONE_DUE',
  popularity: 'POPULARITY',
  title: 'TITLE',
};
/** These begin with the smallest number unless `sort` says otherwise. */
const ascending = new Set(['priority', 'label_priority', 'relative_position']);

const scopes: Readonly<Record<string, string>> = {
  created_by_me: 'CREATED_BY_ME',
  assigned_to_me: 'ASSIGNED_TO_ME',
  all: 'ALL',
  'created-by-me': 'CREATED_BY_ME',
  'assigned-to-me': 'ASSIGNED_TO_ME',
};

const dueDates: Readonly<Record<string, string>> = {
  0: 'NONE',
  any: 'ANY',
  today: 'TODAY',
  tomorrow: 'TOMORROW',
  overdue: 'OVERDUE',
  week: 'WEEK',
  month: 'MONTH',
  next_month_and_previous_two_weeks: 'NEXT_MONTH_AND_PREVIOUS_TWO_WEEKS',
};

/** @param scope the default of `scope` */
export const filterParameters = (scope: 'created_by_me' | 'all'): readonly Declaration[] => [
  { ...text('state', 'Only those in this state.'), allowed: ['opened', 'closed', 'all'], default: 'all' },
  texts('labels', 'Only those with all of these labels; `None` or `Any`: without labels, or with some.'),
  text('milestone', 'Only those in the milestone of this title; `None`, `Any`, `Upcoming`, `Started`.'),
  text('milestone_id', '`None`, `Any`, `Upcoming` or `Started`.'),
  { rule: 'at most one', of: ['milestone_id', 'milestone'] },
  { name: 'iids', type: 'integers', description: 'Only those with these numbers.' },
  text('search', 'Words that must all occur in the title or in the description.'),
  text('in', 'Where to search: `title`, `description`, or both, separated by a comma.'),
  { name: 'author_id', type: 'integer', description: 'Only those of this person.' },
  text('author_username', 'Only those of this person.'),
  { rule: 'at most one', of: ['author_id', 'author_username'] },
  text('assignee_id', 'Only those assigned to this person; `None` or `Any`: to no one, or to someone.'),
  texts('assignee_username', 'Only those assigned to this person.'),
  { rule: 'at most one', of: ['assignee_id', 'assignee_username'] },
  {
    ...text('scope', 'Your own, those assigned to you, or all.'),
    allowed: Object.keys(scopes),
    default: scope,
  },
  text('my_reaction_emoji', 'Only those to which you gave this emoji; `None` or `Any`: without or with one of you.'),
  moment('created_after', 'Only those created then or later.'),
  moment('created_before', 'Only those created then or earlier.'),
  moment('updated_after', 'Only those changed then or later.'),
  moment('updated_before', 'Only those last changed then or earlier.'),
  flag('confidential', 'Only confidential ones, or only others.'),
  { ...text('due_date', 'Only those that are due then.'), values: Object.keys(dueDates) },
  { ...text('issue_type', 'Only those of this type.'), allowed: issueTypes },
  texts('not[labels]', 'Leave out those with any of these labels.'),
  text('not[milestone]', 'Only those in another milestone.'),
  text('not[milestone_id]', 'Leave out those in a milestone that is `Upcoming` or `Started`; `None` or `Any`.'),
  { rule: 'at most one', of: ['not[milestone_id]', 'not[milestone]'] },
  { name: 'not[iids]', type: 'integers', description: 'Leave out those with these numbers.' },
  { name: 'not[author_id]', type: 'integer', description: 'Leave out those of this person.' },
  text('not[author_username]', 'Leave out those of this person.'),
  { rule: 'at most one', of: ['not[author_id]', 'not[author_username]'] },
  { name: 'not[assignee_id]', type: 'integer', description: 'Leave out those assigned to this person.' },
  texts('not[assignee_username]', 'Leave out those assigned to this person.'),
  { rule: 'at most one', of: ['not[assignee_id]', 'not[assignee_username]'] },
  text('not[my_reaction_emoji]', 'Leave out those to which you gave this emoji.'),
];

const orderParameters: readonly Declaration[] = [
  {
    ...text('order_by', 'Field to sort by. What has no value comes last.'),
    allowed: Object.keys(orders),
    default: 'created_at',
  },
  { ...text('sort', 'Sort direction. Default: `desc`; `asc` for priorities and positions.'), allowed: ['asc', 'desc'] },
  flag('with_labels_details', 'Show labels as records instead of titles.'),
];

const nonArchived: Declaration = { ...flag('non_archived', 'Leave out archived projects.'), default: true };

/** @throws ParameterProblems */
function dueOf(value: Value): string | undefined {
  if (value == null || value === '') return undefined;
  const due = Object.hasOwn(dueDates, String(value)) ? dueDates[String(value)] : undefined;
  if (due === undefined) throw new ParameterProblems(['due_date does not have a valid value']);
  return due;
}

/** The arguments of a list. @throws ParameterProblems */
export function filterVariables(values: Values): Record<string, unknown> {
  const not = (name: string) => values[`not[${name}]`];
  const negated = {
    labelName: some(not('labels')),
    ...milestoneOf(not('milestone'), not('milestone_id'), one),
    iids: some(not('iids')),
    authorId: orNone(not('author_id')),
    authorUsername: one(not('author_username')),
    assigneeId: orNone(not('assignee_id')),
    assigneeUsernames: some(not('assignee_username')),
    myReactionEmoji: orNone(not('my_reaction_emoji')),
  };
  return {
    state: values.state ?? undefined,
    labelName: some(values.labels),
    ...milestoneOf(values.milestone, values.milestone_id, one),
    iids: some(values.iids),
    search: values.search,
    in: searchedIn(values.in),
    authorId: orNone(values.author_id),
    authorUsername: orNone(values.author_username),
    assigneeId: personOf('assignee_id', values.assignee_id),
    assigneeUsernames: onlyName('assignee_username', values.assignee_username),
    scope: scopes[String(values.scope)],
    myReactionEmoji: orNone(values.my_reaction_emoji),
    createdAfter: values.created_after,
    createdBefore: values.created_before,
    updatedAfter: values.updated_after,
    updatedBefore: values.updated_before,
    confidential: values.confidential,
    due: dueOf(values.due_date),
    types: typeof values.issue_type === 'string' ? [values.issue_type.toUpperCase()] : undefined,
    not: Object.values(negated).some((value) => value !== undefined) ? negated : undefined,
  };
}

/** The types of the arguments. */
export const filterArguments = {
  state: 'IssuableState',
  labelName: '[String!]',
  milestoneTitle: '[String!]',
  milestoneWildcardId: 'MilestoneWildcardId',
  iids: '[String!]',
  search: 'String',
  in: '[IssuableSearchableField!]',
  authorId: 'UserID',
  authorUsername: 'String',
  assigneeId: 'String',
  assigneeUsernames: '[String!]',
  scope: 'IssueScope',
  myReactionEmoji: 'String',
  createdAfter: 'Time',
  createdBefore: 'Time',
  updatedAfter: 'Time',
  updatedBefore: 'Time',
  confidential: 'Boolean',
  due: 'IssueDue',
  types: '[IssueType!]',
  not: 'NegatedIssueFilterInput',
} as const;

/** What names the place of a list in each of its routes. */
export const places = {
  everywhere: { parameters: [nonArchived], args: { includeArchived: 'Boolean' }, scope: 'created_by_me' },
  group: { parameters: [nonArchived], args: { includeArchived: 'Boolean', group: 'ID' }, scope: 'all' },
  project: { parameters: [], args: { project: 'ID' }, scope: 'all' },
} as const satisfies Record<
  string,
  { parameters: readonly Declaration[]; args: object; scope: 'created_by_me' | 'all' }
>;

export type Where = keyof typeof places;

/** The arguments that name the place. */
export const placeVariables = (where: Where, { id, non_archived: archived }: Values) => ({
  ...(where !== 'everywhere' && { [where]: id }),
  ...(where !== 'project' && { includeArchived: archived === false }),
});

/** The reference that the list shows of each issue, if it isn't the short one. */
const relative = {
  everywhere: 'relative: reference(full: true)',
  group: 'relative: reference(from: $group)',
  project: '',
};

/** A list of issues. */
export const issueListRoute = (
  where: Where,
  path: string,
  more: Pick<ListRoute<IssueData>, 'summary'> & Partial<Pick<ListRoute<IssueData>, 'limits'>>,
) =>
  listRoute<IssueData>({
    ...more,
    path,
    tag: 'Issues',
    of: 'Issue',
    keyset: () => true,
    cursor: true,
    parameters: [...orderParameters, ...filterParameters(places[where].scope), ...places[where].parameters],
    field: 'issues',
    args: { ...filterArguments, ...places[where].args, sort: 'IssueSort' },
    selection: `${listedIssueFields} ${relative[where]}`,
    selects: { details: 'Boolean!' },
    variables: (values) => {
      const by = String(values.order_by);
      return {
        ...filterVariables(values),
        ...placeVariables(where, values),
        sort: `${orders[by]}_${String(values.sort ?? (ascending.has(by) ? 'asc' : 'desc')).toUpperCase()}`,
        details: values.with_labels_details === true,
      };
    },
    record: Issue,
  });
