import { Gitlab } from '@gitbeaker/rest';
import { beforeAll, describe, expect, test } from 'vitest';
import { actAs } from '../../src/auth/index.ts';
import { createContext } from '../../src/context.ts';
import { admit, type Admission, type Viewer } from '../../src/policy/index.ts';
import { routes } from '../../src/rest/routes.ts';
import { schema } from '../../src/schema/index.ts';
import { refusal } from '../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { rootFields } from '../support/requests/operations.ts';
import { newUser, type TestUser } from '../support/places/people.ts';
import { statementsOf } from '../support/databases/statements.ts';
import type { RestRequest } from '../support/requests/rest-client.ts';

const settings = '/api/v4/notification_settings';
const errorTracking = '/api/v4/projects/demo%2Fstorefront/error_tracking/settings';

let gateway: TestGateway;
let target: TestUser;
let blocked: TestUser;
let sudo: string;
const ids: Record<string, number> = {};

beforeAll(async () => {
  gateway = await testGateway();
  const made = await newUser(gateway, 'Target');
  target = { ...made, email: made.email.toLowerCase() };
  blocked = await newUser(gateway, 'barred');
  await gateway.sql(`update users set state = 'BLOCKED' where username = 'barred'`);
  sudo = await gateway.personalToken('root', ['api', 'sudo']);
  for (const { id, username } of await gateway.sql<{ id: number; username: string }>('select id, username from users'))
    ids[username] = id;
});

const as = (user: string, token = sudo): RestRequest => ({ token, headers: { sudo: user } });

