import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { graphqlDoor, limits } from '../../src/graphql/index.ts';
import { noLimits } from '../../src/limits/index.ts';
import { publicSchema } from '../../src/schema/public.ts';
import { examples } from '../../src/web/documentation/examples.ts';
import { dataOf, refusal } from '../support/answers.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { listenBefore } from '../support/listen.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await testGateway();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // A test looks into whatever comes back.
  readonly body: any;
}

/** Sends a body as it is, or anything else as JSON. */
async function post(
  body: unknown,
  {
    headers = {},
    path = '/graphql',
    url = gateway.url,
  }: { headers?: Record<string, string>; path?: string; url?: string } = {},
): Promise<Answer> {
  return await read(
    await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
    }),
  );
}

async function get(query: string, headers: Record<string, string> = {}, path = '/graphql'): Promise<Answer> {
  return await read(await fetch(`${gateway.url}${path}?${new URLSearchParams({ query })}`, { headers }));
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

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
      { errors: [expect.objectContaining({ message: 'Cannot query field "unheardOf" on type "Query".' })] },
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

describe('limits', () => {
  const fill = (length: number, document = '{ __typename }') => document + ' '.repeat(length - document.length);
  const aliases = (count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ')} }`;
  /** As many levels, of which `inFragments` come through as many fragments. */
  const levels = (depth: number, inFragments = 0) => {
    const fields = ['__schema', 'types', ...Array.from<string>({ length: depth - 3 }).fill('ofType'), 'name'];
    const plain = fields.slice(0, depth - inFragments);
    const spread = inFragments > 0 ? [...plain, '...F0'] : plain;
    const fragments = fields.slice(depth - inFragments).map((field, index, all) => {
      const next = index + 1 < all.length ? `{ ...F${index + 1} }` : '';
      return `fragment F${index} on __Type { ${field} ${next} }`;
    });
    return [spread.reduceRight((inner, field) => `{ ${field} ${inner} }`, ''), ...fragments].join(' ');
  };
  /**
   * A document of a complexity. A list costs 101 with its field `nodes`, each field of its entries 1 for each entry.
   * @param first the length of its longest list, in another list
   */
  const costing = (complexity: number, first: string = '100') => {
    const fields =
      'id databaseId name path fullPath fullName description visibility createdAt updatedAt webUrl parentId'.split(' ');
    const parts = [
      `projects(first: 100) { nodes { projectMembers(first: ${first}) { nodes { id createdAt expiresAt user { id username name state } } } } }`,
    ];
    let left = complexity - (101 + 100 * (101 + 100 * 8));
    const addList = (length: number, count: number) => {
      parts.push(`a${parts.length}: groups(first: ${length}) { nodes { ${fields.slice(0, count).join(' ')} } }`);
      left -= 101 + length * count;
    };
    while (left >= 1_404) addList(100, 10);
    addList(100, Math.floor((left - 203) / 100));
    addList(left - 101, 1);
    return `{ ${parts.join(' ')} }`;
  };
  const signedIn = () => bearer(gateway.tokens.guest);

  test('are the documented ones', async () => {
    const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    const documented = (what: string) => Number(new RegExp(`^\\| ${what}[^|]*\\| (\\d+) \\|`, 'm').exec(page)?.[1]);
    expect(limits).toEqual({
      characters: documented('characters'),
      nesting: documented('brackets'),
      tokens: documented('tokens'),
      selections: documented('selections'),
      comparisons: documented('pairs'),
      depth: documented('levels'),
      aliases: documented('fields under another name'),
      batch: documented('operations in a batch'),
      complexity: documented('complexity'),
    });
  });

  test.each([
    ['a document of 10,000 characters', () => ({ query: fill(10_000) })],
    ['a batch of 10,000 characters in all', () => [{ query: fill(4_000) }, { query: fill(6_000) }]],
    ['ten operations in a batch', () => Array.from({ length: 10 }, () => ({ query: '{ __typename }' }))],
    [
      'a hundred brackets within each other',
      () => ({ query: `${'{ ... '.repeat(99)}{ __typename }${'}'.repeat(99)}` }),
    ],
    ['twenty levels', () => ({ query: levels(20) })],
    ['twenty levels, ten of them in fragments', () => ({ query: levels(20, 10) })],
    ['thirty aliases', () => ({ query: aliases(30) })],
    ['an alias that is the field’s own name', () => ({ query: `{ ${'__typename: __typename '.repeat(31)} }` })],
    ['a complexity of 100,000', () => ({ query: costing(100_000) })],
    [
      'a small page, by its variable',
      () => ({ query: `query ($n: Int) ${costing(100_001, '$n')}`, variables: { n: 1 } }),
    ],
    [
      'an operation beside one that is too complex',
      () => ({ query: `query A { __typename } query B ${costing(100_001)}`, operationName: 'A' }),
    ],
  ])('%s passes', async (_what, body) => {
    const { status, body: answer } = await post(body(), { headers: signedIn() });
    expect(status).toBe(200);
    for (const one of [answer].flat()) expect(one).toEqual({ data: expect.any(Object) });
  });

  test.each([
    ['a document of 10,001 characters', () => ({ query: fill(10_001) }), 422, 'Query too large'],
    [
      'a batch of 10,001 characters in all',
      () => [{ query: fill(4_000) }, { query: fill(6_001) }],
      422,
      'Query too large',
    ],
    [
      'eleven operations in a batch',
      () => Array.from({ length: 11 }, () => ({ query: '{ __typename }' })),
      413,
      'Batching is limited to 10 operations per request.',
    ],
    [
      'a hundred and one brackets within each other',
      () => ({ query: `{ group(id: ${'['.repeat(99)}1${']'.repeat(99)}) { id } }` }),
      422,
      'Query has brackets nested more than 100 deep',
    ],
    ['twenty-one levels', () => ({ query: levels(21) }), 200, 'Query has depth of 21, which exceeds max depth of 20'],
    [
      'twenty-one levels, ten of them in fragments',
      () => ({ query: levels(21, 10) }),
      200,
      'Query has depth of 21, which exceeds max depth of 20',
    ],
    ['thirty-one aliases', () => ({ query: aliases(31) }), 200, 'Query has 31 aliases, which exceeds the max of 30'],
    [
      'a complexity of 100,001',
      () => ({ query: costing(100_001) }),
      200,
      'Query has complexity of 100001, which exceeds max complexity of 100000',
    ],
    [
      'a large page, by its variable',
      () => ({ query: `query ($n: Int) ${costing(100_001, '$n')}`, variables: { n: 1000 } }),
      200,
      'Query has complexity of 100001, which exceeds max complexity of 100000',
    ],
  ])('%s is refused', async (_what, body, status, message) => {
    const answer = await post(body(), { headers: signedIn() });
    expect(answer.status).toBe(status);
    const refused = [answer.body].flat().flatMap((one: { errors?: { message: string }[] }) => one.errors ?? []);
    expect(refused.map((error) => error.message)).toContain(message);
  });

  test('that are exceeded by one operation of a batch refuse it as a whole, before anything is done', async () => {
    const query =
      'mutation { updateNotificationSettings(input: { group: "demo", level: DISABLED }) { notificationSettings { level } } }';
    const { status, body } = await post([{ query }, { query: fill(10_000) }], { headers: signedIn() });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: [{ message: 'Query too large', extensions: { code: 'QUERY_TOO_LARGE' } }] });
    expect(
      dataOf(
        await gateway.graphql('{ notificationSettings(group: "demo") { level } }', { token: gateway.tokens.guest }),
      ),
    ).toEqual({ notificationSettings: { level: 'GLOBAL' } });
  });

  test.each(['[null]', '[{}]', '[1, "text", []]', '[{"query": null, "extensions": {"persistedQuery": null}}]'])(
    'a batch of %s is refused, and no defect',
    async (body) => {
      const { status, text } = await post(body, { headers: signedIn() });
      expect(status).toBeLessThan(500);
      expect(text).toContain('"errors"');
      expect(text).not.toContain('INTERNAL_SERVER_ERROR');
    },
  );

  test('the characters of a batch are counted even if another document in it isn’t a text', async () => {
    const { text } = await post([{ query: { length: {} } }, { query: fill(10_001) }]);
    expect(text).toContain('Query too large');
  });

  test('a body of more than 1 MiB is refused', async () => {
    const body = (bytes: number) =>
      JSON.stringify({ query: '{ __typename }', extensions: { padding: '' } }).replace(
        '""',
        `"${'x'.repeat(bytes - 54)}"`,
      );
    expect(body(1_048_576)).toHaveLength(1_048_576);
    expect(await post(body(1_048_576))).toMatchObject({ status: 200 });
    expect(await post(body(1_048_577))).toMatchObject({
      status: 413,
      body: { errors: [{ message: 'Request Entity Too Large' }] },
    });
  });

  test.each([
    ['GraphiQL', { schemaDescription: true, inputValueDeprecation: true }],
    [
      'graphql-codegen',
      { schemaDescription: true, specifiedByUrl: true, directiveIsRepeatable: true, inputValueDeprecation: true },
    ],
    ['Apollo', { schemaDescription: true, specifiedByUrl: true, directiveIsRepeatable: true, oneOf: true }],
    ['clients of the oldest servers', { descriptions: false, typeDepth: 7 }],
    [
      'everything that can be asked for',
      {
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      },
    ],
  ])('let the introspection of %s pass, for nobody too', async (_client, options) => {
    for (const headers of [{}, signedIn()]) {
      const { body } = await post(
        { query: getIntrospectionQuery(options), operationName: 'IntrospectionQuery' },
        { headers },
      );
      expect(body.errors).toBeUndefined();
      const { types } = (body.data as IntrospectionQuery).__schema;
      expect(types.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['User', 'NotificationSettings', 'ErrorTrackingSettings', 'TokenInfo']),
      );
    }
  });

  const answered = examples.filter(({ query }) => !query.startsWith('subscription'));
  test.each(answered.map((example) => [example.name, example.query] as const))(
    'let the example “%s” pass, and it works',
    async (_name, query) => {
      // tokenInfo is of OAuth tokens.
      const { status, body } = await post(
        { query },
        { headers: bearer(await gateway.accessToken('maintainer', ['api'])) },
      );
      expect(status).toBe(200);
      expect(body).toEqual({ data: expect.any(Object) });
      for (const value of Object.values(body.data)) expect(value).not.toBeNull();
    },
  );
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

describe('a hostile document', () => {
  const repeat = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => part(index)).join(' ');
  const renamed = (field: string, inner: string) => repeat(10, (index) => `a${index}: ${field} ${inner}`);

  // Each would cost minutes or gigabytes if it were followed; the test's own time is the limit.
  test.each([
    [
      'fragments in a circle',
      '{ currentUser { ...A } } fragment A on User { name ...B } fragment B on User { id ...A }',
    ],
    [
      'the schema’s fields, renamed ten times on each of three levels',
      `{ __schema { types { ...T } } } fragment T on __Type { ${renamed('fields', '{ ...F }')} } fragment F on __Field { ${renamed('type', '{ ...U }')} } fragment U on __Type { ${renamed('fields', '{ name }')} }`,
    ],
    [
      'the schema, thirty times',
      `{ ${repeat(30, (n) => `a${n}: __schema { ...S }`)} } fragment S on __Schema { types { name description fields { name description args { name description } } } }`,
    ],
    [
      'the schema, from type to type',
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
    ],
    ['one field, hundreds of times', `{ ${'__typename '.repeat(900)} }`],
    ['fields that aren’t there, thousands of them', `{ ${'a '.repeat(4_990)} }`],
    ['braces, thousands deep', `${'{a'.repeat(3_300)}${'}'.repeat(3_300)}`],
    ['lists, thousands deep', `{ group(id: ${'['.repeat(4_900)}${']'.repeat(4_900)}) { id } }`],
    ['types, thousands deep', `query ($a: ${'['.repeat(4_900)}ID${']'.repeat(4_900)}) { __typename }`],
    [
      'thirty pages of a hundred with all of their switches',
      `{ currentUser { ${repeat(30, (n) => `a${n}: notificationSettings(first: 100) { nodes { level events { event enabled isSet } } }`)} } }`,
    ],
    ['hundreds of directives', `{ __typename ${'@include(if: true) '.repeat(500)} }`],
    ['hundreds of operations', repeat(500, (n) => `query Q${n} { a }`)],
  ])('with %s is refused', async (_what, query) => {
    expect(query.length).toBeLessThanOrEqual(limits.characters);
    const { status, text, body } = await post({ query }, { headers: bearer(gateway.tokens.maintainer) });
    expect(status).toBeLessThan(500);
    expect(text.length).toBeLessThan(100_000);
    expect(body.errors?.length).toBeGreaterThan(0);
    expect(body.errors.map((error: { extensions?: { code?: string } }) => error.extensions?.code)).not.toContain(
      'INTERNAL_SERVER_ERROR',
    );
    // And the gateway still answers.
    expect(await post({ query: '{ __typename }' })).toMatchObject({ status: 200 });
  });

  // Followed as often as they are spread, these would be a billion fields. GraphQL merges them into one.
  test.each([
    [
      'fragments that spread fragments twice, thirty times',
      `{ __schema { ...F0 } } ${repeat(30, (n) => `fragment F${n} on __Schema { ...F${n + 1} ...F${n + 1} }`)} fragment F30 on __Schema { queryType { name } }`,
      { __schema: { queryType: { name: 'Query' } } },
    ],
    [
      'fragments of fields that do the same',
      `{ currentUser { ...F0 } } ${repeat(30, (n) => `fragment F${n} on User { ...F${n + 1} ... on User { ...F${n + 1} } }`)} fragment F30 on User { name }`,
      { currentUser: { name: 'Mary Maintainer' } },
    ],
  ])('with %s is answered once', async (_what, query, data) => {
    for (let time = 0; time < 3; time++)
      expect((await post({ query }, { headers: bearer(gateway.tokens.maintainer) })).body).toEqual({ data });
  });

  test('asking for the schema as often as a batch allows gets an answer of bounded size', async () => {
    const query =
      '{ __schema { types { name fields { name args { name type { ...R } } type { ...R } } } } } fragment R on __Type { name ofType { name ofType { name ofType { name } } } }';
    const { status, body } = await post(Array.from({ length: limits.batch }, () => ({ query })));
    expect(status).toBe(200);
    expect(new Set((body as unknown[]).map((one) => JSON.stringify(one))).size).toBe(1);
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
    ['a field', '{ currentUser { usernam } }', {}, 'Cannot query field "usernam" on type "CurrentUser".'],
    ['a type', '{ currentUser { ... on Use { id } } }', {}, 'Unknown type "Use".'],
    ['an argument', '{ user(usernam: "guest") { id } }', {}, 'Unknown argument "usernam" on field "Query.user".'],
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
      expect(text).not.toMatch(/routes|select|prisma|\.ts|node_modules/i);
    } finally {
      await gateway.sql('alter table routes_elsewhere rename to routes');
    }
    expect(logged).toHaveLength(1);
    expect(logged[0]!.fields).toMatchObject({ path: '/graphql', requestId: expect.any(String) });
    expect(logged[0]!.fields.error).toMatch(/routes/);
    expect(logged[0]!.fields.stack).toMatch(/\.ts:\d+/);
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
