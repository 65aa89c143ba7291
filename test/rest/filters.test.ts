import { beforeAll, describe, expect, test } from 'vitest';
import type { Parameter } from '../../src/rest/engine/parameters.ts';
import { routes } from '../../src/rest/routes.ts';
import { newMergeRequest } from '../reviews/support/merge-requests.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';

/**
 * Every filter of the lists of places, people and planning, with a value that nothing has: the list is empty, and neither
 * an error nor everything. A new filter fails here until the tables say what it is.
 */

let gateway: TestGateway;
const never = '2999-01-01';
const always = '2001-01-01';
const nobody = '2147483646';
const project = '/projects/demo%2Fstorefront';

/** Values that nothing in the lists below has, by filter; some need another filter beside them. */
const unmatched: Readonly<Record<string, string>> = {
  action: 'expired',
  active: 'false',
  after: never,
  approved: 'yes',
  archived: 'true',
  assignee_id: nobody,
  assignee_username: 'nobody-has-this',
  author_id: nobody,
  author_username: 'nobody-has-this',
  before: always,
  confidential: 'true',
  created_after: never,
  'custom_attributes[team]': 'core',
  created_before: always,
  deployed_after: never,
  deployed_before: always,
  due_date: 'overdue',
  environment: 'nowhere',
  exclude_active: 'true',
  exclude_humans: 'true',
  external: 'true',
  group_id: nobody,
  id_after: nobody,
  id_before: '0',
  iids: nobody,
  imported: 'true',
  issue_type: 'incident',
  labels: 'nothing has this',
  last_activity_after: never,
  last_activity_before: always,
  merge_user_id: nobody,
  merge_user_username: 'nobody-has-this',
  milestone: 'nothing has this',
  milestone_id: 'Upcoming',
  my_reaction_emoji: 'tractor',
  project_id: nobody,
  public_email: 'nobody@nowhere.example',
  query: 'nobody-has-this',
  repository_storage: 'nowhere',
  reviewer_id: nobody,
  reviewer_username: 'nobody-has-this',
  search: 'nothing-has-this',
  source_branch: 'nothing-has-this',
  source_project_id: nobody,
  starred: 'true',
  state: 'closed',
  target_branch: 'nothing-has-this',
  title: 'nothing has this',
  topic: 'nothing has this',
  topic_id: nobody,
  two_factor: 'enabled',
  type: 'Commit',
  updated_after: never,
  updated_before: always,
  user_ids: nobody,
  username: 'nobody-has-this',
  visibility: 'internal',
  wip: 'yes',
  with_programming_language: 'Nonsense',
  extern_uid: 'nobody&provider=none',
  provider: 'none&extern_uid=nobody',
  blocked: 'true',
  target_type: 'snippet',
  'not[milestone]': 'Summer',
};
/** Filters whose values all match something, or that leave out what they name: they must be known at least. */
const matching: readonly string[] = [
  'admins',
  'exclude_external',
  'exclude_internal',
  'humans',
  'membership',
  'min_access_level',
  'owned',
  'owned_only',
  'ref',
  'relation',
  'scope',
  'skip_groups',
  'skip_users',
  'top_level_only',
  'with_issues_enabled',
  'with_merge_requests_enabled',
  'without_project_bots',
  'without_projects',
  'not[assignee_id]',
  'not[assignee_username]',
  'not[author_id]',
  'not[author_username]',
  'not[iids]',
  'not[labels]',
  'not[milestone_id]',
  'not[my_reaction_emoji]',
  'not[reviewer_id]',
  'not[reviewer_username]',
];
/** What selects no rows: more of them, how they look, in which order they come. */
const others: readonly string[] = [
  'all_available',
  'cursor',
  'in',
  'include_archived',
  'include_ancestor_groups',
  'include_ancestors',
  'include_descendant_groups',
  'include_descendants',
  'include_parent_milestones',
  'include_pending_delete',
  'include_subgroups',
  'non_archived',
  'only_group_labels',
  'order_by',
  'page',
  'pagination',
  'per_page',
  'render_html',
  'search_namespaces',
  'shared_min_access_level',
  'shared_visible_only',
  'simple',
  'sort',
  'statistics',
  'view',
  'with_counts',
  'with_labels_details',
  'with_merge_status_recheck',
  'with_shared',
];
/** Other values, where one list needs them: by its path and the filter. */
const special: Readonly<Record<string, string>> = {
  '/users active': 'true&blocked=true',
  '/users blocked': 'true&active=true',
  '/users external': 'true&exclude_external=true',
  '/users/:id/memberships type': 'Project',
  '/todos action': 'build_failed',
  '/todos state': 'done',
};

