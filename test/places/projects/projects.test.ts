import { beforeAll, describe, expect, test, vi } from 'vitest';
import { sweep } from '../../../src/jobs/sweep.ts';
import { dataOf, refusal } from '../../support/answers.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import type { RestRequest } from '../../support/rest-client.ts';
import { statementsOf } from '../../support/statements.ts';
import { workspace, type Workspace } from '../../support/workspace.ts';

/** Projects over REST and GraphQL. */

let gateway: TestGateway;
let make: Workspace;
const tokens: Record<'owner' | 'maintainer' | 'developer' | 'reporter' | 'guest' | 'stranger' | 'root', string> =
  {} as never;
beforeAll(async () => {
  gateway = await testGateway();
  make = workspace(gateway);
  await make.group('shop');
  await make.group('shop/inner');
  await make.group('closed');
  for (const role of ['owner', 'maintainer', 'developer', 'reporter', 'guest'] as const) {
    tokens[role] = await make.user(`the-${role}`);
    await make.member(`the-${role}`, role.toUpperCase() as 'OWNER', { group: 'shop' });
  }
  tokens.stranger = await make.user('the-stranger');
  tokens.root = gateway.tokens.root;
});

const api = (method: string, path: string, token: string | undefined, request: RestRequest = {}) =>
  gateway.rest(method, `/api/v4/${path}`, { token, ...request });
const at = (fullPath: string, more = '') => `projects/${encodeURIComponent(fullPath)}${more}`;
const namespaceId = async (path: string) =>
  (await gateway.sql<{ id: number }>('select id from namespaces where full_path = $1', [path]))[0]!.id;
const missing = { message: '404 Project Not Found' };
let counter = 0;
/** Creates a project for one test. */
async function aProject(visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC' = 'PRIVATE', group = 'shop'): Promise<string> {
  const path = `${group}/p${++counter}`;
  await make.project(path, visibility);
  return path;
}

