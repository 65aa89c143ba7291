import { beforeAll, describe, expect, test } from 'vitest';
import { snakeCase } from '../../../src/rest/engine/snake-case.ts';
import type { GroupAttributes } from '../../../src/values/group-attributes.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { addMember, newUser, type TestUser } from '../../support/people.ts';
import { workspace, type Workspace } from '../../support/workspace.ts';

/** Groups, namespaces and members over REST: status codes, bodies and error messages of version 4. */

let gateway: TestGateway;
let make: Workspace;
let olga: TestUser;
let dan: TestUser;
let firm: number;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  [olga, dan] = [await newUser(gateway, 'olga'), await newUser(gateway, 'dan')];
  firm = (await call('POST', '/groups', { name: 'The Firm', path: 'firm', visibility: 'internal' })).body.id;
  await call('POST', '/groups', { name: 'Team', path: 'team', parent_id: firm });
  await call('POST', '/groups', {
    name: 'Squad',
    path: 'squad',
    parent_id: (await call('GET', '/groups/firm%2Fteam')).body.id,
  });
  await make.project('firm/site', 'PUBLIC');
  await make.project('firm/team/shop');
});

const call = (
  method: string,
  path: string,
  values: Record<string, unknown> = {},
  token: string | undefined = olga.token,
  headers: Record<string, string> = {},
) =>
  gateway.rest(method, `/api/v4${path}`, {
    token,
    headers,
    ...(method === 'GET' ? { query: values as Record<string, string> } : { json: values }),
  });
/** What a new group has. */
const defaults = {
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 'developer',
  auto_devops_enabled: null,
  subgroup_creation_level: 'maintainer',
  emails_disabled: false,
  emails_enabled: true,
  show_diff_preview_in_email: true,
  mentions_disabled: null,
  lfs_enabled: true,
  archived: false,
  math_rendering_limits_enabled: true,
  lock_math_rendering_limits_enabled: false,
  default_branch: null,
  default_branch_protection: 2,
  default_branch_protection_defaults: {
    allowed_to_push: [{ access_level: 40 }],
    allow_force_push: false,
    allowed_to_merge: [{ access_level: 40 }],
    developer_can_initial_push: false,
  },
  avatar_url: null,
  request_access_enabled: true,
  organization_id: 1,
  shared_runners_setting: 'enabled',
  max_artifacts_size: null,
  marked_for_deletion_on: null,
};

/** The members of a subgroup, in order. Those after `marked_for_deletion_on` are of a single one only. */
const recordKeys = `
  id web_url name path description visibility share_with_group_lock require_two_factor_authentication
  two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level
  emails_disabled emails_enabled show_diff_preview_in_email mentions_disabled lfs_enabled archived
  math_rendering_limits_enabled lock_math_rendering_limits_enabled default_branch
  default_branch_protection default_branch_protection_defaults avatar_url request_access_enabled
  full_name full_path created_at parent_id organization_id shared_runners_setting max_artifacts_size
  marked_for_deletion_on shared_with_groups projects shared_projects`
  .trim()
  .split(/\s+/);

const pathsOf = (body: { full_path?: string; path_with_namespace?: string }[]) =>
  body.map((one) => one.full_path ?? one.path_with_namespace);
let made = 0;
const newGroup = async (values: object = {}, token?: string) => {
  const path = `new-${made++}`;
  const { status, body } = await call('POST', '/groups', { name: 'New', path, ...values }, token);
  expect(status).toBe(201);
  return body as { id: number; full_path: string; [key: string]: unknown };
};
const groups = async (values: Record<string, unknown>, token?: string) =>
  pathsOf((await call('GET', '/groups', values, token)).body);

