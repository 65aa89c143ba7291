import { createHash } from 'node:crypto';
import { getIntrospectionQuery } from 'graphql';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { graphqlDoor } from '../../src/graphql/index.ts';
import { noLimits } from '../../src/limits/index.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { dataOf, refusal } from '../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { listenBefore } from '../support/requests/listen.ts';
import { bearer, postsTo, read, type Answer } from './requests.ts';

const gateway = await testGateway();
const post = postsTo(gateway);

async function get(query: string, headers: Record<string, string> = {}, path = '/graphql'): Promise<Answer> {
  return await read(await fetch(`${gateway.url}${path}?${new URLSearchParams({ query })}`, { headers }));
}

describe('the interface between clients and servers', () => {
  for (const path of ['/graphql', '/api/graphql']) {
    const audits = serverAudits({ url: () => gateway.url + path, fetchFn: fetch });

    test(`is known to have 61 audits for ${path}`, () => {
      expect(audits).toHaveLength(61);
    });

    test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))(
      `on ${path}: %s %s`,
      async (_id, _name, audit) => {
        const result = await audit.fn();
        expect(result).toMatchObject({ status: 'ok' });
      },
    );
  }

  test.each(['/graphql', '/graphql/', '/api/graphql', '/api/graphql/', '/-/graphql-explorer'])(
    'answers at %s, and a browser that opens it gets GraphiQL',
    async (path) => {
      const query = '{ metadata { version } }';
      const answer = { status: 200, body: { data: { metadata: { version: '13.12.0' } } } };
      expect(await post({ query }, { path, headers: bearer(gateway.tokens.guest) })).toMatchObject(answer);
      // The second takes the long way: a batch isn't plain.
      expect(await post([{ query }], { path, headers: bearer(gateway.tokens.guest) })).toMatchObject({
        status: 200,
        body: [answer.body],
      });
      expect(await get(query, bearer(gateway.tokens.guest), path)).toMatchObject(answer);
      const form = {
        path: `${path}?private_token=${gateway.tokens.guest}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
      expect(await post(new URLSearchParams({ query }).toString(), form)).toMatchObject(answer);
      const page = await read(await fetch(gateway.url + path, { headers: { accept: 'text/html,*/*;q=0.8' } }));
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('<title>GraphiQL')]);
    },
  );

  test('takes queries by GET, and no mutation', async () => {
    const level =
      'mutation { updateNotificationSettings(input: { level: MENTION }) { notificationSettings { level } } }';
    expect(await get('{ metadata { version } }', bearer(gateway.tokens.guest))).toMatchObject({
      status: 200,
      body: { data: { metadata: { version: '13.12.0' } } },
    });
    const refused = await get(level, bearer(gateway.tokens.guest));
    expect(refused).toMatchObject({
      status: 405,
      body: { errors: [{ message: 'Can only perform a mutation operation from a POST request.' }] },
    });
    expect(refused.headers.get('allow')).toBe('POST');
    expect(await get('{ notificationSettings { isLevelSet } }', bearer(gateway.tokens.guest))).toMatchObject({
      body: { data: { notificationSettings: { isLevelSet: false } } },
    });
  });

  test('runs the operations of a batch, each with its own answer, in their order', async () => {
    const { status, body } = await post(
      [
        {
          query: 'mutation { updateNotificationSettings(input: { level: WATCH }) { notificationSettings { level } } }',
        },
        { query: '{ unheardOf }' },
        { query: 'query ($id: ID!) { group(id: $id) { fullPath } }', variables: { id: 'demo' } },
        { query: 'query A { __typename } query B { currentUser { username } }', operationName: 'B' },
      ],
      { headers: bearer(gateway.tokens.developer) },
    );
    expect(status).toBe(200);
    expect(body).toEqual([
      { data: { updateNotificationSettings: { notificationSettings: { level: 'WATCH' } } } },
      {
        errors: [
          expect.objectContaining({
            message: "Field 'unheardOf' doesn't exist on type 'Query'",
            extensions: { code: 'undefinedField', typeName: 'Query', fieldName: 'unheardOf' },
          }),
        ],
      },
      { data: { group: { fullPath: 'demo' } } },
      { data: { currentUser: { username: 'developer' } } },
    ]);
  });

  test('lets pages of every origin read answers, without their cookies', async () => {
    const origin = 'https://elsewhere.example';
    const preflight = await fetch(`${gateway.url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, private-token, content-type',
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization, private-token, content-type');
    const answer = await post({ query: '{ __typename }' }, { headers: { origin } });
    for (const { headers } of [preflight, answer]) {
      expect(['*', origin]).toContain(headers.get('access-control-allow-origin'));
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('has the headers of every answer of the gateway', async () => {
    const { headers } = await post({ query: '{ __typename }' });
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a credential', () => {
  const publicGroup = { query: '{ group(id: "demo") { fullPath } }' };
  const query = { query: '{ currentUser { username } }' };

  test.each([
    ['as bearer', (token: string) => ({ headers: bearer(token) })],
    ['as bearer, in whatever case', (token: string) => ({ headers: { authorization: `bearer ${token}` } })],
    ['as PRIVATE-TOKEN', (token: string) => ({ headers: { 'private-token': token } })],
    ['as private_token in the address', (token: string) => ({ path: `/graphql?private_token=${token}` })],
    ['as access_token in the address', (token: string) => ({ path: `/graphql?access_token=${token}` })],
  ])('is taken %s', async (_how, present) => {
    expect(await post(query, present(gateway.tokens.guest))).toMatchObject({
      status: 200,
      body: { data: { currentUser: { username: 'guest' } } },
    });
  });

  test.each([
    ['that was never issued', async () => 'nonsense', 401, 'UNAUTHENTICATED', 'Invalid token'],
    ['that looks like one of ours', async () => `cwat_${'a'.repeat(43)}`, 401, 'UNAUTHENTICATED', 'Invalid token'],
    [
      'that expired',
      () => gateway.personalToken('guest', ['api'], { expired: true }),
      401,
      'INVALID_TOKEN',
      'Token is expired. You can either do re-authorization or token refresh.',
    ],
    [
      'that was revoked',
      () => gateway.accessToken('guest', ['api'], { revoked: true }),
      401,
      'INVALID_TOKEN',
      'Token was revoked. You have to re-authorize from the user.',
    ],
  ])('%s is refused even for public things', async (_which, token, status, code, message) => {
    const answer = await post(publicGroup, { headers: bearer(await token()) });
    expect(answer).toMatchObject({ status, body: { errors: [{ message, extensions: { code } }] } });
    expect(answer.body.data).toBeUndefined();
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+", error="invalid_token"/);
  });

  test('of a blocked person is forbidden', async () => {
    const token = await gateway.personalToken('guest', ['api']);
    await gateway.sql(`update users set state = 'BLOCKED' where username = 'guest'`);
    try {
      expect(await post(publicGroup, { headers: bearer(token) })).toMatchObject({
        status: 403,
        body: { errors: [{ message: 'Your account has been blocked.', extensions: { code: 'FORBIDDEN' } }] },
      });
    } finally {
      await gateway.sql(`update users set state = 'ACTIVE'`);
    }
  });

  test('twice at once is a bad request', async () => {
    const token = await gateway.accessToken('guest', ['api']);
    expect(await post(publicGroup, { path: `/graphql?access_token=${token}`, headers: bearer(token) })).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            message: 'Both Authorization header and payload includes access token.',
            extensions: { code: 'BAD_REQUEST' },
          },
        ],
      },
    });
  });

  test('that is a session is none, as a cookie or as anything else', async () => {
    const { signIn } = await gateway.operator<{ signIn: { session: string } }>(
      'mutation ($input: SignInInput!) { signIn(input: $input) { session } }',
      { input: { login: 'guest', password: inject('passwords').demo, userAgent: 'test' } },
    );
    const names = [
      'session',
      '_session',
      '__Host-session',
      '__Host-causeway',
      'causeway',
      'causeway_session',
      'access_token',
      'private_token',
    ];
    const cookie = names
      .flatMap((name) => [`${name}=${signIn.session}`, `${name}_token=${gateway.tokens.guest}`])
      .join('; ');
    expect(await post(query, { headers: { cookie } })).toMatchObject({ body: { data: { currentUser: null } } });
    for (const headers of [bearer(signIn.session), { 'private-token': signIn.session }]) {
      expect(await post(query, { headers })).toMatchObject({
        status: 401,
        body: { errors: [{ message: 'Invalid token' }] },
      });
    }
  });
});

