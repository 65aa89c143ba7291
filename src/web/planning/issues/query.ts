import { parseForm, type Exchange } from '../../../http/index.ts';
import { isKey, withQuery } from '../../site/forms/fields.ts';

/** The filters of a list of issues as its address has them, with GitLab's names. */

/** Orders by their names in addresses: their names in the schema, and in words. */
export const orders = {
  created_date: ['CREATED_DESC', 'Created, newest first'],
  created_asc: ['CREATED_ASC', 'Created, oldest first'],
  updated_desc: ['UPDATED_DESC', 'Updated, newest first'],
  updated_asc: ['UPDATED_ASC', 'Updated, oldest first'],
  priority: ['PRIORITY_ASC', 'Priority'],
  label_priority: ['LABEL_PRIORITY_ASC', 'Label priority'],
  due_date: ['DUE_DATE_ASC', 'Due date'],
  milestone: ['MILESTONE_DUE_ASC', 'Milestone due date'],
  popularity: ['POPULARITY_DESC', 'Popularity'],
  title_asc: ['TITLE_ASC', 'Title, A to Z'],
  title_desc: ['TITLE_DESC', 'Title, Z to A'],
} as const;
type Order = keyof typeof orders;

export const states = { opened: 'Open', closed: 'Closed', all: 'All' } as const;
export type State = keyof typeof states;

/** Values of the milestone filter that aren't titles. */
export const milestoneWildcards = {
  None: 'No milestone',
  Any: 'Any milestone',
  '#upcoming': 'Upcoming',
  '#started': 'Started',
} as const;

export interface IssueQuery {
  readonly state: State;
  readonly search: string;
  /** Titles: issues must have all of them. */
  readonly labels: readonly string[];
  /** A title, or one of `milestoneWildcards`. */
  readonly milestone: string;
  readonly author: string;
  /** A username, `None` or `Any`. */
  readonly assignee: string;
  readonly sort: Order;
  readonly before: string;
  readonly after: string;
}

/** Reads the address; what it doesn't name, or names wrongly, has its default. @throws Unreadable */
export function readIssueQuery({ query }: Exchange): IssueQuery {
  const given = parseForm(query);
  const text = (name: string) => (typeof given[name] === 'string' ? given[name].trim() : '');
  const list = Array.isArray(given.label_name) ? given.label_name : [text('label_name')];
  // No title has a comma.
  const labels = list.flatMap((one) => (typeof one === 'string' ? one.split(',') : [])).map((one) => one.trim());
  const [state, sort] = [text('state'), text('sort')];
  return {
    state: isKey(states, state) ? state : 'opened',
    search: text('search'),
    labels: [...new Set(labels)].filter((one) => one !== ''),
    milestone: text('milestone_title'),
    author: text('author_username').replace(/^@/, ''),
    assignee: text('assignee_username').replace(/^@/, '') || text('assignee_id'),
    sort: isKey(orders, sort) ? sort : 'created_date',
    before: text('before'),
    after: text('after'),
  };
}

/** The address of a list with some filters changed; it begins with its first page. */
export function issuesAddress(path: string, query: IssueQuery, changed: Partial<IssueQuery> = {}): string {
  const { state, search, labels, milestone, author, assignee, sort } = { ...query, ...changed };
  return withQuery(path, {
    state: state === 'opened' ? '' : state,
    search,
    label_name: labels.join(','),
    milestone_title: milestone,
    author_username: author,
    assignee_username: assignee,
    sort: sort === 'created_date' ? '' : sort,
    before: changed.before ?? '',
    after: changed.after ?? '',
  });
}

/** Whether the list is filtered, besides by state. */
export const isFiltered = ({ search, labels, milestone, author, assignee }: IssueQuery): boolean =>
  search !== '' || labels.length > 0 || milestone !== '' || author !== '' || assignee !== '';

/** The arguments of `issues` and `issueStatusCounts` in the schema. */
export function filterArguments({ state, search, labels, milestone, author, assignee }: IssueQuery) {
  const isWild = assignee === 'None' || assignee === 'Any';
  const wildMilestone = { '#upcoming': 'UPCOMING', '#started': 'STARTED' }[milestone];
  return {
    state,
    ...(search && { search }),
    ...(labels.length > 0 && { labelName: labels }),
    ...(wildMilestone ? { milestoneWildcardId: wildMilestone } : milestone && { milestoneTitle: [milestone] }),
    ...(author && { authorUsername: author }),
    ...(assignee && (isWild ? { assigneeWildcardId: assignee.toUpperCase() } : { assigneeUsernames: [assignee] })),
  };
}