describe('a group', () => {
  test('is shown with all fields of version 4', async () => {
    const { status, body } = await call('GET', '/groups/firm%2Fteam');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      web_url: `${gateway.url}/groups/firm/team`,
      name: 'Team',
      path: 'team',
      description: '',
      visibility: 'private',
      ...defaults,
      full_name: 'The Firm / Team',
      full_path: 'firm/team',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      parent_id: firm,
      shared_with_groups: [],
      projects: [expect.objectContaining({ path_with_namespace: 'firm/team/shop' })],
      shared_projects: [],
    });
    expect(Object.keys(body)).toEqual(recordKeys);
    expect(body.projects[0]).not.toHaveProperty('permissions');
    const [listed] = (await call('GET', '/groups', { search: 'firm/team' })).body;
    expect(Object.keys(listed)).toEqual(recordKeys.slice(0, recordKeys.indexOf('shared_with_groups')));
    expect((await call('GET', '/groups/firm%2Fteam', { with_projects: 'false' })).body).not.toHaveProperty('projects');
    expect((await call('GET', `/groups/${firm}`)).body).toMatchObject({ full_path: 'firm', parent_id: null });
  });

  test('that the caller may not see answers exactly like a missing one', async () => {
    const hidden = await call('GET', '/groups/firm%2Fteam', {}, dan.token);
    expect([hidden.status, hidden.text]).toEqual([404, '{"message":"404 Group Not Found"}']);
    for (const path of ['nothing', 'firm%2Fnothing', '999999', 'dan']) {
      for (const below of ['', '/subgroups', '/descendant_groups', '/projects', '/members', '/members/all']) {
        expect((await call('GET', `/groups/${path}${below}`, {}, dan.token)).text).toBe(hidden.text);
      }
    }
  });

  test('is created with 201, and errors are reported in one text', async () => {
    const { status, body } = await call('POST', '/groups', {
      name: 'Made',
      path: 'made',
      description: 'Just so.',
      visibility: 'public',
    });
    expect([status, body]).toMatchObject([201, { full_path: 'made', description: 'Just so.', visibility: 'public' }]);
    const again = await call('POST', '/groups', { name: 'Made', path: 'made' });
    expect([again.status, again.body]).toEqual([
      400,
      { message: 'Failed to save group {:path=>["has already been taken"]}' },
    ]);
    const both = await call('POST', '/groups', { name: ' ', path: 'api' });
    expect(both.body).toEqual({
      message: 'Failed to save group {:name=>["can\'t be blank"], :path=>["is a reserved name"]}',
    });
  });

  test.each([
    ['an anonymous caller', () => undefined, { name: 'x', path: 'x' }, 401, { message: '401 Unauthorized' }],
    [
      'a caller with a read-only token',
      () => gateway.personalToken('olga', ['read_api']),
      { name: 'x', path: 'x' },
      403,
      { error: 'insufficient_scope' },
    ],
    [
      'a caller who sends no name and no path',
      () => olga.token,
      {},
      400,
      { error: 'name is missing, path is missing' },
    ],
    [
      'a caller who sends an unknown visibility',
      () => olga.token,
      { name: 'x', path: 'x', visibility: 'secret' },
      400,
      { error: 'visibility does not have a valid value' },
    ],
    [
      'a caller who may not see the parent',
      () => dan.token,
      { name: 'x', path: 'x', parent_id: 999_999 },
      404,
      { message: '404 Group Not Found' },
    ],
    [
      'a caller who may not create groups in the parent',
      () => dan.token,
      { name: 'x', path: 'x', parent_id: 'firm' },
      400,
      { error: 'parent_id is invalid' },
    ],
  ])('is not created by %s', async (_who, token, values, status, body) => {
    const presented = await token();
    const answer = await gateway.rest('POST', '/api/v4/groups', { token: presented, json: values });
    expect([answer.status, answer.body]).toMatchObject([status, body]);
  });

  test('is updated by its owners', async () => {
    expect((await call('PUT', '/groups/made', { name: 'Changed', visibility: 'private' })).body).toMatchObject({
      name: 'Changed',
      visibility: 'private',
      description: 'Just so.',
    });
    expect((await call('PUT', '/groups/made', { description: '' })).body).toMatchObject({ description: '' });
    const taken = await call('PUT', '/groups/made', { path: 'demo' });
    expect([taken.status, taken.body]).toEqual([400, { message: { path: ['has already been taken'] } }]);
    expect(await call('PUT', '/groups/firm', { name: 'Mine' }, dan.token)).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
  });

  test('moves with its projects, which are found by their former paths', async () => {
    await call('POST', '/groups', { name: 'Mover', path: 'mover' });
    const project = await make.project('mover/box', 'PUBLIC');
    await call('PUT', '/groups/mover', { path: 'moved' });
    const redirected = await call('GET', '/groups/Mover', { with_projects: 'false' });
    expect([redirected.status, redirected.headers.get('location')]).toEqual([
      301,
      expect.stringMatching(/\/api\/v4\/groups\/\d+\?with_projects=false$/),
    ]);
    expect(await call('PUT', '/groups/mover', { name: 'x' })).toMatchObject({
      status: 405,
      body: { message: 'Non GET methods are not allowed for moved projects' },
    });
    expect((await call('GET', '/groups/mover', {}, dan.token)).status).toBe(404);
    expect(pathsOf((await call('GET', '/groups/moved/projects')).body)).toEqual(['moved/box']);
    const old = await call('GET', '/projects/mover%2Fbox/notification_settings');
    expect([old.status, old.headers.get('location')]).toEqual([
      301,
      `${gateway.url}/api/v4/projects/${project}/notification_settings`,
    ]);
  });

  test('is deleted with 202, unless it was changed since', async () => {
    await call('POST', '/groups', { name: 'Brief', path: 'brief' });
    const since = (moment: string) =>
      call('DELETE', '/groups/brief', {}, olga.token, { 'if-unmodified-since': moment });
    expect(await since('Thu, 01 Jan 2015 00:00:00 GMT')).toMatchObject({
      status: 412,
      body: { message: '412 Precondition Failed' },
    });
    expect(await call('DELETE', '/groups/brief', {}, dan.token)).toMatchObject({ status: 404 });
    expect(await since(new Date().toUTCString())).toMatchObject({ status: 202, body: { message: '202 Accepted' } });
    expect(await call('DELETE', '/groups/brief')).toMatchObject({
      status: 404,
      body: { message: '404 Group Not Found' },
    });
  });
});