describe('creating a project', () => {
  test.each([
    [{ name: 'Unser Täglicher Shop!' }, 'Unser Täglicher Shop!', 'unser-taglicher-shop'],
    [{ name: 'Already.A_path' }, 'Already.A_path', 'Already.A_path'],
    [{ path: 'only-path' }, 'only-path', 'only-path'],
    [{ name: ' Both ', path: 'both-given' }, 'Both', 'both-given'],
  ])('from %o gives it the name %s and the path %s', async (json, name, path) => {
    const { status, body } = await api('POST', 'projects', tokens.stranger, { json });
    expect({ status, name: body.name, path: body.path, whole: body.path_with_namespace }).toEqual({
      status: 201,
      name,
      path,
      whole: `the-stranger/${path}`,
    });
  });

  test('creates it private, in the personal namespace, and answers the whole record', async () => {
    const { body } = await api('POST', 'projects', tokens.stranger, {
      json: { name: 'Mine', description: 'My own.', topics: 'a, b', public: true, foo: 1 },
    });
    const self = `${gateway.url}/api/v4/projects/${body.id}`;
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      id: expect.any(Number),
      description: 'My own.',
      name: 'Mine',
      name_with_namespace: 'the-stranger / Mine',
      path: 'Mine',
      path_with_namespace: 'the-stranger/Mine',
      created_at: moment,
      tag_list: ['a', 'b'],
      topics: ['a', 'b'],
      web_url: `${gateway.url}/the-stranger/Mine`,
      forks_count: 0,
      star_count: 0,
      last_activity_at: moment,
      visibility: 'private',
      namespace: {
        id: await namespaceId('the-stranger'),
        name: 'the-stranger',
        path: 'the-stranger',
        kind: 'user',
        full_path: 'the-stranger',
        parent_id: null,
        web_url: `${gateway.url}/the-stranger`,
      },
      _links: { self, members: `${self}/members` },
      archived: false,
      owner: expect.objectContaining({ username: 'the-stranger', state: 'active' }),
      creator_id: body.owner.id,
      updated_at: moment,
      permissions: { project_access: { access_level: 50, notification_level: 3 }, group_access: null },
    });
    expect((await api('GET', `projects/${body.id}`, tokens.stranger)).body).toEqual(body);
  });

  test.each([
    ['developer', 201],
    ['maintainer', 201],
    ['owner', 201],
    ['root', 201],
    ['reporter', 400],
    ['guest', 400],
    ['stranger', 400],
  ] as const)('in a group is for developers and above: %s gets %i', async (who, status) => {
    const answer = await api('POST', 'projects', tokens[who], {
      json: { name: `by ${who}`, namespace_id: await namespaceId('shop/inner') },
    });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toEqual({ message: { namespace: ['is not valid'] } });
    else
      expect(answer.body).toMatchObject({
        name_with_namespace: `shop / inner / by ${who}`,
        namespace: { kind: 'group', parent_id: await namespaceId('shop') },
      });
  });

  test('in a namespace where the caller may not is refused like in one that doesn’t exist', async () => {
    const places = [await namespaceId('closed'), await namespaceId('the-owner'), 999_999, 2_147_483_648, 0];
    const answers = await Promise.all(
      places.map((namespace_id) => api('POST', 'projects', tokens.stranger, { json: { name: 'x', namespace_id } })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set(['400 {"message":{"namespace":["is not valid"]}}']),
    );
  });

  test.each([
    [{}, { error: 'name, path are missing, at least one parameter must be provided' }],
    [{ name: 'x', visibility: 'foo' }, { error: 'visibility does not have a valid value' }],
    [{ name: ['x'] }, { error: 'name is invalid' }],
    [{ name: '!!!' }, { message: { path: ["can't be blank"] } }],
    [{ name: 'x', path: '-x' }, { message: { path: [expect.stringMatching(/^can contain only letters/)] } }],
    [{ name: 'x'.repeat(256), path: 'x' }, { message: { name: ['is too long (maximum is 255 characters)'] } }],
    [
      { name: 'x', description: 'x'.repeat(2001) },
      { message: { description: ['is too long (maximum is 2000 characters)'] } },
    ],
    [
      { name: 'x', topics: Array.from({ length: 101 }, (_none, index) => `t${index}`) },
      { message: { topics: ['are too many (maximum is 100)'] } },
    ],
  ])('from %o is refused', async (json, body) => {
    expect(await api('POST', 'projects', tokens.stranger, { json })).toMatchObject({ status: 400, body });
  });

  test('at a taken path is refused, whatever its case, and so is a taken name', async () => {
    await api('POST', 'projects', tokens.stranger, { json: { name: 'Twice' } });
    const taken = ['has already been taken'];
    expect(await api('POST', 'projects', tokens.stranger, { json: { name: 'Twice' } })).toMatchObject({
      status: 400,
      body: { message: { path: taken, name: taken } },
    });
    const other = await api('POST', 'projects', tokens.stranger, { json: { name: 'Other', path: 'tWICE' } });
    expect(other.body).toEqual({ message: { path: taken } });
  });

  test('by concurrent requests creates one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api('POST', 'projects', tokens.stranger, { json: { name: 'At once' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
  });

  test('for another user is for administrators', async () => {
    const json = { name: 'A present' };
    expect(await api('POST', 'projects/user/the-guest', tokens.owner, { json })).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden' },
    });
    expect(await api('POST', 'projects/user/nobody', tokens.root, { json })).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
    expect(await api('POST', 'projects/user/the-guest', tokens.root, { json: { path: 'x' } })).toMatchObject({
      status: 400,
      body: { error: 'name is missing' },
    });
    expect(await api('POST', 'projects/user/the-guest', tokens.root, { json })).toMatchObject({
      status: 201,
      body: { path_with_namespace: 'the-guest/a-present' },
    });
  });

  test('needs a token with the scope api', async () => {
    const json = { name: 'x' };
    expect((await api('POST', 'projects', undefined, { json })).status).toBe(401);
    expect(
      (await api('POST', 'projects', await gateway.personalToken('the-owner', ['read_api']), { json })).status,
    ).toBe(403);
  });
});