const lists: Readonly<Record<string, string>> = {
  '/users': '/users',
  '/users/:id/memberships': '/users/{guest}/memberships',
  '/users/:id/events': '/users/maintainer/events',
  '/users/:user_id/projects': '/users/maintainer/projects',
  '/users/:user_id/starred_projects': '/users/developer/starred_projects',
  '/projects': '/projects',
  '/projects/:id/forks': `${project}/forks`,
  '/projects/:id/invited_groups': `${project}/invited_groups`,
  '/projects/:id/share_locations': `${project}/share_locations`,
  '/projects/:id/transfer_locations': '/projects/maintainer%2Fown/transfer_locations',
  '/projects/:id/users': `${project}/users`,
  '/projects/:id/groups': `${project}/groups`,
  '/projects/:id/starrers': `${project}/starrers`,
  '/projects/:id/members': '/projects/maintainer%2Fown/members',
  '/projects/:id/members/all': `${project}/members/all`,
  '/projects/:id/search': `${project}/search?scope=issues&search=Leaks`,
  '/projects/:id/issues': `${project}/issues`,
  '/projects/:id/merge_requests': `${project}/merge_requests`,
  '/projects/:id/labels': `${project}/labels`,
  '/projects/:id/milestones': `${project}/milestones`,
  '/projects/:id/events': `${project}/events`,
  '/groups': '/groups',
  '/groups/:id/subgroups': '/groups/demo/subgroups',
  '/groups/:id/descendant_groups': '/groups/demo/descendant_groups',
  '/groups/:id/projects': '/groups/demo/projects',
  '/groups/:id/projects/shared': '/groups/hall/projects/shared',
  '/groups/:id/groups/shared': '/groups/porch/groups/shared',
  '/groups/:id/invited_groups': '/groups/hall/invited_groups',
  '/groups/:id/transfer_locations': '/groups/hall/transfer_locations',
  '/groups/:id/members': '/groups/demo/members',
  '/groups/:id/members/all': '/groups/demo%2Fplatform/members/all',
  '/groups/:id/search': '/groups/demo/search?scope=issues&search=Leaks',
  '/groups/:id/merge_requests': '/groups/demo/merge_requests',
  '/groups/:id/issues': '/groups/demo/issues',
  '/groups/:id/labels': '/groups/demo/labels',
  '/groups/:id/milestones': '/groups/demo/milestones',
  '/issues': '/issues?scope=all',
  '/merge_requests': '/merge_requests?scope=all',
  '/events': '/events',
  '/todos': '/todos',
  '/snippets': '/snippets',
  '/snippets/public': '/snippets/public',
  '/snippets/all': '/snippets/all',
  '/namespaces': '/namespaces',
  '/search': '/search?scope=issues&search=Leaks',
};
/** The areas whose lists are all here. */
const complete: readonly string[] = [
  'Projects',
  'Groups',
  'Members',
  'Sharing',
  'Forks',
  'Users',
  'Namespaces',
  'Search',
];
/** Lists that are tested with others, or elsewhere. */
const elsewhere: readonly string[] = [
  '/groups/:id/-/search',
  '/projects/:id/-/search',
  '/users/:user_id/contributed_projects',
];