describe('a list of groups', () => {
  test('has the groups of the caller, and all visible groups on request', async () => {
    await make.group('open', 'PUBLIC');
    expect(await groups({})).toEqual(['made', 'moved', 'firm/team/squad', 'firm/team', 'firm'].toSorted(byName));
    expect(await groups({}, dan.token)).toEqual([]);
    expect(await groups({ all_available: 'true' }, dan.token)).toEqual(['demo', 'open', 'firm'].toSorted(byName));
    expect(await groups({}, gateway.tokens.root)).toContain('firm/team/squad');
    expect(pathsOf((await gateway.rest('GET', '/api/v4/groups')).body)).toEqual(['demo', 'open'].toSorted(byName));
  });
  /** The listed names, without groups of other tests. */
  const nameOf: Record<string, string> = {
    made: 'Changed',
    moved: 'Mover',
    'firm/team/squad': 'Squad',
    'firm/team': 'Team',
    firm: 'The Firm',
    demo: 'Demo',
    open: 'open',
  };
  const byName = (one: string, other: string) => (nameOf[one]! < nameOf[other]! ? -1 : 1);

  test('is filtered and sorted', async () => {
    await addMember(gateway, dan, 'DEVELOPER', { group: 'firm' });
    await addMember(gateway, dan, 'OWNER', { group: 'firm/team' });
    expect(await groups({ owned: 'true' }, dan.token)).toEqual(['firm/team']);
    expect(await groups({ min_access_level: '40' }, dan.token)).toEqual(['firm/team/squad', 'firm/team']);
    expect(await groups({ top_level_only: 'true' }, dan.token)).toEqual(['firm']);
    expect(await groups({ search: 'SQUAD' }, dan.token)).toEqual(['firm/team/squad']);
    expect(await groups({ search: 'team', order_by: 'id', sort: 'desc' }, dan.token)).toEqual([
      'firm/team/squad',
      'firm/team',
    ]);
    expect(await groups({ visibility: 'internal' }, dan.token)).toEqual(['firm']);
    expect(await groups({ skip_groups: String(firm), order_by: 'path' }, dan.token)).toEqual([
      'firm/team/squad',
      'firm/team',
    ]);
    expect(await groups({ order_by: 'path', sort: 'desc', owned: 'false' }, dan.token)).toEqual([
      'firm/team',
      'firm/team/squad',
      'firm',
    ]);
    for (const [name, value] of [
      ['order_by', 'size'],
      ['sort', 'up'],
      ['visibility', 'x'],
      ['min_access_level', '11'],
    ] as const) {
      expect(await call('GET', '/groups', { [name]: value })).toMatchObject({
        status: 400,
        body: { error: `${name} does not have a valid value` },
      });
    }
  });

  test('in a group has its direct subgroups or all descendants, as far as the caller may see them', async () => {
    const below = async (path: string, token?: string) =>
      pathsOf((await call('GET', `/groups/firm/${path}`, {}, token)).body);
    expect(await below('subgroups')).toEqual(['firm/team']);
    expect(await below('descendant_groups')).toEqual(['firm/team/squad', 'firm/team']);
    const stranger = await make.user('stranger');
    expect(await below('descendant_groups', stranger)).toEqual([]);
  });

  test('of projects in a group has its own, and those of subgroups on request', async () => {
    const projects = async (values: Record<string, string>) =>
      pathsOf((await call('GET', '/groups/firm/projects', { order_by: 'path', sort: 'asc', ...values })).body);
    expect(await projects({})).toEqual(['firm/site']);
    expect(await projects({ include_subgroups: 'true' })).toEqual(['firm/team/shop', 'firm/site']);
    expect(await projects({ include_subgroups: 'true', visibility: 'private' })).toEqual(['firm/team/shop']);
  });
});

describe('namespaces', () => {
  test('are the personal namespace and the groups of the caller', async () => {
    const list = async (values: Record<string, string>, token?: string) =>
      pathsOf((await call('GET', '/namespaces', values, token)).body);
    expect(await list({}, dan.token)).toEqual(['dan', 'firm', 'firm/team', 'firm/team/squad']);
    expect(await list({ owned_only: 'true' }, dan.token)).toEqual(['dan', 'firm/team']);
    expect(await list({ top_level_only: 'true' }, dan.token)).toEqual(['dan', 'firm']);
    expect(await list({ search: 'squad' }, dan.token)).toEqual(['firm/team/squad']);
    expect(await list({}, gateway.tokens.root)).toEqual(expect.arrayContaining(['olga', 'demo/platform', 'firm']));
    expect((await gateway.rest('GET', '/api/v4/namespaces')).status).toBe(401);
  });

  test('are shown by id and by path to callers who may see them', async () => {
    const { status, body } = await call('GET', '/namespaces/firm%2Fteam', {}, dan.token);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(Number),
        name: 'Team',
        path: 'team',
        kind: 'group',
        full_path: 'firm/team',
        parent_id: firm,
        avatar_url: null,
        web_url: `${gateway.url}/groups/firm/team`,
      },
    ]);
    expect((await call('GET', `/namespaces/${body.id}`, {}, dan.token)).body).toEqual(body);
    expect((await call('GET', '/namespaces/dan', {}, dan.token)).body).toMatchObject({
      kind: 'user',
      full_path: 'dan',
      web_url: `${gateway.url}/dan`,
    });
    for (const path of ['olga', 'demo%2Fplatform', 'nothing', 'firm%2Fsite', '0']) {
      expect(await call('GET', `/namespaces/${path}`, {}, dan.token)).toMatchObject({
        status: 404,
        body: { message: '404 Namespace Not Found' },
      });
    }
  });

  test.each([
    ['demo', {}, { exists: true, suggests: ['demo1'] }],
    ['OLGA', {}, { exists: true, suggests: ['OLGA1'] }],
    ['free', {}, { exists: false, suggests: [] }],
    ['x'.repeat(300), {}, { exists: false, suggests: [] }],
  ])('report whether the path %s is taken', async (path, values, expected) => {
    expect((await call('GET', `/namespaces/${path}/exists`, values)).body).toEqual(expected);
  });

  test('report it for paths in a group only to callers who could create one there', async () => {
    const exists = async (token: string) =>
      (await call('GET', '/namespaces/team/exists', { parent_id: String(firm) }, token)).body.exists;
    expect(await exists(olga.token)).toBe(true);
    expect(await exists(gateway.tokens.guest)).toBe(false);
  });
});