describe('a project', () => {
  test('that is hidden answers every request exactly like a missing one', async () => {
    const hidden = await aProject();
    const id = (await gateway.sql<{ id: number }>('select id from projects where full_path = $1', [hidden]))[0]!.id;
    const requests: [string, string, RestRequest?][] = [
      ['GET', ''],
      ['PUT', '', { json: { name: 'x' } }],
      ['DELETE', ''],
      ['POST', '/star'],
      ['POST', '/unstar'],
      ['POST', '/archive'],
      ['POST', '/fork'],
      ['POST', '/fork/1'],
      ['DELETE', '/fork'],
      ['GET', '/forks'],
      ['GET', '/starrers'],
    ];
    for (const token of [tokens.stranger, undefined]) {
      for (const [method, more, request] of requests) {
        const answers = [];
        for (const path of [
          at(hidden, more),
          `projects/${id}${more}`,
          at('shop/nothing', more),
          `projects/99999${more}`,
        ]) {
          const { status, text } = await api(method, path, token, request);
          answers.push(`${status} ${text}`);
        }
        const expected =
          token === undefined && method !== 'GET'
            ? '401 {"message":"401 Unauthorized"}'
            : `404 ${JSON.stringify(missing)}`;
        expect([method, more, ...new Set(answers)]).toEqual([method, more, expected]);
      }
    }
  });

  test('is found by id or by its full path, never by a part of it', async () => {
    const path = await aProject('PUBLIC');
    expect((await api('GET', at(path.toUpperCase()), undefined)).body.path_with_namespace).toBe(path);
    for (const part of ['shop', path.split('/')[1]!, 'visible', 'all', 'owned', 'starred']) {
      expect(await api('GET', `projects/${part}`, tokens.owner)).toMatchObject({ status: 404, body: missing });
    }
  });

  test('shows only the basic fields to anonymous callers, and with simple=true', async () => {
    const path = await aProject('PUBLIC');
    const keys = async (token: string | undefined, query = {}) =>
      Object.keys((await api('GET', at(path), token, { query })).body as object);
    const basic = await keys(undefined);
    expect(basic).not.toEqual(expect.arrayContaining(['permissions']));
    expect(await keys(tokens.guest, { simple: 'true' })).toEqual(basic);
    expect(await keys(tokens.guest)).toEqual(expect.arrayContaining([...basic, '_links', 'archived', 'permissions']));
  });

  test('shows the caller’s direct and inherited role, and their notification level', async () => {
    const path = await aProject('PUBLIC');
    await make.member('the-guest', 'REPORTER', { project: path });
    await api('PUT', at(path, '/notification_settings'), tokens.guest, { json: { level: 'watch' } });
    const permissions = async (token: string) => (await api('GET', at(path), token)).body.permissions;
    expect(await permissions(tokens.guest)).toEqual({
      project_access: { access_level: 20, notification_level: 2 },
      group_access: { access_level: 10, notification_level: 3 },
    });
    expect(await permissions(tokens.stranger)).toEqual({ project_access: null, group_access: null });
  });
});