describe('a document named by its hash', () => {
  const query = '{ metadata { version } }';
  const named = (text: string) => ({
    persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
  });

  test('is asked for once, and known from then on, by POST and by GET', async () => {
    const headers = bearer(gateway.tokens.guest);
    const unknown = {
      status: 200,
      body: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    };
    const answered = { status: 200, body: { data: { metadata: { version: '13.12.0' } } } };
    expect(await post({ extensions: named(query) }, { headers })).toMatchObject(unknown);
    expect(await post({ query, extensions: named(query) }, { headers })).toMatchObject(answered);
    expect(await post({ extensions: named(query) }, { headers })).toMatchObject(answered);
    const parameters = new URLSearchParams({ extensions: JSON.stringify(named(query)) });
    expect(await read(await fetch(`${gateway.url}/graphql?${parameters}`, { headers }))).toMatchObject(answered);
  });

  test('by another hash than its own is refused, and not learned', async () => {
    const headers = bearer(gateway.tokens.guest);
    expect(await post({ query, extensions: named('another') }, { headers })).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_MISMATCH' } }] },
    });
    expect(await post({ extensions: named('another') }, { headers })).toMatchObject({
      body: { errors: [{ message: 'PersistedQueryNotFound' }] },
    });
  });

  test('obeys the limits of every other, and is not learned when it exceeds one', async () => {
    const headers = bearer(gateway.tokens.guest);
    const wide = `{ ${Array.from({ length: 31 }, (_, at) => `a${at}: metadata { version }`).join(' ')} }`;
    expect(await post({ query: wide, extensions: named(wide) }, { headers })).toMatchObject({
      body: { errors: [{ message: expect.stringContaining('aliases') }] },
    });
    expect(await post({ extensions: named(wide) }, { headers })).toMatchObject({
      body: { errors: [{ message: 'PersistedQueryNotFound' }] },
    });
  });
});