describe.each(['groups', 'projects'] as const)('members of %s', (kind) => {
  const place = kind === 'groups' ? 'crew' : 'crew%2Fboat';
  const path = `/${kind}/${place}/members`;
  let captain: string;
  const people: Record<string, string> = {};
  const add = (values: Record<string, unknown>, token = captain) => call('POST', path, values, token);

  beforeAll(async () => {
    if (kind === 'groups') {
      await make.group('crew');
      await make.project('crew/boat');
      captain = await make.user('captain');
      await make.member('captain', 'OWNER', { group: 'crew' });
    } else captain = await gateway.personalToken('captain', ['api']);
    for (const name of ['one', 'two', 'three']) people[name] = (await newUser(gateway, `${name}-${kind}`)).id;
  });

  test('are added one by one, and adding again answers 409', async () => {
    const { status, body } = await add({ user_id: people.one, access_level: 30, expires_at: '2999-01-02' });
    expect([status, body]).toEqual([
      201,
      {
        id: Number(people.one),
        username: `one-${kind}`,
        public_email: '',
        name: `one-${kind}`,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: `${gateway.url}/one-${kind}`,
        access_level: 30,
        created_at: expect.stringMatching(/Z$/),
        expires_at: '2999-01-02',
      },
    ]);
    expect(await add({ user_id: people.one, access_level: 30 })).toMatchObject({
      status: 409,
      body: { message: 'Member already exists' },
    });
    // This check comes before the others.
    expect(await add({ username: `one-${kind}`, access_level: 7 })).toMatchObject({ status: 409 });
  });

  test('are added several at once', async () => {
    const { status, body } = await add({ username: `two-${kind},three-${kind}`, access_level: 20 });
    expect([status, body]).toEqual([201, { status: 'success' }]);
    expect((await call('GET', path, { query: 'three' }, captain)).body).toMatchObject([
      { id: Number(people.three), access_level: 20, expires_at: null },
    ]);
    await call('DELETE', `${path}/${people.three}`, {}, captain);
  });

  const refusals: [values: Record<string, unknown>, status: number, body: object][] = [
    [
      {},
      400,
      { error: 'access_level is missing, user_id, username are missing, at least one parameter must be provided' },
    ],
    [{ user_id: 1, username: 'root', access_level: 10 }, 400, { error: 'user_id, username are mutually exclusive' }],
    [{ username: 'root', access_level: 'high' }, 400, { error: 'access_level is invalid' }],
    [{ username: 'root', access_level: 10, expires_at: 'soon' }, 400, { error: 'expires_at is invalid' }],
    [{ username: 'root', access_level: 25 }, 400, { message: { access_level: ['is not included in the list'] } }],
    [
      { username: 'root', access_level: 10, expires_at: '2020-01-01' },
      400,
      { message: { expires_at: ['cannot be a date in the past'] } },
    ],
    [{ user_id: 999_999, access_level: 10 }, 404, { message: '404 User Not Found' }],
    [{ user_id: 'root', access_level: 10 }, 404, { message: '404 User Not Found' }],
    [{ username: '1', access_level: 10 }, 404, { message: '404 User Not Found' }],
    [{ username: 'root,nobody', access_level: 10 }, 404, { message: '404 User Not Found' }],
  ];
  test.each(refusals)('are not added by %o', async (values, status, body) => {
    const answer = await add(values);
    expect([answer.status, answer.body]).toEqual([status, body]);
  });

  test('are updated, and missing ones have their own message', async () => {
    const member = `${path}/${people.one}`;
    expect(await call('PUT', member, { access_level: 20 }, captain)).toMatchObject({
      status: 200,
      body: { access_level: 20, expires_at: '2999-01-02' },
    });
    expect(await call('PUT', member, { access_level: 20, expires_at: '' }, captain)).toMatchObject({
      status: 200,
      body: { expires_at: null },
    });
    expect(await call('PUT', member, { access_level: 20, expires_at: '2999-03-04T10:00:00Z' }, captain)).toMatchObject({
      body: { expires_at: '2999-03-04' },
    });
    expect(await call('PUT', member, {}, captain)).toMatchObject({
      status: 400,
      body: { error: 'access_level is missing' },
    });
    expect(await call('PUT', member, { access_level: 99 }, captain)).toMatchObject({
      status: 400,
      body: { message: { access_level: ['is not included in the list'] } },
    });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      for (const id of ['999999', 'x', '1']) {
        const answer = await call(method, `${path}/${id}`, method === 'PUT' ? { access_level: 20 } : {}, captain);
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Not found' }]);
      }
    }
  });

  test('are shown alone and in a list, with inherited ones on request', async () => {
    expect((await call('GET', `${path}/${people.one}`, {}, captain)).body).toMatchObject({ access_level: 20 });
    const all = (await call('GET', `${path}/all`, {}, captain)).body.map(
      ({ username }: { username: string }) => username,
    );
    expect(all.filter((name: string) => !name.endsWith('-groups') || kind === 'groups')).toEqual([
      'captain',
      `one-${kind}`,
      `two-${kind}`,
    ]);
    const owner = (await call('GET', `${path}/all`, { query: 'capt' }, captain)).body[0].id as number;
    expect((await call('GET', `${path}/all/${owner}`, {}, captain)).body).toMatchObject({ access_level: 50 });
    const skipped = await call(
      'GET',
      `${path}/all`,
      { 'user_ids[]': String(owner), skip_users: String(people.one) },
      captain,
    );
    expect(skipped.body).toMatchObject([{ username: 'captain' }]);
    expect(skipped.headers.get('x-total')).toBe('1');
  });

  test('are removed with 204, by owners and by themselves, and not by others', async () => {
    const two = await gateway.personalToken(`two-${kind}`, ['api']);
    expect(await call('DELETE', `${path}/${people.one}`, {}, two)).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    const left = await call('DELETE', `${path}/${people.two}`, {}, two);
    expect([left.status, left.text]).toEqual([204, '']);
    expect(await call('GET', path, {}, two)).toMatchObject({ status: 404 });
    expect((await call('DELETE', `${path}/${people.one}`, { skip_subresources: true }, captain)).status).toBe(204);
  });
});