describe('updating a project', () => {
  test.each([
    ['maintainer', 200],
    ['owner', 200],
    ['root', 200],
    ['developer', 403],
    ['reporter', 403],
    ['stranger', 404],
  ] as const)('is for maintainers: %s gets %i', async (who, status) => {
    expect((await api('PUT', at(await aProject()), tokens[who], { json: { description: 'New.' } })).status).toBe(
      status,
    );
  });

  test('changes what is sent and nothing else', async () => {
    const path = await aProject('INTERNAL');
    const before = (await api('GET', at(path), tokens.owner)).body;
    const { status, body } = await api('PUT', at(path), tokens.owner, {
      json: { name: 'Renamed', visibility: 'private', tag_list: 'x' },
    });
    expect(status).toBe(200);
    expect({
      ...before,
      name: 'Renamed',
      name_with_namespace: 'shop / Renamed',
      visibility: 'private',
      topics: ['x'],
      tag_list: ['x'],
    }).toEqual({
      ...body,
      updated_at: before.updated_at,
      last_activity_at: before.last_activity_at,
    });
    expect((await api('PUT', at(path), tokens.owner, { json: { description: '', topics: '' } })).body).toMatchObject({
      description: '',
      topics: [],
      name: 'Renamed',
    });
  });

  test('needs at least one parameter, and changes nothing if one value is invalid', async () => {
    const path = await aProject();
    expect((await api('PUT', at(path), tokens.owner, { json: { foo: 1 } })).body).toEqual({
      error:
        'name, path, description, visibility, topics, tag_list are missing, at least one parameter must be provided',
    });
    expect(
      await api('PUT', at(path), tokens.owner, { json: { description: 'x', name: '', path: '..' } }),
    ).toMatchObject({
      status: 400,
      body: { message: { name: ["can't be blank"], path: [expect.any(String)] } },
    });
    expect((await api('GET', at(path), tokens.owner)).body.description).toBe('');
  });

  test('of its path redirects viewers who may see it from the old path to the new one', async () => {
    const path = await aProject();
    const { body } = await api('PUT', at(path), tokens.owner, { json: { path: 'moved-away' } });
    expect(body.path_with_namespace).toBe('shop/moved-away');
    const location = `${gateway.url}/api/v4/projects/${body.id}/starrers?per_page=5`;
    const moved = await api('GET', at(path, '/starrers'), undefined, {
      query: { private_token: tokens.guest, per_page: '5' },
    });
    expect([moved.status, moved.headers.get('location'), moved.text]).toEqual([
      301,
      location,
      `This resource has been moved permanently to ${location}`,
    ]);
    expect((await api('GET', at(path), tokens.guest)).status).toBe(301);
    for (const [method, more] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/star'],
      ['PUT', '/notification_settings'],
    ] as const) {
      expect(await api(method, at(path, more), tokens.owner, { json: { name: 'x', level: 'watch' } })).toMatchObject({
        status: 405,
        body: { message: 'Non GET methods are not allowed for moved projects' },
      });
    }
    for (const token of [tokens.stranger, undefined])
      expect(await api('GET', at(path), token)).toMatchObject({ status: 404, body: missing });
    const over = await gateway.graphql('query ($id: ID!) { project(id: $id) { id } }', {
      token: tokens.guest,
      variables: { id: path },
    });
    expect(refusal(over)).toMatchObject({
      code: 'NOT_FOUND',
      subject: 'Project',
      id: body.id,
      message: 'Project has another path now.',
    });
  });

  test('frees the old path for another project', async () => {
    const path = await aProject();
    await api('PUT', at(path), tokens.owner, { json: { path: `${path.split('/')[1]}-now` } });
    await make.project(path, 'PUBLIC');
    expect((await api('GET', at(path), undefined)).body.path_with_namespace).toBe(path);
    const back = await api('PUT', at(`${path}-now`), tokens.owner, {
      json: { path: path.split('/')[1]!.toUpperCase() },
    });
    expect(back).toMatchObject({ status: 400, body: { message: { path: ['has already been taken'] } } });
  });

  test('to another path and back redirects from neither, and another case is the same path', async () => {
    const path = await aProject();
    const name = path.split('/')[1]!;
    await api('PUT', at(path), tokens.owner, { json: { path: `${name}-x` } });
    await api('PUT', at(`${path}-x`), tokens.owner, { json: { path: name } });
    expect((await api('GET', at(path), tokens.owner)).status).toBe(200);
    expect((await api('PUT', at(path), tokens.owner, { json: { path: name.toUpperCase() } })).body.path).toBe(
      name.toUpperCase(),
    );
    expect((await api('GET', at(path), tokens.owner)).status).toBe(200);
  });

  test('archives and unarchives it, for owners', async () => {
    const path = await aProject();
    expect((await api('POST', at(path, '/archive'), tokens.maintainer)).status).toBe(403);
    expect(await api('POST', at(path, '/archive'), tokens.owner)).toMatchObject({
      status: 201,
      body: { archived: true },
    });
    const found = async (archived: string) =>
      (await api('GET', 'projects', tokens.owner, { query: { archived, search: path.split('/')[1]! } })).body.length;
    expect([await found('true'), await found('false')]).toEqual([1, 0]);
    expect(await api('POST', at(path, '/unarchive'), tokens.owner)).toMatchObject({
      status: 201,
      body: { archived: false },
    });
  });

  test('is an audit event, like creating and deleting it', async () => {
    const name = `traced-${++counter}`;
    const { id } = (
      await api('POST', 'projects', tokens.owner, { json: { name, namespace_id: await namespaceId('shop') } })
    ).body;
    for (const [method, more] of [
      ['PUT', '?name=x'],
      ['POST', '/archive'],
      ['POST', '/unarchive'],
      ['DELETE', ''],
    ])
      await api(method!, `projects/${id}${more}`, tokens.owner);
    const events = await gateway.sql<{ kind: string; username: string }>(
      'select e.kind, u.username from audit_events e join users u on u.id = e.actor_id where detail = $1 order by e.id',
      [`shop/${name}`],
    );
    expect(events.map(({ kind }) => kind)).toEqual([
      'project_created',
      'project_updated',
      'project_archived',
      'project_unarchived',
      'project_deleted',
    ]);
    expect(new Set(events.map(({ username }) => username))).toEqual(new Set(['the-owner']));
  });
});

