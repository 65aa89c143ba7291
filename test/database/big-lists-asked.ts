import { changesExcuses, changesQueries } from './big-changes-lists.ts';
import { planningExcuses, planningQueries } from './big-planning-lists.ts';

/** How the lists of a big instance are asked, and what is accepted of them. */

export type Query = Record<string, string>;

/** Queries of each list, by the end of its path. */
export const asked: readonly [path: RegExp, ...queries: Query[]][] = [
  ...planningQueries,
  ...changesQueries,
  [
    /\/members(\/all)?$/,
    {},
    { page: '20' },
    { query: 'seed-user-99' },
    { query: 'nobody has it' },
    { user_ids: '5,6' },
  ],
  [/\/starrers$/, {}, { page: '20' }, { search: 'seed-user-99' }],
  [
    /\/(projects|forks|starred_projects)$/,
    ...['id', 'name', 'path', 'created_at', 'updated_at', 'star_count', 'last_activity_at'].map((order) => ({
      order_by: order,
    })),
    { sort: 'asc' },
    { page: '50' },
    { page: '2500' },
    { pagination: 'keyset', order_by: 'id', id_before: '50000' },
    { id_after: '99990' },
    { search: 'project 9999' },
    { search: 'Seeded' },
    { search: 'nothing like it' },
    { search: 'project-99', search_namespaces: 'true' },
    { visibility: 'private' },
    { visibility: 'internal' },
    { visibility: 'public' },
    { archived: 'true' },
    { archived: 'false' },
    { owned: 'true' },
    { membership: 'true' },
    { min_access_level: '40' },
    { starred: 'true' },
    { topic: 'topic-7' },
    { topic: 'no-such-topic' },
    { updated_after: '2020-01-01T00:00:00Z', order_by: 'updated_at' },
    { last_activity_after: '2999-01-01T00:00:00Z' },
    { simple: 'true' },
  ],
  [
    /groups$/,
    ...['name', 'path', 'id'].map((order) => ({ order_by: order })),
    { sort: 'desc' },
    { page: '50' },
    { page: '900' },
    { all_available: 'true' },
    { all_available: 'false' },
    { owned: 'true' },
    { min_access_level: '40' },
    { top_level_only: 'true' },
    { search: 'group-1999' },
    { search: 'Seeded' },
    { search: 'nothing like it' },
    { visibility: 'private' },
    { visibility: 'internal' },
    { skip_groups: '1,2,3' },
  ],
  [
    /\/namespaces$/,
    {},
    { search: 'group-1999' },
    { search: 'nothing like it' },
    { owned_only: 'true' },
    { top_level_only: 'true' },
    { page: '900' },
  ],
  [
    /\/users$/,
    ...['id', 'name', 'username', 'created_at', 'updated_at'].map((order) => ({ order_by: order })),
    { page: '50' },
    { search: 'seed-user-999' },
    { search: 'nothing@example.com' },
    { username: 'seed-user-9' },
    { active: 'true' },
    { blocked: 'true' },
    { admins: 'true' },
    { two_factor: 'enabled' },
    { created_after: '2999-01-01T00:00:00Z' },
  ],
  [
    /\/personal_access_tokens$/,
    {},
    { page: '50' },
    { user_id: '12' },
    { state: 'active' },
    { revoked: 'true' },
    { search: 'seed 99' },
  ],
  [
    /^\/api\/v4\/search$/,
    ...['projects', 'users', 'issues', 'merge_requests', 'milestones', 'snippet_titles'].flatMap((scope) =>
      ['velvet', 'nothing like it'].map((search) => ({ scope, search })),
    ),
  ],
  [/\/search$/, ...['issues', 'merge_requests', 'milestones', 'users'].map((scope) => ({ scope, search: 'velvet' }))],
  [/\/notification_recipients$/, { event: 'new_issue', issue_iid: '1' }],
  [/./, {}, { page: '50' }],
];

/** Lists that read a whole table, or much of an index, and why that is accepted. */
export const excused: readonly { readonly why: string; readonly is: (path: string, query: Query) => boolean }[] = [
  ...planningExcuses,
  ...changesExcuses,
  {
    why: 'An offset skips up to 50,000 rows: beyond some thousands a scan and a sort cost less than an index. Use keyset pagination instead.',
    is: (_path, { page }) => Number(page) >= 900,
  },
  {
    why: 'Every path has the trigrams of this search, so an index is of little use; the one table is scanned once.',
    is: (_path, { search_namespaces: paths }) => paths === 'true',
  },
  {
    why: 'Whether a starrer is active is a column of users, and a twentieth of all people starred this project: scanning users costs less than looking up each.',
    is: (path) => path.endsWith('/starrers'),
  },
  {
    why: 'Scanning 10,000 people costs less than searching three indexes; for 100,000 it would not.',
    is: (path, { search }) => path === '/api/v4/users' && search === 'nothing@example.com',
  },
  {
    why: 'Up to 10,000 members are counted, and there are as many people: scanning them costs less than looking up each.',
    is: (path) => /\/members(\/all)?$/.test(path),
  },
  {
    why: 'Thousands of 20,000 groups are visible, and all are counted: scanning the table costs less than looking up each. For some hundreds it would not.',
    is: (path, query) =>
      path === '/api/v4/groups' &&
      !['owned', 'min_access_level', 'top_level_only'].some((name) => name in query) &&
      [undefined, 'Seeded'].includes(query.search) &&
      query.all_available !== 'false',
  },
  {
    why: 'Only administrators list all tokens, and rarely. An index on these columns would be updated with every token.',
    is: (path, { revoked, search }) =>
      path.endsWith('/personal_access_tokens') && (revoked !== undefined || search !== undefined),
  },
];
