import { parseForm, type Exchange } from '../../../http/index.ts';
import { isKey, withQuery } from '../../site/forms/fields.ts';

/** The filters of a list of merge requests as its address has them, with GitLab's names. */

/** Orders by their names in addresses: their names in the schema, and in words. */
export const orders = {
  created_date: ['CREATED_DESC', 'Created, newest first'],
  created_asc: ['CREATED_ASC', 'Created, oldest first'],
  updated_desc: ['UPDATED_DESC', 'Updated, newest first'],
  updated_asc: ['UPDATED_ASC', 'Updated, oldest first'],
  merged_at_desc: ['MERGED_AT_DESC', 'Merged, newest first'],
  closed_at_desc: ['CLOSED_AT_DESC', 'Closed, newest first'],
  priority: ['PRIORITY_ASC', 'Priority'],
  label_priority: ['LABEL_PRIORITY_ASC', 'Label priority'],
  milestone: ['MILESTONE_DUE_ASC', 'Milestone due date'],
  popularity: ['POPULARITY_DESC', 'Popularity'],
  title_asc: ['TITLE_ASC', 'Title, A to Z'],
  title_desc: ['TITLE_DESC', 'Title, Z to A'],
} as const;
type Order = keyof typeof orders;

export const states = { opened: 'Open', merged: 'Merged', closed: 'Closed', all: 'All' } as const;
export type State = keyof typeof states;

export const drafts = { '': 'All', yes: 'Only drafts', no: 'No drafts' } as const;
type Draft = keyof typeof drafts;

export interface MergeRequestQuery {
  readonly state: State;
  readonly search: string;
  /** Titles: merge requests must have all of them. */
  readonly labels: readonly string[];
  /** A title, or one of `milestoneWildcards`. */
  readonly milestone: string;
  readonly author: string;
  /** A username, `None` or `Any`. */
  readonly assignee: string;
  readonly reviewer: string;
  readonly target: string;
  readonly draft: Draft;
  readonly sort: Order;
  readonly before: string;
  readonly after: string;
}

/** The filters that can be taken away, besides labels. */
export const cleared = {
  search: '',
  labels: [],
  milestone: '',
  author: '',
  assignee: '',
  reviewer: '',
  target: '',
  draft: '',
} as const satisfies Partial<MergeRequestQuery>;

/** Reads the address; what it doesn't name, or names wrongly, has its default. @throws Unreadable */
export function readMergeRequestQuery({ query }: Exchange): MergeRequestQuery {
  const given = parseForm(query);
  const text = (name: string) => (typeof given[name] === 'string' ? given[name].trim() : '');
  const list = Array.isArray(given.label_name) ? given.label_name : [text('label_name')];
  // No title has a comma.
  const labels = list.flatMap((one) => (typeof one === 'string' ? one.split(',') : [])).map((one) => one.trim());
  const [state, sort, draft] = [text('state'), text('sort'), text('draft')];
  const person = (name: string) => text(name).replace(/^@/, '');
  return {
    state: isKey(states, state) ? state : 'opened',
    search: text('search'),
    labels: [...new Set(labels)].filter((one) => one !== ''),
    milestone: text('milestone_title'),
    author: person('author_username'),
    assignee: person('assignee_username') || text('assignee_id'),
    reviewer: person('reviewer_username') || text('reviewer_id'),
    target: text('target_branch'),
    draft: isKey(drafts, draft) ? draft : '',
    sort: isKey(orders, sort) ? sort : 'created_date',
    before: text('before'),
    after: text('after'),
  };
}

/** The address of a list with some filters changed; it begins with its first page. */
export function listAddress(path: string, query: MergeRequestQuery, changed: Partial<MergeRequestQuery> = {}): string {
  const { state, search, labels, milestone, author, assignee, reviewer, target, draft, sort } = {
    ...query,
    ...changed,
  };
  return withQuery(path, {
    state: state === 'opened' ? '' : state,
    search,
    label_name: labels.join(','),
    milestone_title: milestone,
    author_username: author,
    assignee_username: assignee,
    reviewer_username: reviewer,
    target_branch: target,
    draft,
    sort: sort === 'created_date' ? '' : sort,
    before: changed.before ?? '',
    after: changed.after ?? '',
  });
}

/** Whether the list is filtered, besides by state. */
export const isFiltered = (query: MergeRequestQuery): boolean =>
  Object.keys(cleared).some((name) => query[name as keyof typeof cleared].length > 0);

/** Where a person is looked for: a username, no one or anybody. */
function person(role: 'assignee' | 'reviewer', value: string) {
  if (value === '') return {};
  if (value === 'None' || value === 'Any') return { [`${role}WildcardId`]: value.toUpperCase() };
  return role === 'assignee' ? { assigneeUsernames: [value] } : { reviewerUsername: value };
}

/** The arguments of `mergeRequests` and `mergeRequestStateCounts` in the schema. */
export function filterArguments(query: MergeRequestQuery) {
  const { state, search, labels, milestone, author, assignee, reviewer, target, draft } = query;
  const wildMilestone = { '#upcoming': 'UPCOMING', '#started': 'STARTED' }[milestone];
  return {
    state,
    ...(search && { search }),
    ...(labels.length > 0 && { labelName: labels }),
    ...(wildMilestone ? { milestoneWildcardId: wildMilestone } : milestone && { milestoneTitle: milestone }),
    ...(author && { authorUsername: author }),
    ...person('assignee', assignee),
    ...person('reviewer', reviewer),
    ...(target && { targetBranches: [target] }),
    ...(draft && { draft: draft === 'yes' }),
  };
}