test('the last owner of a group can’t be removed, and the error says why', async () => {
  const answer = await call('DELETE', `/groups/${firm}/members/${olga.id}`);
  expect([answer.status, answer.body]).toEqual([
    403,
    { message: '403 Forbidden - A group can’t do without an owner.' },
  ]);
});

test('the membership of the last owner can’t expire, unless another owner’s doesn’t', async () => {
  const path = `/groups/${firm}/members/${olga.id}`;
  const until = (expires_at: string) => call('PUT', path, { access_level: 50, expires_at });
  expect(await until('2999-01-01')).toMatchObject({
    status: 403,
    body: { message: '403 Forbidden - A group can’t do without an owner.' },
  });
  const second = await newUser(gateway, 'second-owner');
  await call('POST', `/groups/${firm}/members`, { user_id: second.id, access_level: 50, expires_at: '2998-01-01' });
  expect((await until('2999-01-01')).status).toBe(403);
  expect((await call('DELETE', path)).status).toBe(403);
  await call('PUT', `/groups/${firm}/members/${second.id}`, { access_level: 50, expires_at: '' });
  expect(await until('2999-01-01')).toMatchObject({ status: 200, body: { expires_at: '2999-01-01' } });
  expect(await until('')).toMatchObject({ status: 200, body: { expires_at: null } });
});

describe('a group or project is no more visible than the group it is in', () => {
  let internal: number;
  beforeAll(async () => {
    internal = (await call('POST', '/groups', { name: 'Inner', path: 'inner', visibility: 'internal' })).body
      .id as number;
  });

  test('when it is created', async () => {
    const group = await call('POST', '/groups', { name: 'x', path: 'x', parent_id: internal, visibility: 'public' });
    expect([group.status, group.body]).toEqual([
      400,
      {
        message:
          'Failed to save group {:visibility_level=>["public is not allowed since the parent group has a internal visibility."]}',
      },
    ]);
    const project = await call('POST', '/projects', { path: 'x', namespace_id: internal, visibility: 'public' });
    // That of a project is lowered instead.
    expect(project).toMatchObject({ status: 201, body: { visibility: 'internal' } });
    await call('PUT', '/projects/inner%2Fx', { visibility: 'private' });
    expect(
      (await call('POST', '/groups', { name: 'Fine', path: 'fine', parent_id: internal, visibility: 'internal' }))
        .status,
    ).toBe(201);
    expect(
      (await call('POST', '/projects', { path: 'fine-too', namespace_id: internal, visibility: 'internal' })).status,
    ).toBe(201);
  });

  test('when it is updated', async () => {
    const group = await call('PUT', '/groups/inner%2Ffine', { visibility: 'public' });
    expect([group.status, group.body]).toEqual([
      400,
      { message: { visibility_level: ['public is not allowed since the parent group has a internal visibility.'] } },
    ]);
    const project = await call('PUT', '/projects/inner%2Ffine-too', { visibility: 'public', description: 'x' });
    expect([project.status, project.body]).toEqual([
      400,
      { message: { visibility_level: ['public is not allowed in a internal group.'] } },
    ]);
    expect((await call('GET', '/projects/inner%2Ffine-too')).body).toMatchObject({
      visibility: 'internal',
      description: '',
    });
  });

  test('when the group is updated', async () => {
    const narrow = () => call('PUT', '/groups/inner', { visibility: 'private', description: 'x' });
    const refused = (text: string) => ({ status: 400, body: { message: { visibility_level: [text] } } });
    expect(await narrow()).toMatchObject(
      refused('private is not allowed since this group contains projects with higher visibility.'),
    );
    await call('PUT', '/projects/inner%2Ffine-too', { visibility: 'private' });
    expect(await narrow()).toMatchObject(
      refused('private is not allowed since there are sub-groups with higher visibility.'),
    );
    await call('PUT', '/groups/inner%2Ffine', { visibility: 'private' });
    expect(await narrow()).toMatchObject({ status: 200, body: { visibility: 'private', description: 'x' } });
  });

  test('when the group is updated while something is created in it', async () => {
    for (let round = 0; round < 5; round++) {
      const path = `race-${round}`;
      const { id } = (await call('POST', '/groups', { name: path, path, visibility: 'public' })).body as { id: number };
      await Promise.all([
        call('POST', '/projects', { path: 'made', namespace_id: id, visibility: 'public' }),
        call('PUT', `/groups/${path}`, { visibility: 'private' }),
        call('POST', '/groups', { name: 'made', path: 'below', parent_id: id, visibility: 'public' }),
      ]);
      const wider = await gateway.sql(
        `select p.full_path from projects p join namespaces n on n.id = p.namespace_id where n.id = $1 and p.visibility > n.visibility
         union all select c.full_path from namespaces c join namespaces n on n.id = c.parent_id where n.id = $1 and c.visibility > n.visibility`,
        [id],
      );
      expect(wider).toEqual([]);
    }
  });

  test('and without a visibility gets the widest that the group allows', async () => {
    await call('POST', '/groups', { name: 'Closed', path: 'closed', visibility: 'private' });
    const { body } = await call('POST', '/projects/demo%2Fstorefront/fork', { namespace_path: 'closed' });
    expect(body).toMatchObject({ path_with_namespace: 'closed/storefront', visibility: 'private' });
  });
});