describe('an administrator acts as another user', () => {
  test.each([
    ['by name in the header', () => as('target')],
    ['by number in the header', () => as(target.id)],
    ['by name in the query', () => ({ token: sudo, query: { sudo: 'TARGET' } })],
    [
      'by number in JSON',
      () => ({
        token: sudo,
        raw: JSON.stringify({ sudo: Number(target.id) }),
        headers: { 'content-type': 'application/json' },
      }),
    ],
    ['by the parameter rather than the header', () => ({ ...as('developer'), query: { sudo: 'target' } })],
  ] as [string, () => RestRequest][])('%s', async (_how, request) => {
    // With PUT, since fetch sends no body with GET.
    const { status, body } = await gateway.rest('PUT', settings, request());
    expect([status, body.notification_email]).toEqual([200, target.email]);
  });

  // Machines present tokens of their own, which act for nobody.
  const forPeople = routes.filter(({ path, auth }) => path.startsWith('/api/v4/') && auth === undefined);
  test.each(forPeople.map(({ method, path }) => `${method} ${path}`))('at every route: %s', async (route) => {
    const [method, path] = route.split(' ') as [string, string];
    // An unknown name shows that sudo was applied, and changes nothing.
    const { status, body } = await gateway.rest(method, path.replaceAll(/:\w+/g, '1'), as('nobody-of-this-name'));
    expect([status, body.message]).toEqual([404, "404 User with ID or username 'nobody-of-this-name' Not Found"]);
  });

  test('with either kind of token, of an application or of none', async () => {
    for (const application of ['test-application', null]) {
      const token = await gateway.accessToken('root', ['api', 'sudo'], { application });
      const { status, body } = await gateway.rest('GET', '/api/v4/user', {
        headers: { authorization: `Bearer ${token}`, sudo: 'target' },
      });
      expect([status, body.username]).toEqual([200, 'Target']);
    }
  });

  test('by a name with digits, and by a number with several', async () => {
    await newUser(gateway, 'agent-007');
    await gateway.sql(`select setval(pg_get_serial_sequence('users', 'id'), 1000)`);
    const { id } = await newUser(gateway, '007-agent');
    for (const user of ['agent-007', '007-agent', id]) {
      expect((await gateway.rest('GET', '/api/v4/user', as(user))).body.username).toBe(
        user === id ? '007-agent' : user,
      );
    }
  });

  test('and what changes is the other’s, not the administrator’s', async () => {
    const { body } = await gateway.rest('PUT', settings, { ...as('target'), form: { level: 'watch' } });
    expect(body).toMatchObject({ level: 'watch', notification_email: target.email });
    expect((await gateway.rest('GET', settings, { token: target.token })).body.level).toBe('watch');
    expect((await gateway.rest('GET', settings, { token: sudo })).body.level).toBe('participating');
  });

  test('with the rights of the other, not with those of an administrator', async () => {
    const hidden = '/api/v4/projects/demo%2Fplatform%2Fapi/notification_settings';
    expect((await gateway.rest('GET', hidden, { token: sudo })).status).toBe(200);
    expect((await gateway.rest('GET', hidden, as('target'))).body).toEqual({ message: '404 Project Not Found' });
    expect((await gateway.rest('GET', errorTracking, { token: sudo })).status).toBe(200);
    expect((await gateway.rest('GET', errorTracking, as('guest'))).body).toEqual({ message: '403 Forbidden' });
    expect((await gateway.rest('GET', '/api/v4/user', as('target'))).body).not.toHaveProperty('is_admin');
  });

  test('on the tier of the other', async () => {
    const { username } = await newUser(gateway, 'well-off', { tier: 'PREMIUM' });
    for (const [user, expected] of [
      [username, true],
      ['target', false],
    ] as const) {
      const { body } = await gateway.rest('PUT', '/api/v4/groups/demo/notification_settings', {
        ...as(user),
        form: { level: 'custom' },
      });
      expect([user, 'new_epic' in body.events]).toEqual([user, expected]);
    }
  });

  test('needs the scope of the call besides', async () => {
    const token = await gateway.personalToken('root', ['read_api', 'sudo']);
    expect((await gateway.rest('GET', settings, as('target', token))).status).toBe(200);
    const { status, body } = await gateway.rest('PUT', settings, {
      ...as('target', token),
      form: { level: 'mention' },
    });
    expect([status, body.error, body.scope]).toEqual([403, 'insufficient_scope', 'api']);
    expect((await gateway.rest('GET', settings, { token: target.token })).body.level).toBe('watch');
  });

  test('as gitbeaker asks for it', async () => {
    const client = new Gitlab({ host: gateway.url, token: sudo, sudo: 'target' });
    expect((await client.Users.showCurrentUser()).username).toBe('Target');
    expect((await client.NotificationSettings.edit({ level: 'mention' })).notification_email).toBe(target.email);
    await client.NotificationSettings.edit({ level: 'watch' });
  });

  test('shows the credential as the administrator’s', async () => {
    const { body } = await gateway.rest('GET', '/oauth/token/info', {
      headers: { authorization: `Bearer ${await gateway.accessToken('root', ['api', 'sudo'])}`, sudo: 'target' },
    });
    expect(body.resource_owner_id).toBe(ids.root);
  });
});