const addresses = new Map<string, string>();
beforeAll(async () => {
  gateway = await testGateway();
  const token = gateway.tokens.maintainer;
  const write = async (path: string, json: object, by = token) => {
    const { status, body } = await gateway.rest('POST', `/api/v4${path}`, { token: by, json });
    expect(status, path).toBeLessThan(300);
    return (body as { id: number }).id;
  };
  await write(`${project}/labels`, { name: 'bug', color: 'red' });
  await write(`${project}/milestones`, { title: 'Summer', due_date: '2001-02-03' });
  await write(`${project}/issues`, { title: 'Leaks', labels: 'bug', milestone_id: 1, assignee_id: 1 });
  await write(`${project}/issues/1/todo`, {});
  await write(`${project}/star`, {}, gateway.tokens.developer);
  const hall = await write('/groups', { name: 'Hall', path: 'hall' });
  const porch = await write('/groups', { name: 'Porch', path: 'porch' });
  await write('/groups/hall/share', { group_id: porch, group_access: 30 });
  await write(`${project}/share`, { group_id: hall, group_access: 10 });
  await write('/projects', { name: 'Own' });
  await write('/projects/maintainer%2Fown/members', { username: 'developer', access_level: 30 });
  await write(`${project}/fork`, { name: 'Fork', path: 'fork' });
  await write('/groups/demo/labels', { name: 'shop', color: 'red' });
  await write('/groups/demo/milestones', { title: 'All' });
  for (const visibility of ['public', 'private'])
    await write('/snippets', { title: 'Sum', file_name: 'sum.py', content: '1 + 1', visibility });
  await newMergeRequest(gateway, 'demo/storefront', { title: 'Seal', author: 'maintainer' });
  const [guest] = await gateway.sql<{ id: number }>(
    `select n.owner_id as id from routes r join namespaces n on n.id = r.namespace_id where r.path = 'guest'`,
  );
  for (const [path, address] of Object.entries(lists))
    addresses.set(path, address.replace('{guest}', String(guest!.id)));
});

const listOf = (path: string) =>
  routes.find((one) => one.method === 'GET' && one.path === `/api/v4${path}` && one.connection)!;
const filtersOf = (path: string) =>
  listOf(path)
    .parameters.filter((one): one is Parameter => 'name' in one)
    .map(({ name }) => name)
    .filter((name) => !others.includes(name))
    // It takes an object.
    .map((name) => (name === 'custom_attributes' ? 'custom_attributes[team]' : name));

test('are tested of every list of places and people', () => {
  const known = routes
    .filter(({ method, tag, connection }) => method === 'GET' && connection && complete.includes(tag))
    .map(({ path }) => path.replace('/api/v4', ''))
    .filter((path) => filtersOf(path).length > 0 && !elsewhere.includes(path));
  expect(known.filter((path) => lists[path] === undefined)).toEqual([]);
});

describe.each(Object.keys(lists))('%s', (path) => {
  const ask = async (query: string) => {
    const address = addresses.get(path)!;
    const asked = [address, query].filter(Boolean).join(address.includes('?') ? '&' : '?');
    // Some filters are for administrators, and ignored from others.
    const by =
      path.startsWith('/users') || /^(repository_storage|custom_attributes)/.test(query)
        ? gateway.tokens.root
        : gateway.tokens.maintainer;
    const { status, body } = await gateway.rest('GET', `/api/v4${asked}`, { token: by });
    return { status, rows: body as unknown[] };
  };

  test('has something without filters', async () => {
    const { status, rows } = await ask('');
    expect(status).toBe(200);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('is empty by each filter with a value that nothing has', async () => {
    const found: Record<string, unknown> = {};
    const filters = filtersOf(path);
    // Lists of projects filter by the last change only in its order.
    const ordered = (name: string) =>
      name.startsWith('updated_') && filters.includes('with_programming_language') ? '&order_by=updated_at' : '';
    for (const name of filters.filter((one) => !matching.includes(one))) {
      const value = special[`${path} ${name}`] ?? unmatched[name];
      const { status, rows } = await ask(`${name}=${value}${ordered(name)}`);
      if (status !== 200 || rows.length > 0) found[`${name}=${value}`] = status === 200 ? rows.length : rows;
    }
    expect(found).toEqual({});
  });
});