const protection = (push: number, merge: number, force = false, first = false) => ({
  allowed_to_push: [{ access_level: push }],
  allow_force_push: force,
  allowed_to_merge: [{ access_level: merge }],
  developer_can_initial_push: first,
});
const noSuchValue = (name: string) => ({ error: `${name} does not have a valid value` });
const badlyTyped = (name: string) => ({ error: `${name} is invalid` });
const model = (name: string, text: string) => ({ message: { [name]: [text] } });

/** Each attribute: its default, values that are kept, and values that are refused with a body. */
const attributes: {
  readonly [Name in keyof GroupAttributes]: readonly [
    unset: unknown,
    kept: readonly unknown[],
    refused?: readonly (readonly [unknown, object])[],
  ];
} = {
  shareWithGroupLock: [false, [true, false], [['maybe', badlyTyped('share_with_group_lock')]]],
  requireTwoFactorAuthentication: [false, [true, false]],
  twoFactorGracePeriod: [
    48,
    [0, 2_147_483_647],
    [
      [-1, model('two_factor_grace_period', 'must be greater than or equal to 0')],
      [2_147_483_648, badlyTyped('two_factor_grace_period')],
    ],
  ],
  projectCreationLevel: [
    'developer',
    ['noone', 'owner', 'maintainer', 'administrator', 'developer'],
    [
      ['guest', noSuchValue('project_creation_level')],
      ['', noSuchValue('project_creation_level')],
    ],
  ],
  autoDevopsEnabled: [null, [true, false]],
  subgroupCreationLevel: [
    'maintainer',
    ['owner', 'maintainer'],
    [['developer', noSuchValue('subgroup_creation_level')]],
  ],
  emailsEnabled: [true, [false, true]],
  showDiffPreviewInEmail: [true, [false, true]],
  mentionsDisabled: [null, [true, false]],
  lfsEnabled: [true, [false, true]],
  mathRenderingLimitsEnabled: [true, [false]],
  lockMathRenderingLimitsEnabled: [false, [true]],
  defaultBranch: [
    null,
    ['trunk', 'a<b>c'],
    [['x'.repeat(256), model('default_branch', 'is too long (maximum is 255 characters)')]],
  ],
  defaultBranchProtection: [2, [0, 1, 3, 4, 2], [[5, noSuchValue('default_branch_protection')]]],
  defaultBranchProtectionDefaults: [
    protection(40, 40),
    [protection(30, 30, true), protection(0, 30)],
    [
      [[], badlyTyped('default_branch_protection_defaults')],
      ...[{ allowed_to_push: [{ access_level: 7 }] }, { allowed_to_push: 40 }, { allow_force_push: 'perhaps' }].map(
        (value) => [value, model('default_branch_protection_defaults', 'must be a valid json schema')] as const,
      ),
    ],
  ],
  requestAccessEnabled: [true, [false, true]],
  sharedRunnersSetting: [
    'enabled',
    ['disabled_and_overridable', 'disabled_and_unoverridable', 'enabled'],
    [['disabled', noSuchValue('shared_runners_setting')]],
  ],
  maxArtifactsSize: [null, [5], [[0, model('max_artifacts_size', 'must be greater than 0')]]],
  enabledGitAccessProtocol: ['all', ['ssh', 'http'], [['ftp', noSuchValue('enabled_git_access_protocol')]]],
  preventSharingGroupsOutsideHierarchy: [false, [true, false]],
};

describe.each(Object.entries(attributes))('the attribute %s of a group', (name, [unset, kept, refused = []]) => {
  const key = snakeCase(name);
  const put = (id: number, value: unknown) => call('PUT', `/groups/${id}`, { [key]: value }, gateway.tokens.root);
  const shown = async (id: number) => (await call('GET', `/groups/${id}`, {}, gateway.tokens.root)).body[key];

  test('is kept alone, or refused by name, and cleared by null', async () => {
    const { id } = await newGroup();
    expect(await shown(id)).toEqual(unset);
    for (const value of kept) {
      expect(await put(id, value)).toMatchObject({ status: 200, body: { [key]: value, projects: [] } });
      expect(await shown(id)).toEqual(value);
    }
    const before = await shown(id);
    for (const [value, body] of refused) {
      const answer = await put(id, value);
      expect([answer.status, answer.body]).toEqual([400, body]);
    }
    expect(await shown(id)).toEqual(before);
    expect((await put(id, null)).status).toBe(200);
    expect(await shown(id)).toEqual(unset);
  });

  test('is kept by the call that creates the group', async () => {
    const group = await newGroup({ [key]: kept[0] }, gateway.tokens.root);
    expect(group[key]).toEqual(kept[0]);
    expect(await shown(group.id)).toEqual(kept[0]);
    for (const [value, body] of refused) {
      const answer = await call('POST', '/groups', { name: 'x', path: 'never', [key]: value }, gateway.tokens.root);
      const text = (message: Record<string, string[]>) =>
        Object.entries(message).map(([field, texts]) => `:${field}=>${JSON.stringify(texts)}`);
      expect([answer.status, answer.body]).toEqual([
        400,
        'error' in body
          ? body
          : { message: `Failed to save group {${text((body as { message: {} }).message).join()}}` },
      ]);
    }
  });
});

