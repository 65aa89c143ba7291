import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserSession } from '../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { basic, registerApplication, session, type RegisteredApplication } from '../support/oauth/oauth.ts';
import { rawClient, type RawAnswer, type RawRequest } from '../support/requests/raw-client.ts';
import { sentBy } from '../support/databases/statements.ts';

/** Text that PostgreSQL can't store, NUL and halves of surrogate pairs, is refused by each door in its words, and never sent to it (row 36). */

let gateway: TestGateway;
let ask: (request: RawRequest) => Promise<RawAnswer>;
let application: RegisteredApplication;
beforeAll(async () => {
  gateway = await testGateway();
  ask = rawClient(gateway.url);
  application = await registerApplication(await session(gateway, 'owner'));
});

/** Does it, and sees that no such text comes to the database: neither as it was sent, nor as what it may be made of. */
async function withoutPostgres<T>(work: () => Promise<T>): Promise<T> {
  let result!: T;
  const sent = await sentBy(async () => (result = await work()));
  for (const { values, text } of sent)
    expect([text, JSON.stringify(values)]).toEqual([text, expect.not.stringMatching(/\\u0000|\\ud8|\ufffd|%00/i)]);
  return result;
}

const json = (value: object | string) => ({
  headers: { 'content-type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});
const form = (body: string) => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
const multipart = (part: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: `--x\r\nContent-Disposition: form-data; ${part}\r\n--x--\r\n`,
});

describe('over REST', () => {
  const settings = '/api/v4/notification_settings';
  const requests: readonly (readonly [what: string, request: RawRequest])[] = [
    ['a NUL in the path', { path: '/api/v4/projects/demo%2Fstore%00front' }],
    ['a NUL alone in the path', { path: '/api/v4/groups/%00/notification_settings' }],
    [
      'a NUL at the end of the path of an upward change',
      { method: 'PUT', path: '/api/v4/projects/demo%2Fstorefront%00/notification_settings?level=watch' },
    ],
    ['bytes in the path that are no UTF-8', { path: '/api/v4/projects/demo%2F%ff' }],
    ['half of a surrogate pair in the path', { path: '/api/v4/projects/demo%2F%ED%A0%80' }],
    ['a broken escape in the path', { path: '/api/v4/groups/%zz' }],
    ['a broken escape in a path that has no route', { method: 'PUT', path: '/api/v4/nothing/%' }],
    ['a NUL in the query string', { path: '/api/v4/users?search=a%00b' }],
    ['a NUL in a name of the query string', { path: '/api/v4/users?search%00=a' }],
    ['a NUL in a form', { method: 'PUT', path: settings, ...form('level=watch%00') }],
    ['a raw NUL in a form', { method: 'PUT', path: settings, ...form('level=watch\0') }],
    ['a NUL in JSON', { method: 'POST', path: '/api/v4/groups', ...json({ name: 'a\0b', path: 'a' }) }],
    [
      'half of a surrogate pair in JSON',
      { method: 'POST', path: '/api/v4/groups', ...json('{"name":"a\\ud800b","path":"ab"}') },
    ],
    ['the other half', { method: 'POST', path: '/api/v4/groups', ...json('{"name":"a\\udc00","path":"ab"}') }],
    ['a NUL in a name in JSON', { method: 'PUT', path: settings, ...json('{"level":"watch","x":{"a\\u0000":1}}') }],
    ['a NUL in a multipart form', { method: 'PUT', path: settings, ...multipart('name="level"\r\n\r\nwatch\0') }],
    ['a NUL in whom to act as', { path: '/api/v4/user?sudo=a%00' }],
    ['a NUL in a token in the query string', { path: '/api/v4/user?private_token=a%00' }],
  ];
  test.each(requests)('%s is 400 and reaches nothing', async (_what, { headers, ...request }) => {
    const { status, text } = await withoutPostgres(() =>
      ask({ ...request, headers: { ...headers, 'private-token': gateway.tokens.root } }),
    );
    expect([status, JSON.parse(text)]).toEqual([400, { error: 'Bad Request' }]);
  });

  test.each(['name="level"; filename="a\0b"', 'name="lev\0el"'])(
    'a part of a multipart form with a NUL in its header, %j, is no multipart form',
    async (header) => {
      const part = multipart(`${header}\r\n\r\nx`);
      const { status } = await withoutPostgres(() =>
        ask({
          method: 'PUT',
          path: settings,
          ...part,
          headers: { ...part.headers, 'private-token': gateway.tokens.root },
        }),
      );
      expect(status).toBe(400);
    },
  );

  test('whole surrogate pairs are text like any other', async () => {
    const { status, text } = await ask({
      method: 'POST',
      path: '/api/v4/groups',
      headers: { 'content-type': 'application/json', 'private-token': gateway.tokens.root },
      body: '{"name":"\\ud83d\\ude80 rockets","path":"rockets"}',
    });
    expect([status, (JSON.parse(text) as { name: string }).name]).toEqual([201, '🚀 rockets']);
  });

  test.each(['private-token', 'authorization', 'sudo', 'cookie', 'user-agent'])(
    'a NUL in the header %s isn’t HTTP',
    async (name) => {
      const answered = await withoutPostgres(
        () =>
          new Promise<string>((resolve) => {
            const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
            let text = '';
            socket.on('data', (bytes) => (text += String(bytes))).on('close', () => resolve(text));
            socket.write(`GET /api/v4/user HTTP/1.1\r\nhost: x\r\n${name}: a\0b\r\n\r\n`);
          }),
      );
      expect(answered).toMatch(/^HTTP\/1\.1 400 /);
    },
  );
});

describe('at the endpoints of OAuth clients', () => {
  const places = {
    'a user’s name': 'grant_type=password&username=a%00b&password=x',
    'a password': 'grant_type=password&username=a&password=x%00',
    'a code': 'grant_type=authorization_code&code=%00&redirect_uri=x',
    'a scope': 'grant_type=client_credentials&scope=api%00',
    'the name of a parameter': 'grant_type=client_credentials&x%00=y',
  };
  test.each(Object.entries(places))('a NUL in %s is invalid_request', async (_where, body) => {
    const sent = form(body);
    const { status, text } = await withoutPostgres(() =>
      ask({
        method: 'POST',
        path: '/oauth/token',
        ...sent,
        headers: { ...sent.headers, ...basic(application).headers },
      }),
    );
    expect([status, JSON.parse(text)]).toEqual([400, { error: 'invalid_request', error_description: 'Bad Request' }]);
  });

  test('a NUL inside HTTP Basic makes the client unknown', async () => {
    const authorization = `Basic ${Buffer.from(`${application.clientId}\0:x`).toString('base64')}`;
    const sent = form('grant_type=client_credentials');
    const { status } = await withoutPostgres(() =>
      ask({ method: 'POST', path: '/oauth/token', ...sent, headers: { ...sent.headers, authorization } }),
    );
    expect(status).toBe(401);
  });
});

describe('over GraphQL', () => {
  const send = async (request: RawRequest): Promise<{ status: number; codes: unknown[]; data?: unknown }> => {
    const { status, text } = await withoutPostgres(() =>
      ask({ ...request, headers: { ...request.headers, 'private-token': gateway.tokens.maintainer } }),
    );
    const { data, errors } = JSON.parse(text) as { data?: unknown; errors: { extensions?: { code?: string } }[] };
    return { status, codes: errors.map(({ extensions }) => extensions?.code), ...(data != null && { data }) };
  };
  const bad = { status: 400, codes: ['BAD_REQUEST'] };
  const path = '/graphql';
  const query = 'query ($it: ID!) { project(id: $it) { id } }';
  const nul = 'demo/store\0front';

  test.each([
    ['as JSON', { method: 'POST', path, ...json({ query, variables: { it: nul } }) }],
    [
      'in one that the document doesn’t use',
      { method: 'POST', path, ...json({ query: '{ __typename }', variables: { other: [{ 'a\0': 1 }] } }) },
    ],
    [
      'with half of a surrogate pair',
      { method: 'POST', path, ...json(`{"query":${JSON.stringify(query)},"variables":{"it":"a\\ud800"}}`) },
    ],
    [
      'deep in an input',
      {
        method: 'POST',
        path,
        ...json({
          query: 'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } } }',
          variables: { input: { name: nul, path: 'ab' } },
        }),
      },
    ],
    [
      'in the query string',
      {
        path: `${path}?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify({ it: nul }))}`,
      },
    ],
    [
      'in a form',
      {
        method: 'POST',
        path,
        ...form(new URLSearchParams({ query, variables: JSON.stringify({ it: nul }) }).toString()),
      },
    ],
  ])('NUL in variables, %s, is a bad request that reaches nothing', async (_how, request) => {
    expect(await send(request)).toEqual(bad);
  });

  test('NUL in a document itself is a problem of the document', async () => {
    for (const document of [
      String.raw`{ project(id: "demo/store\u0000front") { id } }`,
      String.raw`{ project(id: "a\u{0}") { id } }`,
      '{ project(id: """a\0""") { id } }',
    ]) {
      const { codes, data } = await send({ method: 'POST', path, ...json({ query: document }) });
      expect([document, codes, data]).toEqual([document, ['BAD_REQUEST'], undefined]);
    }
  });

  test('NUL that a cursor hides is a bad request', async () => {
    const cursor = Buffer.from('demo\0').toString('base64url');
    const { codes } = await send({
      method: 'POST',
      path,
      ...json({ query: `{ currentUser { notificationSettings(first: 5, after: "${cursor}") { nodes { level } } } }` }),
    });
    expect(codes).toEqual(['BAD_REQUEST']);
  });

  test('one operation of a batch with NUL leaves the others theirs', async () => {
    const { text } = await ask({
      method: 'POST',
      path,
      ...json([{ query: '{ __typename }' }, { query, variables: { it: nul } }]),
    });
    expect(JSON.parse(text)).toEqual([
      { data: { __typename: 'Query' } },
      { errors: [{ message: expect.any(String), extensions: { code: 'BAD_REQUEST' } }] },
    ]);
  });
});

describe('on pages', () => {
  test.each([
    '/%00',
    '/demo/store%00front',
    '/groups/de%00mo',
    '/demo/storefront%00/-/settings/error_tracking',
    '/admin/users/1%00',
    '/oauth/authorize?client_id=a%00',
    '/%zz',
    '/demo/%ff',
    '/assets/%',
    '/users/sign_in?return_to=%00',
    '/users/password/edit?token=%00',
  ])('%s can’t be read', async (path) => {
    const { status, text } = await withoutPostgres(() => ask({ path }));
    expect([path, status, text.includes('Invalid request')]).toEqual([path, 400, true]);
  });

  test('nor can a form with it', async () => {
    const stranger = browserSession(gateway);
    const { action, fields } = (await stranger.get('/users/sign_in')).form('Sign in');
    const { status } = await withoutPostgres(() => stranger.post(action, { ...fields, login: 'a\0', password: 'x' }));
    expect(status).toBe(400);
  });
});