describe('deleting a project', () => {
  test.each([
    ['owner', 202],
    ['root', 202],
    ['maintainer', 403],
    ['guest', 403],
    ['stranger', 404],
  ] as const)('is for owners: %s gets %i', async (who, status) => {
    expect((await api('DELETE', at(await aProject()), tokens[who])).status).toBe(status);
  });

  test('is accepted, hides it everywhere at once, and frees its path', async () => {
    const path = await aProject('PUBLIC');
    const { id } = (await api('GET', at(path), tokens.owner)).body;
    await api('POST', at(path, '/star'), tokens.guest);
    await api('PUT', at(path, '/notification_settings'), tokens.guest, { json: { level: 'watch' } });
    await api('POST', at(path, '/fork'), tokens.guest);
    expect(await api('DELETE', at(path), tokens.owner)).toMatchObject({
      status: 202,
      body: { message: '202 Accepted' },
    });

    for (const token of [tokens.owner, tokens.root, undefined]) {
      for (const one of [`projects/${id}`, at(path), at(path, '/forks')])
        expect(await api('GET', one, token)).toMatchObject({ status: 404, body: missing });
      const lists = ['projects?per_page=100', 'users/the-guest/starred_projects'];
      for (const list of lists)
        expect((await api('GET', list, token)).body.map((project: { id: number }) => project.id)).not.toContain(id);
    }
    expect((await gateway.rest('GET', `/${path}`)).status).toBe(404);
    expect((await api('GET', at(`the-guest/${path.split('/')[1]}`), tokens.guest)).body).not.toHaveProperty(
      'forked_from_project',
    );
    const { currentUser } = dataOf(
      await gateway.graphql<{
        currentUser: { notificationSettings: { nodes: { project: { fullPath: string } | null }[] } };
      }>('{ currentUser { notificationSettings(first: 100) { nodes { project { fullPath } } } } }', {
        token: tokens.guest,
      }),
    );
    expect(currentUser.notificationSettings.nodes.map(({ project }) => project?.fullPath)).not.toContain(path);
    expect(await api('DELETE', `projects/${id}`, tokens.owner)).toMatchObject({ status: 404, body: missing });
    await make.project(path, 'PUBLIC');
    expect((await api('GET', at(path), undefined)).body.id).not.toBe(id);
  });

  test('is finished in the background, by any process, after a restart too, with everything in the project', async () => {
    const path = await aProject();
    const { id } = (await api('GET', at(path), tokens.owner)).body;
    await make.member('the-stranger', 'GUEST', { project: path });
    await api('POST', at(path, '/star'), tokens.guest);
    await gateway.sql(
      `insert into project_members (user_id, project_id, access_level) select id, $1, 10 from users on conflict do nothing`,
      [id],
    );
    await api('DELETE', at(path), tokens.owner);
    const left = async () =>
      (
        await gateway.sql<{ count: number }>(
          `select ((select count(*) from projects where id = $1) + (select count(*) from project_members where project_id = $1) + (select count(*) from stars where project_id = $1))::int as count`,
          [id],
        )
      )[0]!.count;
    // The work to do is in the database, so any process can do it.
    const other = await testGateway({}, gateway);
    const { database } = other.gateway.application;
    await vi.waitFor(async () => {
      await sweep({ database, auditDays: 365 });
      expect(await left()).toBe(0);
    }, 20_000);
  });

  test('is refused if it was changed after the time in If-Unmodified-Since', async () => {
    const path = await aProject();
    const remove = (moment: Date | string, token = tokens.owner) =>
      api('DELETE', at(path), token, {
        headers: { 'if-unmodified-since': typeof moment === 'string' ? moment : moment.toUTCString() },
      });
    const hourAgo = new Date(Date.now() - 3_600_000);
    expect(await remove(hourAgo)).toMatchObject({ status: 412, body: { message: '412 Precondition Failed' } });
    // Callers who may not delete it can't find out when it was changed.
    expect((await remove(hourAgo, tokens.maintainer)).status).toBe(403);
    expect((await remove(hourAgo, tokens.stranger)).status).toBe(404);
    expect((await api('GET', at(path), tokens.owner)).status).toBe(200);
    const { body } = await api('GET', at(path), tokens.owner);
    expect((await remove(new Date(body.updated_at as string))).status).toBe(202);
  });

  test('ignores an invalid date', async () => {
    expect(
      (await api('DELETE', at(await aProject()), tokens.owner, { headers: { 'if-unmodified-since': 'long ago' } }))
        .status,
    ).toBe(202);
  });
});