describe('attributes of groups', () => {
  const put = (id: number, values: object, token?: string) => call('PUT', `/groups/${id}`, { ...values }, token);
  const shown = async (id: number, ...keys: string[]) => {
    const { body } = await call('GET', `/groups/${id}`, {}, gateway.tokens.root);
    return keys.map((key) => body[key]);
  };

  test('have both names of mail, and both forms of the protection of branches', async () => {
    const { id } = await newGroup();
    expect((await put(id, { emails_disabled: true })).body).toMatchObject({
      emails_disabled: true,
      emails_enabled: false,
    });
    expect((await put(id, { default_branch_protection: 1 })).body).toMatchObject({
      default_branch_protection_defaults: protection(30, 40),
    });
    const given = { allowed_to_merge: [{ access_level: '30' }], allow_force_push: 'false' };
    expect((await put(id, { default_branch_protection_defaults: given })).body).toMatchObject({
      default_branch_protection: 3,
      default_branch_protection_defaults: protection(40, 30),
    });
    expect((await put(id, { default_branch_protection_defaults: null })).body).toMatchObject({
      default_branch_protection: 2,
    });
    expect((await put(id, { shared_runners_setting: 'disabled_with_override' })).body).toMatchObject({
      shared_runners_setting: 'disabled_and_overridable',
    });
  });

  test('are for owners; what only administrators write is ignored; nothing sent changes nothing', async () => {
    const { id } = await newGroup();
    await addMember(gateway, dan, 'MAINTAINER', { group: String(id) });
    expect((await put(id, { lfs_enabled: false }, dan.token)).status).toBe(403);
    expect((await put(id, { max_artifacts_size: 7, lfs_enabled: false })).body).toMatchObject({
      max_artifacts_size: null,
      lfs_enabled: false,
    });
    expect((await put(id, {})).body).toMatchObject({ lfs_enabled: false });
    expect((await put(id, { file_template_project_id: 1 })).status).toBe(200);
    const { body } = await call('GET', `/groups/${id}`, {}, dan.token);
    expect(body).not.toHaveProperty('enabled_git_access_protocol');
    expect((await call('GET', `/groups/${id}`)).body.enabled_git_access_protocol).toBe('all');
  });

  test('one bad value changes nothing', async () => {
    const { id } = await newGroup();
    const { status } = await put(id, { name: 'Half', lfs_enabled: false, two_factor_grace_period: -1 });
    expect(status).toBe(400);
    expect((await call('GET', `/groups/${id}`)).body).toMatchObject({ name: 'New', lfs_enabled: true });
  });

  test('of the root only: subgroups neither take nor show them', async () => {
    const { id: root } = await newGroup();
    const only = { prevent_sharing_groups_outside_hierarchy: true, enabled_git_access_protocol: 'ssh' };
    const { id } = await newGroup({ parent_id: root, ...only });
    const { status, body } = await put(id, only);
    expect(status).toBe(200);
    for (const key of Object.keys(only)) expect(body).not.toHaveProperty(key);
    expect(
      await gateway.sql(
        'select prevent_sharing_groups_outside_hierarchy as x, attributes from namespaces where id = $1',
        [id],
      ),
    ).toEqual([{ x: false, attributes: {} }]);
  });

  test('the lock of shares goes down, and only the parent’s owners lift it below', async () => {
    const { id: root } = await newGroup();
    const { id } = await newGroup({ parent_id: root });
    const { id: deep } = await newGroup({ parent_id: id });
    await addMember(gateway, dan, 'OWNER', { group: String(id) });
    await put(root, { share_with_group_lock: true });
    expect([...(await shown(id, 'share_with_group_lock')), ...(await shown(deep, 'share_with_group_lock'))]).toEqual([
      true,
      true,
    ]);
    expect(await put(id, { share_with_group_lock: false }, dan.token)).toMatchObject({
      status: 200,
      body: { share_with_group_lock: true },
    });
    const late = await newGroup({ parent_id: id, share_with_group_lock: false }, dan.token);
    expect(late.share_with_group_lock).toBe(true);
    expect((await newGroup({ parent_id: id })).share_with_group_lock).toBe(true);
    expect((await put(id, { share_with_group_lock: false })).body.share_with_group_lock).toBe(false);
    expect(await shown(deep, 'share_with_group_lock')).toEqual([true]);
  });

  test('mail that a parent switched off stays off', async () => {
    const { id: root } = await newGroup();
    const { id } = await newGroup({ parent_id: root });
    await put(root, { emails_enabled: false });
    expect(await shown(id, 'emails_enabled', 'emails_disabled')).toEqual([false, true]);
    expect((await put(id, { emails_enabled: true })).body.emails_enabled).toBe(false);
    await put(root, { emails_enabled: true });
    expect(await shown(id, 'emails_enabled')).toEqual([true]);
  });

  test('runners that a parent disabled for all below stay disabled', async () => {
    const { id: root } = await newGroup();
    const { id } = await newGroup({ parent_id: root });
    await put(root, { shared_runners_setting: 'disabled_and_overridable' });
    expect(await shown(id, 'shared_runners_setting')).toEqual(['disabled_and_overridable']);
    expect((await put(id, { shared_runners_setting: 'enabled' })).body.shared_runners_setting).toBe('enabled');
    await put(root, { shared_runners_setting: 'disabled_and_unoverridable' });
    expect(await shown(id, 'shared_runners_setting')).toEqual(['disabled_and_unoverridable']);
    const refused = await put(id, { shared_runners_setting: 'enabled' });
    expect([refused.status, refused.body]).toEqual([
      400,
      model('shared_runners_enabled', 'cannot be enabled because parent group has shared Runners disabled'),
    ]);
    expect((await newGroup({ parent_id: root })).shared_runners_setting).toBe('disabled_and_unoverridable');
  });

  test.each([
    ['noone', [400, 400, 400]],
    ['administrator', [400, 400, 201]],
    ['owner', [400, 201, 201]],
    ['maintainer', [201, 201, 201]],
  ])('project_creation_level %s: who creates projects', async (level, [maintainer, owner, administrator]) => {
    const { id } = await newGroup({ project_creation_level: level });
    await addMember(gateway, dan, 'MAINTAINER', { group: String(id) });
    for (const [token, status] of [
      [dan.token, maintainer],
      [olga.token, owner],
      [gateway.tokens.root, administrator],
    ] as const) {
      const answer = await call('POST', '/projects', { name: `p${made++}`, namespace_id: id }, token);
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.body).toEqual(model('namespace', 'is not valid'));
    }
  });

  test('subgroup_creation_level owner: maintainers create none', async () => {
    const { id } = await newGroup();
    await addMember(gateway, dan, 'MAINTAINER', { group: String(id) });
    expect((await newGroup({ parent_id: id }, dan.token)).parent_id).toBe(id);
    await put(id, { subgroup_creation_level: 'owner' });
    const refused = await call('POST', '/groups', { name: 'x', path: 'x', parent_id: id }, dan.token);
    expect([refused.status, refused.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect((await newGroup({ parent_id: id })).parent_id).toBe(id);
  });

  test('are those of GraphQL, with GitLab’s enum', async () => {
    const { full_path: fullPath } = await newGroup();
    const { data } = await gateway.graphql<{ groupUpdate: object }>(
      `mutation ($input: GroupUpdateInput!) {
        groupUpdate(input: $input) {
          group { sharedRunnersSetting projectCreationLevel emailsDisabled defaultBranchProtectionDefaults }
          errors
        }
      }`,
      {
        token: olga.token,
        variables: {
          input: {
            fullPath,
            sharedRunnersSetting: 'DISABLED_AND_OVERRIDABLE',
            projectCreationLevel: 'owner',
            emailsEnabled: false,
            defaultBranchProtectionDefaults: { allow_force_push: true },
          },
        },
      },
    );
    expect(data!.groupUpdate).toEqual({
      group: {
        sharedRunnersSetting: 'DISABLED_AND_OVERRIDABLE',
        projectCreationLevel: 'owner',
        emailsDisabled: true,
        defaultBranchProtectionDefaults: protection(40, 40, true),
      },
      errors: [],
    });
    const refused = await gateway.graphql<{ groupUpdate: object }>(
      'mutation ($input: GroupUpdateInput!) { groupUpdate(input: $input) { group { id } errors } }',
      { token: olga.token, variables: { input: { fullPath, projectCreationLevel: 'guest' } } },
    );
    expect(refused.data!.groupUpdate).toEqual({
      group: null,
      errors: ['Project creation level does not have a valid value'],
    });
  });
});

describe('filters of lists of groups', () => {
  test.each([
    { search: 'nothing-has-this' },
    { skip_groups: 'all of them' },
    { archived: 'true' },
    { active: 'false' },
    { visibility: 'public', search: 'firm' },
    { owned: 'true', search: 'demo' },
    { min_access_level: '50', search: 'demo' },
  ])('%j match nothing', async (values) => {
    const all = await groups({ all_available: 'true', per_page: '100' });
    expect(all.length).toBeGreaterThan(2);
    const ids = await gateway.sql<{ id: number }>("select id from namespaces where kind = 'GROUP'");
    const filter = 'skip_groups' in values ? { skip_groups: ids.map(({ id }) => id).join() } : values;
    for (const path of ['/groups', `/groups/${firm}/subgroups`, `/groups/${firm}/descendant_groups`]) {
      const { status, body } = await call('GET', path, filter);
      expect([status, body]).toEqual([200, []]);
    }
  });

  test('of archived and active groups: all groups are active', async () => {
    const all = await groups({ per_page: '100' });
    for (const filter of [{ archived: 'false' }, { active: 'true' }, { repository_storage: 'x' }])
      expect(await groups({ ...filter, per_page: '100' })).toEqual(all);
  });

  test('of roles: planners count as the next role; bad values are refused', async () => {
    const { full_path: path, id } = await newGroup();
    await addMember(gateway, dan, 'GUEST', { group: String(id) });
    expect(await groups({ min_access_level: '10', search: path }, dan.token)).toEqual([path]);
    expect(await groups({ min_access_level: '15', search: path }, dan.token)).toEqual([]);
    expect(await groups({ min_access_level: '15', search: path })).toEqual([path]);
    for (const [filter, error] of [
      [{ min_access_level: '60' }, 'min_access_level does not have a valid value'],
      [{ skip_groups: 'x' }, 'skip_groups is invalid'],
      [{ visibility: 'secret' }, 'visibility does not have a valid value'],
      [{ archived: 'perhaps' }, 'archived is invalid'],
      [{ order_by: 'size' }, 'order_by does not have a valid value'],
    ] as const) {
      const { status, body } = await call('GET', '/groups', filter);
      expect([status, body]).toEqual([400, { error }]);
    }
  });

  test('statistics are for administrators', async () => {
    for (const path of ['/groups/firm', '/groups?search=firm']) {
      const of = async (token: string) =>
        [(await call('GET', path.split('?')[0]!, { statistics: 'true', search: 'firm' }, token)).body].flat()[0];
      expect(await of(olga.token)).not.toHaveProperty('statistics');
      expect((await of(gateway.tokens.root)).statistics).toEqual({
        storage_size: 0,
        repository_size: 0,
        wiki_size: 0,
        lfs_objects_size: 0,
        job_artifacts_size: 0,
        pipeline_artifacts_size: 0,
        packages_size: 0,
        snippets_size: 0,
        uploads_size: 0,
      });
    }
  });
});
