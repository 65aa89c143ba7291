/** The lists of planning on a big instance: how they are asked, and what is accepted of them. */

type Query = Record<string, string>;

/** Whether a list belongs to a project or group with many issues. */
export const isOfPlanning = (path: string): boolean =>
  /\/(issues|merge_requests|labels|milestones|events|snippets)(\/|$)/.test(path) && !path.includes('/deployments/');

/**
 * The orders of issues in which each page costs the same, as `sort` of GraphQL. By the priorities of labels, the first page
 * sorts all issues, and later ones only those that are left.
 */
export const planningOrders = [
  'CREATED',
  'UPDATED',
  'TITLE',
  'POPULARITY',
  'DUE_DATE',
  'RELATIVE_POSITION',
  'MILESTONE_DUE',
  'SEVERITY',
].flatMap((order) => [`${order}_ASC`, `${order}_DESC`]);

const orders = [
  'created_at',
  'updated_at',
  'title',
  'popularity',
  'due_date',
  'relative_position',
  'milestone_due',
  'label_priority',
  'priority',
];
const filters: readonly Query[] = [
  { state: 'opened' },
  { labels: 'Label 0' },
  { labels: 'Label 0,Label 3' },
  { labels: 'nobody has it' },
  { labels: 'None' },
  { milestone: 'Milestone 0' },
  { milestone: 'None' },
  { milestone_id: 'Started' },
  { milestone_id: 'Upcoming' },
  { author_id: '12' },
  { author_username: 'seed-user-77' },
  { assignee_id: '12' },
  { assignee_id: 'None' },
  { my_reaction_emoji: 'thumbsup' },
  { created_after: '2999-01-01T00:00:00Z' },
  { updated_after: '2999-01-01T00:00:00Z', order_by: 'updated_at' },
  { confidential: 'true' },
  { due_date: 'overdue' },
  { issue_type: 'incident' },
  { iids: '7' },
  { search: 'velvet' },
  { search: 'velvet 12345' },
  { search: 'nothing like it' },
  { 'not[labels]': 'Label 0' },
  { 'not[milestone]': 'Milestone 0' },
  { 'not[author_id]': '12' },
];
const every = { scope: 'all' };

/** Queries of each list, by the end of its path. */
export const planningQueries: readonly [path: RegExp, ...queries: Query[]][] = [
  [
    /^\/api\/v4\/issues$/,
    {},
    { scope: 'assigned_to_me' },
    ...orders.map((order) => ({ ...every, order_by: order })),
    ...filters.map((filter) => ({ ...every, ...filter })),
    { ...every, page: '50' },
  ],
  [/\/issues$/, ...orders.map((order) => ({ order_by: order })), { sort: 'asc' }, { page: '50' }, ...filters],
  [/\/(notes|discussions)$/, {}, { page: '20' }, { order_by: 'updated_at', sort: 'asc' }],
  [/\/labels$/, {}, { with_counts: 'true' }, { search: 'Label 3' }, { include_ancestor_groups: 'false' }],
  [
    /\/milestones$/,
    {},
    { state: 'active' },
    { iids: '1' },
    { title: 'Milestone 0' },
    { search: 'Milestone' },
    { include_ancestors: 'true' },
  ],
  [/\/todos$/, {}, { state: 'done' }, { action: 'assigned' }],
  [/\/events$/, {}, { action: 'commented' }, { target_type: 'issue' }, { sort: 'asc' }, { page: '20' }],
];

/** Lists that read a whole table, or much of an index, and why that is accepted. */
export const planningExcuses: readonly {
  readonly why: string;
  readonly is: (path: string, query: Query) => boolean;
}[] = [
  {
    why: 'All issues that one may see: which projects one sees is computed for all of them, the count reads the table until it has 10,001 rows, and not all orders have an index over all projects.',
    is: (path, { scope }) => path === '/api/v4/issues' && scope === 'all',
  },
  {
    why: 'These orders depend on milestones and labels, so that all issues of the project or group are sorted.',
    is: (path, { order_by: order = '' }) =>
      path.endsWith('/issues') && ['milestone_due', 'label_priority', 'priority'].includes(order),
  },
  {
    why: 'A tenth of all issues is in this group, and all of them are counted: scanning the table costs less than looking up each.',
    is: (path) => /\/groups\/\d+\/issues$|^\/api\/v4\/groups\/:id\/issues$/.test(path),
  },
  {
    why: 'The milestone of a tenth of all issues: whether their projects are visible is computed once for all projects.',
    is: (path) => path.endsWith('/:milestone_id/issues'),
  },
  {
    why: 'Milestones of this title are read once, to leave their issues out.',
    is: (_path, query) => 'not[milestone]' in query,
  },
  {
    why: 'A tenth of all events is of this project: 10,001 are counted, each with what it is about.',
    is: (path) => path.endsWith('/projects/:id/events'),
  },
];