describe('a text that PostgreSQL can’t store', () => {
  test.each([
    ['a NUL in a group’s path', 'query ($it: ID!) { group(id: $it) { id } }'],
    ['a NUL in a name', 'query ($it: String!) { user(username: $it) { id } }'],
    [
      'a NUL in what is stored',
      'mutation ($it: String!) { configureErrorTracking(input: { project: "demo/storefront", active: true, projectName: $it }) { errorTrackingSettings { active } } }',
    ],
  ])('%s is a bad request', async (_what, query) => {
    expect(
      refusal(await gateway.graphql(query, { token: gateway.tokens.maintainer, variables: { it: 'a\0b' } })),
    ).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a body that can’t be read', () => {
  test.each(['{', '', 'nonsense', '{"query": "{ __typename }"', '\u0000'])(
    'as %j is a bad request, in words of our own',
    async (body) => {
      for (const accept of ['*/*', 'application/json', 'application/graphql-response+json']) {
        const { status, body: answer } = await post(body, { headers: { accept } });
        expect([status, answer]).toEqual([
          400,
          { errors: [{ message: 'The body must be JSON.', extensions: { code: 'BAD_REQUEST' } }] },
        ]);
      }
    },
  );

  test.each(['multipart/form-data; boundary=x', 'text/plain', 'application/xml'])(
    'as %s is refused by its type',
    async (type) => {
      const { status, body } = await post(
        '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"{ __typename }"}\r\n--x--\r\n',
        { headers: { 'content-type': type } },
      );
      expect([status, body]).toEqual([
        415,
        {
          errors: [
            {
              message: expect.stringMatching(/^Send application\/json, or one of /),
              extensions: { code: 'BAD_REQUEST' },
            },
          ],
        },
      ]);
    },
  );

  test.each([
    ['application/graphql', '{ __typename }'],
    ['application/graphql+json', '{"query":"{ __typename }"}'],
    ['application/x-www-form-urlencoded', 'query=%7B__typename%7D'],
  ])('is none as %s', async (type, body) => {
    expect(await post(body, { headers: { 'content-type': type } })).toMatchObject({
      status: 200,
      body: { data: { __typename: 'Query' } },
    });
  });
});

describe('introspection that is switched off', () => {
  let closed: TestGateway;
  beforeAll(async () => {
    closed = await testGateway({ CAUSEWAY_INTROSPECTION: 'off' });
  });

  test.each([
    getIntrospectionQuery(),
    '{ __type(name: "User") { name } }',
    '{ ...S } fragment S on Query { __schema { queryType { name } } }',
  ])('refuses %s', async (query) => {
    const { data, errors } = await closed.graphql(query, { token: closed.tokens.root });
    expect(data).toBeNull();
    expect(errors?.[0]?.message).toMatch(/introspection has been disabled/);
  });

  test.each([
    ['a field', '{ currentUser { usernam } }', {}, "Field 'usernam' doesn't exist on type 'CurrentUser'"],
    ['a type', '{ currentUser { ... on Use { id } } }', {}, 'Unknown type "Use".'],
    ['an argument', '{ user(usernam: "guest") { id } }', {}, "Field 'user' doesn't accept argument 'usernam'"],
    [
      'an enum’s value',
      'mutation { updateNotificationSettings(input: { level: WATC }) { notificationSettings { level } } }',
      {},
      'Value "WATC" does not exist in "NotificationLevel" enum.',
    ],
    [
      'a variable’s value',
      'mutation ($level: NotificationLevel) { updateNotificationSettings(input: { level: $level }) { notificationSettings { level } } }',
      { level: 'WATC' },
      'Variable "$level" got invalid value "WATC"; Value "WATC" does not exist in "NotificationLevel" enum.',
    ],
    [
      'a field of an input',
      'mutation ($input: UpdateNotificationSettingsInput!) { updateNotificationSettings(input: $input) { notificationSettings { level } } }',
      { input: { leve: 'WATCH' } },
      'Variable "$input" got invalid value { leve: "WATCH" }; Field "leve" is not defined by type "UpdateNotificationSettingsInput".',
    ],
  ])('suggests no name of %s', async (_what, query, variables, message) => {
    for (const accept of ['*/*', 'application/json; charset=utf-8']) {
      const ask = async ({ graphql, tokens }: TestGateway) =>
        (await graphql(query, { variables, token: tokens.root, headers: { accept } })).errors;
      expect((await ask(gateway))?.[0]?.message).toContain(' Did you mean ');
      const errors = await ask(closed);
      expect(errors?.map((error) => error.message)).toContain(message);
      expect(JSON.stringify(errors)).not.toContain('Did you mean');
    }
  });

  test('has no page with the schema, and no link to one', async () => {
    for (const [{ url }, shown] of [
      [gateway, true],
      [closed, false],
    ] as const) {
      expect((await fetch(`${url}/docs/schema.graphql`)).status).toBe(shown ? 200 : 404);
      for (const path of ['/', '/docs', '/graphql']) {
        const page = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
        if (!shown || path !== '/docs') expect([path, page.includes('/docs/schema.graphql')]).toEqual([path, shown]);
      }
    }
  });

  test('leaves everything else as it is', async () => {
    expect(
      dataOf(await closed.graphql('{ __typename currentUser { __typename username } }', { token: closed.tokens.root })),
    ).toEqual({
      __typename: 'Query',
      currentUser: { __typename: 'CurrentUser', username: 'root' },
    });
  });
});

describe('a defect', () => {
  /** The same gateway behind another door, which hands its log over. */
  const logged: { fields: Record<string, unknown>; message: string }[] = [];
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const note = (fields: object, message: string) =>
      void logged.push({ fields: fields as Record<string, unknown>, message });
    const log = { debug: note, info: note, warn: note, error: note };
    const door = graphqlDoor({
      application: gateway.gateway.application,
      schema: publicSchema,
      introspection: true,
      useFastLane: true,
      requestLimits: noLimits,
      page: { status: 200, headers: {}, body: null },
      log,
    });
    const server = await listenBefore(door, { log });
    url = server.url;
    close = () => server.drain(0);
  });
  afterAll(() => close());

  test.each([
    ['in a statement written by hand', '{ group(id: "demo") { id } }', 'group'],
    ['in one of Prisma’s', '{ user(username: "guest") { id } }', 'user'],
  ])('%s shows nothing of itself to the client, and all of it to the operator', async (_where, query, field) => {
    logged.length = 0;
    await gateway.sql('alter table routes rename to routes_elsewhere');
    try {
      const { status, text, body } = await post({ query }, { url, headers: bearer(gateway.tokens.guest) });
      expect(status).toBe(200);
      expect(body).toEqual({
        data: { [field]: null },
        errors: [{ message: 'Internal server error', path: [field], extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
      });
      expect(text).not.toMatch(/routes|select|prisma|\.[jt]s\b|node_modules/i);
    } finally {
      await gateway.sql('alter table routes_elsewhere rename to routes');
    }
    expect(logged).toHaveLength(1);
    expect(logged[0]!.fields).toMatchObject({ path: '/graphql', requestId: expect.any(String) });
    expect(logged[0]!.fields.error).toMatch(/routes/);
    expect(logged[0]!.fields.stack).toMatch(/\.[jt]s:\d+/);
  });

  test('in one operation of a batch leaves the others their answers', async () => {
    await gateway.sql('alter table routes rename to routes_elsewhere');
    try {
      const { body } = await post([{ query: '{ __typename }' }, { query: '{ group(id: "demo") { id } }' }], { url });
      expect(body).toMatchObject([
        { data: { __typename: 'Query' } },
        { errors: [{ message: 'Internal server error' }] },
      ]);
    } finally {
      await gateway.sql('alter table routes_elsewhere rename to routes');
    }
  });

  test('isn’t what a client did wrong: that is never logged', async () => {
    logged.length = 0;
    for (const query of [
      '{',
      '{ nonsense }',
      'query ($id: ID!) { group(id: $id) { id } }',
      '{ currentUser { id } }',
      '{ notificationSettings { level } }',
    ]) {
      await post({ query }, { url });
    }
    await post('{', { url });
    await post({ query: '{ __typename }' }, { url, headers: bearer('nonsense') });
    expect(logged).toEqual([]);
  });
});

describe('what the database can’t hold', () => {
  test.each([
    '{ auditEvents(since: "0000-01-01T00:00:00Z") { nodes { id } } }',
    '{ users(filter: { createdAfter: "-271821-04-20T00:00:00Z" }) { total } }',
    'mutation { deleteGroup(input: { group: "demo", unmodifiedSince: "-271821-04-20T00:00:00Z" }) { group { id } } }',
    'mutation { addMembers(input: { project: "demo/storefront", userIds: ["1"], accessLevel: GUEST, expiresAt: "0000-01-01" }) { members { id } } }',
    `{ auditEvents(kinds: [${Array.from({ length: 101 }, () => '"a"').join(' ')}]) { nodes { id } } }`,
  ])('is refused in words: %s', async (source) => {
    const { errors = [] } = await gateway.graphql(source, { token: gateway.tokens.root });
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/(in|of) ISO 8601|no more than 100 kinds/),
    ]);
  });
});