describe('acting as another user is refused', () => {
  const notFound = (name: string) => ({ message: `404 User with ID or username '${name}' Not Found` });

  test.each([
    ['without a name', () => ({ headers: { sudo: 'target' } }), 401, { message: '401 Unauthorized' }],
    ['with an unknown token', () => as('target', 'garbage'), 401, { message: '401 Unauthorized' }],
    [
      'to those who are no administrators',
      () => as('target', gateway.tokens.maintainer),
      403,
      { message: '403 Forbidden - Must be admin to use sudo' },
    ],
    ['where there is no such user', () => as('nobody-here'), 404, notFound('nobody-here')],
    ['where a name is longer than any', () => as('n'.repeat(300)), 404, notFound('n'.repeat(255))],
    ['where there is no such number', () => as('99999999999999999999'), 404, notFound('99999999999999999999')],
    ['of a group', () => as('demo'), 404, notFound('demo')],
    ['of an empty name', () => as(''), 404, notFound('')],
    [
      'of a user who is blocked',
      () => as(blocked.id),
      403,
      { message: '403 Forbidden - The account of this user has been blocked.' },
    ],
    [
      'of several at once',
      () => ({ token: sudo, raw: '{"sudo":["target"]}', headers: { 'content-type': 'application/json' } }),
      400,
      { error: 'sudo is invalid' },
    ],
  ] as [string, () => RestRequest, number, object][])('%s', async (_why, request, status, body) => {
    const answer = await gateway.rest('PUT', settings, { ...request(), query: { level: 'disabled' } });
    expect([answer.status, answer.body]).toEqual([status, body]);
    for (const token of [target.token, sudo])
      expect((await gateway.rest('GET', settings, { token })).body.level).not.toBe('disabled');
  });

  test('without the scope, which the error names', async () => {
    for (const scopes of [['api'], ['api', 'read_user', 'read_api']]) {
      const { status, body } = await gateway.rest(
        'GET',
        settings,
        as('target', await gateway.personalToken('root', scopes)),
      );
      expect([status, body.error, body.scope]).toEqual([403, 'insufficient_scope', 'sudo']);
    }
  });

  test('to an application that acts for itself', async () => {
    const token = await gateway.accessToken(null, ['api', 'sudo']);
    const { status, body } = await gateway.rest('GET', settings, {
      headers: { authorization: `Bearer ${token}`, sudo: 'target' },
    });
    expect([status, body]).toEqual([403, { message: '403 Forbidden - Must be admin to use sudo' }]);
  });

  test('to a session, which no door offers it to', async () => {
    const { database } = gateway.gateway.application;
    const viewer: Viewer = {
      person: { id: ids.root!, username: 'root', administrator: true, premium: false, external: false },
      credential: { kind: 'session', sessionId: 1, recent: true, checkedAt: '2026-01-01' },
    };
    const asked = actAs(
      database,
      viewer,
      { user: 'target', asks: 'GET /', reads: true },
      { address: '198.51.100.1', requestId: 'a-test' },
    );
    await expect(asked).rejects.toThrow('Must be authenticated using an OAuth or personal access token to use sudo');
  });

  test('of a user who is being removed', async () => {
    const leaving = await newUser(gateway, 'leaving');
    await gateway.sql('update users set deleting_since = now() where id = $1', [leaving.id]);
    expect((await gateway.rest('GET', settings, as('leaving'))).body).toEqual(notFound('leaving'));
  });

  test('for every field that grants power', async () => {
    const { application } = gateway.gateway;
    const origin = { address: '198.51.100.1', requestId: 'a-test' };
    const viewers = await Promise.all(
      ['target', 'root'].map(
        async (user) =>
          (
            await createContext(
              application,
              { as: 'private', token: sudo },
              { origin },
              { sudo: { user, asks: 'GET /', reads: true } },
            )
          ).viewer,
      ),
    );
    const fields = rootFields(schema)
      .map(({ field }) => field)
      .filter(({ extensions }) => (extensions.admission as Admission).class === 'session');
    expect(fields.length).toBeGreaterThan(20);
    for (const viewer of viewers) {
      for (const { name, extensions } of fields) {
        expect(() => admit(viewer, extensions.admission as Admission), name).toThrow(
          'Nobody can do this in another’s name.',
        );
      }
    }
  });

  test('over GraphQL, rather than answered in the administrator’s own name', async () => {
    for (const headers of [{ sudo: 'target' }, { Sudo: target.id }] as Record<string, string>[]) {
      const answer = await gateway.graphql('{ currentUser { username } }', { token: sudo, headers });
      expect([answer.data, refusal(answer)]).toEqual([
        null,
        { message: 'Acting as another user (sudo) is for the REST API.', code: 'FORBIDDEN' },
      ]);
    }
  });

  test('to a token of an administrator who was blocked or is one no more (rows 21, 22)', async () => {
    const former = await newUser(gateway, 'former', { administrator: true });
    const token = await gateway.personalToken('former', ['api', 'sudo']);
    expect((await gateway.rest('GET', settings, as('target', token))).status).toBe(200);
    await gateway.sql('update users set administrator = false where id = $1', [former.id]);
    expect((await gateway.rest('GET', settings, as('target', token))).body.message).toBe(
      '403 Forbidden - Must be admin to use sudo',
    );
    await gateway.sql(`update users set state = 'BLOCKED' where id = $1`, [former.id]);
    expect((await gateway.rest('GET', settings, as('target', token))).body.message).toBe(
      '403 Forbidden - Your account has been blocked.',
    );
  });
});