describe('stars', () => {
  test('are added and removed once, and counted', async () => {
    const path = await aProject('PUBLIC');
    expect(await api('POST', at(path, '/star'), tokens.stranger)).toMatchObject({
      status: 201,
      body: { star_count: 1 },
    });
    const again = await api('POST', at(path, '/star'), tokens.stranger);
    expect([again.status, again.text]).toEqual([304, '']);
    expect(await api('POST', at(path, '/star'), tokens.guest)).toMatchObject({ status: 201, body: { star_count: 2 } });

    const starrers = await api('GET', at(path, '/starrers'), undefined);
    expect(starrers.body).toEqual([
      {
        starred_since: expect.any(String),
        user: expect.objectContaining({ username: 'the-guest', web_url: `${gateway.url}/the-guest` }),
      },
      { starred_since: expect.any(String), user: expect.objectContaining({ username: 'the-stranger' }) },
    ]);
    expect((await api('GET', at(path, '/starrers'), undefined, { query: { search: 'stran' } })).body).toHaveLength(1);
    for (const list of ['users/the-stranger/starred_projects', 'projects?starred=true']) {
      expect((await api('GET', list, tokens.stranger)).body).toEqual([
        expect.objectContaining({ path_with_namespace: path }),
      ]);
    }

    expect(await api('POST', at(path, '/unstar'), tokens.stranger)).toMatchObject({
      status: 201,
      body: { star_count: 1 },
    });
    expect((await api('POST', at(path, '/unstar'), tokens.stranger)).status).toBe(304);
    expect((await api('DELETE', at(path, '/star'), tokens.stranger)).status).toBe(405);
  });

  test('added concurrently are all counted', async () => {
    const path = await aProject('PUBLIC');
    const who = [tokens.owner, tokens.maintainer, tokens.developer, tokens.guest, tokens.owner, tokens.maintainer];
    const statuses = (await Promise.all(who.map((token) => api('POST', at(path, '/star'), token)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([201, 201, 201, 201, 304, 304]);
    expect((await api('GET', at(path), undefined)).body.star_count).toBe(4);
  });
});

describe('forks', () => {
  test('can’t be made more visible than their source', async () => {
    const path = await aProject();
    const { body: fork } = await api('POST', at(path, '/fork'), tokens.reporter);
    expect(fork.visibility).toBe('private');
    const widen = (visibility: string) => api('PUT', `projects/${fork.id}`, tokens.reporter, { json: { visibility } });
    expect(await widen('public')).toMatchObject({
      status: 400,
      body: {
        message: { visibility_level: ['public is not allowed since the fork source project has lower visibility.'] },
      },
    });
    expect((await widen('private')).status).toBe(200);
    await api('DELETE', `projects/${fork.id}/fork`, tokens.reporter);
    expect((await widen('public')).status).toBe(200);
  });

  test('show their source, and are counted and listed there', async () => {
    const path = await aProject('INTERNAL');
    const { status, body } = await api('POST', at(path, '/fork'), tokens.stranger);
    expect({ status, ...body }).toMatchObject({
      status: 201,
      path_with_namespace: `the-stranger/${path.split('/')[1]}`,
      visibility: 'internal',
      forked_from_project: { path_with_namespace: path, forks_count: 1 },
    });
    expect((await api('GET', at(path, '/forks'), tokens.owner)).body).toEqual([
      expect.objectContaining({ id: body.id }),
    ]);
    expect((await api('GET', at(path), tokens.owner)).body.forks_count).toBe(1);
    expect(await api('POST', at(path, '/fork'), tokens.stranger, { json: { path: 'another' } })).toMatchObject({
      status: 409,
      body: { message: 'Project already forked' },
    });
  });

  test('are created in namespaces where the caller may create projects, by id or path', async () => {
    const path = await aProject();
    const fork = (json: object, token = tokens.developer) =>
      api('POST', at(path, '/fork'), token, { json: { path: `fork-${++counter}`, ...json } });
    expect(await fork({ namespace_path: 'shop/inner', name: 'Other', description: 'D' })).toMatchObject({
      status: 201,
      body: { name: 'Other', description: 'D', namespace: { full_path: 'shop/inner' } },
    });
    expect(await fork({ namespace_id: await namespaceId('the-developer') })).toMatchObject({
      status: 201,
      body: { namespace: { full_path: 'the-developer' } },
    });
    for (const namespace of ['closed', 'nothing', 'the-owner', '99999']) {
      expect(await fork({ namespace })).toMatchObject({
        status: 404,
        body: { message: '404 Target Namespace Not Found' },
      });
    }
    expect(await fork({ path: path.split('/')[1]!, namespace: 'shop' }, tokens.owner)).toMatchObject({
      status: 409,
      body: { message: 'Path has already been taken' },
    });
  });

  test('can’t be created by a guest who may not read the source, and none is more visible than its source', async () => {
    const path = await aProject();
    expect(await api('POST', at(path, '/fork'), tokens.guest)).toMatchObject({
      status: 404,
      body: { message: '404 Not Found' },
    });
    expect(await api('POST', at(path, '/fork'), tokens.reporter, { json: { visibility: 'public' } })).toMatchObject({
      status: 400,
      body: {
        message: { visibility_level: ['public is not allowed since the fork source project has lower visibility.'] },
      },
    });
    expect(await api('POST', 'projects/fork/1', tokens.owner)).toMatchObject({ status: 404 });
  });

  test('don’t show a source that the caller may not see', async () => {
    const path = await aProject('INTERNAL');
    const { body } = await api('POST', at(path, '/fork'), tokens.stranger);
    await api('PUT', at(path), tokens.owner, { json: { visibility: 'private' } });
    expect((await api('GET', `projects/${body.id}`, tokens.stranger)).body).not.toHaveProperty('forked_from_project');
  });

  test('can be related to an existing project and unrelated, by owners', async () => {
    const [source, path] = [await aProject('PUBLIC'), await aProject()];
    const { id } = (await api('GET', at(source), tokens.owner)).body;
    expect((await api('POST', at(path, `/fork/${id}`), tokens.maintainer)).status).toBe(403);
    expect(await api('POST', at(path, '/fork/99999'), tokens.owner)).toMatchObject({
      status: 404,
      body: { message: '404 Source Project Not Found' },
    });
    expect((await api('POST', at(source, `/fork/${id}`), tokens.owner)).status).toBe(400);
    expect(await api('POST', at(path, `/fork/${id}`), tokens.owner)).toMatchObject({
      status: 201,
      body: { forked_from_project: { id } },
    });
    expect(await api('POST', at(path, `/fork/${id}`), tokens.owner)).toMatchObject({
      status: 409,
      body: { message: 'Project already forked' },
    });
    const gone = await api('DELETE', at(path, '/fork'), tokens.owner);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await api('DELETE', at(path, '/fork'), tokens.owner)).status).toBe(304);
    expect((await api('GET', at(source), tokens.owner)).body.forks_count).toBe(0);
  });
});

describe('the list of projects', () => {
  /** @param token null for an anonymous caller */
  const paths = async (query: Record<string, string>, token: string | null = tokens.guest) =>
    (
      (await api('GET', 'projects', token ?? undefined, { query: { per_page: '100', ...query } })).body as {
        path_with_namespace: string;
      }[]
    ).map((project) => project.path_with_namespace);

  beforeAll(async () => {
    await make.group('list', 'PUBLIC');
    await make.group('list/deep');
    await make.member('the-guest', 'GUEST', { group: 'list/deep' });
    await make.project('list/open', 'PUBLIC');
    await make.project('list/inside', 'INTERNAL');
    await make.project('list/secret');
    await make.project('list/deep/below');
    await make.project('list/direct');
    await make.member('the-guest', 'MAINTAINER', { project: 'list/direct' });
    await gateway.sql(
      `update projects set topics = '{red,blue}', description = 'All 100% of_it', star_count = 7 where full_path = 'list/open'`,
    );
  });
  const listed = async (query: Record<string, string>, token?: string | null) =>
    (await paths(query, token)).filter((path) => path.startsWith('list/')).sort();

  test('has all projects that the caller may see, with or without a membership', async () => {
    expect(await listed({}, null)).toEqual(['list/open']);
    expect(await listed({}, tokens.stranger)).toEqual(['list/inside', 'list/open']);
    expect(await listed({})).toEqual(['list/deep/below', 'list/direct', 'list/inside', 'list/open']);
    expect(await listed({}, tokens.root)).toEqual([
      'list/deep/below',
      'list/direct',
      'list/inside',
      'list/open',
      'list/secret',
    ]);
  });

  test.each([
    [{ membership: 'true' }, ['list/deep/below', 'list/direct']],
    [{ min_access_level: '40' }, ['list/direct']],
    [{ owned: 'true' }, []],
    [{ visibility: 'internal' }, ['list/inside']],
    [{ topic: 'red,blue' }, ['list/open']],
    [{ topic: 'red,green' }, []],
    [{ search: 'INSID' }, ['list/inside']],
    [{ search: '100% of_it' }, ['list/open']],
    [{ search: '0%o' }, []],
    [{ search: 'deep' }, []],
    [{ search: 'deep', search_namespaces: 'true' }, ['list/deep/below']],
    [{ search: 'op' }, []],
    [{ last_activity_before: '2020-01-01' }, []],
    [{ updated_after: '2020-01-01', order_by: 'updated_at', visibility: 'internal' }, ['list/inside']],
    [{ visibility: '' }, undefined],
  ] as [Record<string, string>, string[] | undefined][])('of %o holds %o', async (query, expected) => {
    if (expected) expect(await listed(query)).toEqual(expected);
    else
      expect(await api('GET', 'projects', tokens.guest, { query })).toMatchObject({
        status: 400,
        body: { error: 'visibility does not have a valid value' },
      });
  });

  test('of owned and starred projects is empty for anonymous callers', async () => {
    for (const name of ['owned', 'membership']) expect(await paths({ [name]: 'true' }, null)).toEqual([]);
    expect(await paths({ min_access_level: '10' }, null)).toEqual([]);
    expect(await paths({ starred: 'true' }, null)).toContain('list/open');
  });

  test('has the requested order, and the newest first by default', async () => {
    expect((await paths({ search: 'list', search_namespaces: 'true' }))[0]).toBe('list/direct');
    expect((await paths({ order_by: 'star_count', search: 'list', search_namespaces: 'true' }))[0]).toBe('list/open');
    const names = (await paths({ order_by: 'path', sort: 'asc', search: 'list', search_namespaces: 'true' })).map(
      (path) => path.split('/').at(-1)!,
    );
    expect(names).toEqual(names.toSorted());
  });

  test('filtered by time of change is refused with another order', async () => {
    expect(await api('GET', 'projects', tokens.guest, { query: { updated_after: '2020-01-01' } })).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - `updated_at` filter and `updated_at` sorting must be paired' },
    });
  });

  test('of a person has the projects in their personal namespace that the caller may see', async () => {
    await api('POST', 'projects', tokens.maintainer, { json: { name: 'own-public', visibility: 'public' } });
    await api('POST', 'projects', tokens.maintainer, { json: { name: 'own-private' } });
    const names = async (token: string | undefined, user = 'The-Maintainer') =>
      ((await api('GET', `users/${user}/projects`, token)).body as { name: string }[]).map(({ name }) => name);
    expect(await names(undefined)).toEqual(['own-public']);
    expect((await names(tokens.maintainer)).sort()).toEqual(['own-private', 'own-public']);
    expect(await api('GET', 'users/nobody/projects', tokens.maintainer)).toMatchObject({
      status: 404,
      body: { message: '404 User Not Found' },
    });
  });

  test('loses at once projects whose membership ended, and those deleted with their group', async () => {
    await make.group('brief');
    await make.project('brief/one');
    await make.member('the-stranger', 'GUEST', { group: 'brief' });
    expect(await paths({}, tokens.stranger)).toContain('brief/one');
    await gateway.sql(
      `update group_members set expires_at = (now() at time zone 'utc')::date where group_id = (select id from namespaces where full_path = 'brief')`,
    );
    expect(await paths({}, tokens.stranger)).not.toContain('brief/one');
    expect(await paths({}, tokens.root)).toContain('brief/one');
    await gateway.sql(`update namespaces set deleting_since = now() where full_path = 'brief'`);
    expect(await paths({}, tokens.root)).not.toContain('brief/one');
    for (const one of [at('brief/one'), 'groups/brief/notification_settings'])
      expect((await api('GET', one, tokens.root)).status).toBe(404);
  });

  test('needs the same number of statements at any length', async () => {
    const count = async (query: Record<string, string>) =>
      (await statementsOf(() => api('GET', 'projects', tokens.owner, { query }))).length;
    expect(await count({ per_page: '1' })).toBeGreaterThan(1);
    // Credential, page with total; then owners, sources, and their visibility.
    expect(await count({ per_page: '100' })).toBeLessThanOrEqual(5);
    expect((await statementsOf(() => api('GET', 'projects/1/starrers', tokens.owner))).length).toBeLessThanOrEqual(3);
  });
});

