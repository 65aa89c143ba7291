import { beforeAll, describe, expect, test } from 'vitest';
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
const pathsOf = (body: { full_path?: string; path_with_namespace?: string }[]) =>
  body.map((one) => one.full_path ?? one.path_with_namespace);
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
      avatar_url: null,
      full_name: 'The Firm / Team',
      full_path: 'firm/team',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      parent_id: firm,
      projects: [expect.objectContaining({ path_with_namespace: 'firm/team/shop' })],
    });
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
        public_email: null,
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
    [{ username: 'root', access_level: 15 }, 400, { message: { access_level: ['is not included in the list'] } }],
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
    expect([project.status, project.body]).toEqual([
      400,
      { message: { visibility_level: ['public is not allowed in a internal group.'] } },
    ]);
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