describe('the audit', () => {
  const events = (requestIds: string[]) =>
    gateway.sql<{ kind: string; actor_id: number; user_id: number; detail: string | null }>(
      'select kind, actor_id, user_id, detail from audit_events where request_id = any($1) order by id',
      [requestIds],
    );
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')!;

  test('has a row for each change: who made it, in whose name, and what it was', async () => {
    const answers = [
      await gateway.rest('PUT', settings, { ...as('target'), query: { level: 'watch', unknown: 'not to be kept' } }),
      await gateway.rest('PUT', settings, { ...as('target'), form: { level: 'mention' } }),
    ];
    const row = { kind: 'acted_as_user', actor_id: ids.root, user_id: ids.Target, detail: `PUT ${settings}` };
    expect(await events(answers.map(idOf))).toEqual([row, row]);
  });

  test('names the application, and keeps no more of a path than it must', async () => {
    const token = await gateway.accessToken('root', ['api', 'sudo']);
    const path = `/api/v4/projects/${'p'.repeat(400)}/error_tracking/settings`;
    const answer = await gateway.rest('PUT', path, { headers: { authorization: `Bearer ${token}`, sudo: 'target' } });
    const [event] = await gateway.sql<{ detail: string; uid: string }>(
      'select detail, uid from audit_events e join applications a on a.id = e.application_id where request_id = $1',
      [idOf(answer)],
    );
    expect(event).toEqual({ detail: `PUT ${path}`.slice(0, 255), uid: 'test-application' });
  });

  test('has one for a change that was refused in the other’s name, too', async () => {
    const answer = await gateway.rest('PATCH', errorTracking, { ...as('guest'), form: { active: 'true' } });
    expect(answer.status).toBe(403);
    expect(await events([idOf(answer)])).toMatchObject([
      { kind: 'acted_as_user', user_id: ids.guest, detail: `PATCH ${errorTracking}` },
    ]);
  });

  test('adds up reads: a row a minute for each pair', async () => {
    const reader = await newUser(gateway, 'reader', { administrator: true });
    const token = await gateway.personalToken('reader', ['read_api', 'sudo']);
    await Promise.all(Array.from({ length: 8 }, () => gateway.rest('GET', settings, as('target', token))));
    const rows = await gateway.sql<{ user_id: number; count: number }>(
      `select user_id, count from audit_events where kind = 'read_as_user' and actor_id = $1`,
      [reader.id],
    );
    // Two, where the minute ended in between.
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(8);
    expect(new Set(rows.map(({ user_id: id }) => id))).toEqual(new Set([ids.Target]));
  });

  test('has none where there was no user to act as', async () => {
    const answers = [
      await gateway.rest('PUT', settings, as('nobody-here')),
      await gateway.rest('PUT', settings, as('barred')),
      await gateway.rest('PUT', settings, as('target', gateway.tokens.maintainer)),
    ];
    expect(await events(answers.map(idOf))).toEqual([]);
  });

  test('costs no statement more than finding the person does, and what was read along with the token', async () => {
    const ask = (headers: Record<string, string>) =>
      statementsOf(() => gateway.rest('GET', settings, { token: sudo, headers }));
    const own = await ask({});
    const other = await ask({ sudo: 'target' });
    expect(own).toHaveLength(1);
    expect(other).toHaveLength(3);
  });

  test('is visible to the person', async () => {
    const { data } = await gateway.graphql<{ currentUser: { auditEvents: { nodes: object[] } } }>(
      '{ currentUser { auditEvents(first: 100) { nodes { kind actorDatabaseId } } } }',
      { token: target.token },
    );
    expect(data!.currentUser.auditEvents.nodes).toContainEqual({ kind: 'acted_as_user', actorDatabaseId: ids.root });
  });
});