describe('over GraphQL', () => {
  test('projects are created, updated, starred, forked and deleted as over REST', async () => {
    const run = async (field: string, type: string, input: object, selection: string) => {
      const answer = await gateway.graphql<Record<string, Record<string, unknown>>>(
        `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`,
        { token: tokens.developer, variables: { input } },
      );
      return dataOf(answer)[field]!;
    };
    const one =
      'project { id fullPath name archived starCount forkedFrom { fullPath } permissions { projectAccess { accessLevel } } }';
    const { project } = (await run('createProject', 'CreateProjectInput', { name: 'By Graph' }, one)) as {
      project: { id: string; fullPath: string };
    };
    expect(project).toMatchObject({
      fullPath: 'the-developer/by-graph',
      permissions: { projectAccess: { accessLevel: 50 } },
    });
    const { id } = project;
    expect(await run('updateProject', 'UpdateProjectInput', { project: id, name: 'Other' }, one)).toMatchObject({
      project: { name: 'Other' },
    });
    expect(await run('archiveProject', 'ArchiveProjectInput', { project: id }, one)).toMatchObject({
      project: { archived: true },
    });
    expect(
      await run('starProject', 'StarProjectInput', { project: id, starred: true }, `changed ${one}`),
    ).toMatchObject({ changed: true, project: { starCount: 1 } });
    expect(await run('starProject', 'StarProjectInput', { project: id, starred: true }, 'changed')).toEqual({
      changed: false,
    });
    const shared = await aProject('PUBLIC');
    expect(await run('forkProject', 'ForkProjectInput', { project: shared }, one)).toMatchObject({
      project: { forkedFrom: { fullPath: shared } },
    });
    expect(await run('deleteProject', 'DeleteProjectInput', { project: id }, 'projectId')).toEqual({ projectId: id });
    expect(
      dataOf(
        await gateway.graphql('query ($id: ID!) { project(id: $id) { id } }', {
          token: tokens.developer,
          variables: { id },
        }),
      ),
    ).toEqual({ project: null });
  });

  test('errors of invalid input are reported by field', async () => {
    const answer = await gateway.graphql('mutation { createProject(input: {}) { project { id } } }', {
      token: tokens.developer,
    });
    expect(refusal(answer)).toMatchObject({
      code: 'INVALID_INPUT',
      fields: { name: ["can't be blank"], path: ["can't be blank"] },
    });
  });
});
