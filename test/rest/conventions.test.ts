import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { toResponse } from '../../src/http/index.ts';
import { createLog, type AccessLine } from '../../src/observability/index.ts';
import { routes } from '../../src/rest/routes.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { newUser } from '../support/places/people.ts';
import { newCode } from '../repository/support/code.ts';
import { listenBefore } from '../support/requests/listen.ts';
import { rawClient, type RawRequest } from '../support/requests/raw-client.ts';
import type { RestRequest } from '../support/requests/rest-client.ts';

const settings = '/api/v4/notification_settings';
const projectSettings = '/api/v4/projects/demo%2Fstorefront/notification_settings';
const errorTracking = '/api/v4/projects/demo%2Fstorefront/error_tracking/settings';

let gateway: TestGateway;
let token: string;
let raw: ReturnType<typeof rawClient>;
beforeAll(async () => {
  gateway = await testGateway();
  token = gateway.tokens.maintainer;
  raw = rawClient(gateway.url);
});

const get = (path: string, request: RestRequest = {}) => gateway.rest('GET', path, { token, ...request });
const put = (request: RestRequest, path = settings) => gateway.rest('PUT', path, { token, ...request });
const json = (body: BodyInit): RestRequest => ({ raw: body, headers: { 'content-type': 'application/json' } });

/** A fixed segment may match another route's parameter: `members/all` matches `members/:user_id`. */
const matches = (route: string, path: string) =>
  new RegExp(`^${route.replace(/:\w+\*/g, '.+').replace(/:\w+/g, '[^/]+')}$`).test(path);

/** All paths of the API, with the methods of each route that they match. */
const paths = [...new Set(routes.map(({ path }) => path))]
  .filter((path) => /^\/api\/|\/token\/info$/.test(path))
  .map((path) => ({
    path: path.replace(':id', 'demo%2Fstorefront'),
    methods: [...new Set(routes.filter((route) => matches(route.path, path)).map(({ method }): string => method))],
  }));
const allowOf = (methods: string[]) =>
  ['OPTIONS', ...(methods.includes('GET') ? ['GET', 'HEAD'] : [])]
    .concat(['POST', 'PATCH', 'PUT', 'DELETE'].filter((method) => methods.includes(method)))
    .join(', ');

describe('a path that isn’t there', () => {
  test.each([
    '/api',
    '/api/',
    '/api/v4',
    '/api/v4/',
    '/api/v4/nothing',
    '/api/v4/User',
    '/api/v4/user/more',
    '/api/v4//user',
    '/api/v5/user',
    '/api/v4/notification_setting',
    '/api/v4/project',
    '/api/v4/%75ser%2Fx',
  ])('%s is not found, with or without a credential, by any method', async (path) => {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS']) {
      for (const headers of [{}, { 'private-token': token }, { 'private-token': 'garbage' }] as Record<
        string,
        string
      >[]) {
        const { status, body, headers: answered } = await gateway.rest(method, path, { headers });
        expect([status, body, answered.get('allow')]).toEqual([404, { error: '404 Not Found' }, null]);
      }
    }
  });

  test('a trailing slash on a known path is accepted', async () => {
    for (const path of [`${settings}/`, `${projectSettings}/`, '/api/v4/user/', '/api/v4/version/'])
      expect((await get(path)).status).toBe(200);
  });
});

describe('a path that ends in .json', () => {
  test('is the path without it after a literal last segment or a number', async () => {
    const project = (await get('/api/v4/projects/demo%2Fstorefront')).body as { id: number };
    const issue = await gateway.rest('POST', `/api/v4/projects/${project.id}/issues.json`, {
      token,
      json: { title: 'Leaks' },
    });
    expect(issue.status).toBe(201);
    for (const path of [
      '/projects',
      '/user',
      '/version',
      `/projects/${project.id}`,
      `/projects/${project.id}/issues`,
      `/projects/${project.id}/issues/${issue.body.iid}`,
      '/projects/demo%2Fstorefront/members/all',
      '/snippets/all',
      '/groups/demo',
      '/projects/demo%2Fstorefront',
    ]) {
      const [bare, suffixed] = [await get(`/api/v4${path}`), await get(`/api/v4${path}.json`)];
      // A path is a name: no group is called demo.json.
      expect([path, suffixed.status]).toEqual([path, path.includes('demo') && !path.includes('all') ? 404 : 200]);
      if (suffixed.status === 200) expect(suffixed.body).toEqual(bare.body);
    }
    const head = await gateway.rest('HEAD', '/api/v4/projects.json', { token });
    expect([head.status, head.headers.get('x-total')]).toEqual([
      200,
      (await get('/api/v4/projects')).headers.get('x-total'),
    ]);
    const changed = await put({ form: { description: 'x' } }, `/api/v4/projects/${project.id}.json`);
    expect([changed.status, changed.body.description]).toEqual([200, 'x']);
    for (const method of ['PATCH', 'OPTIONS']) {
      const { status, headers } = await gateway.rest(method, '/api/v4/projects.json', { token });
      expect([status, headers.get('allow')]).toEqual([method === 'PATCH' ? 405 : 204, 'OPTIONS, GET, HEAD, POST']);
    }
  });

  test('leads to its next page with the same ending', async () => {
    const { headers } = await get('/api/v4/projects.json?per_page=1');
    expect(headers.get('link')).toContain('/api/v4/projects.json?');
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)![1]!;
    expect((await get(next.slice(gateway.url.length))).status).toBe(200);
  });

  test('keeps it as a part of names, branches, paths and files', async () => {
    const { path: project, commit, branch } = await newCode(gateway);
    await commit({ 'package.json': '{}', 'deep/7.json': '[]' });
    await branch('release.json');
    await branch('7.json');
    for (const name of ['bug.json', '7.json'])
      await gateway.rest('POST', `${project}/labels`, { token, json: { name, color: 'red' } });
    const named = async (path: string, member: string) => (await get(`${project}${path}`)).body[member] as unknown;
    expect(await named('/repository/branches/release.json', 'name')).toBe('release.json');
    expect(await named('/repository/branches/7.json', 'name')).toBe('7.json');
    expect(await named('/repository/files/package.json?ref=main', 'file_path')).toBe('package.json');
    expect(await named('/repository/files/deep%2F7.json?ref=main', 'file_path')).toBe('deep/7.json');
    expect((await get(`${project}/repository/files/package.json/raw?ref=main`)).text).toBe('{}');
    expect(await named('/labels/bug.json', 'name')).toBe('bug.json');
    expect(await named('/labels/7.json', 'name')).toBe('7.json');
    const made = await gateway.rest('POST', '/api/v4/groups', { token, json: { name: 'Seven', path: '7.json' } });
    expect(made.status).toBe(201);
    // An encoded dot says that it isn't an ending.
    expect((await get('/api/v4/groups/7%2Ejson')).body.path).toBe('7.json');
    for (const path of ['.json', '/.json', '/projects/.json', '/nothing.json', '/projects.json.json', '/projects.xml'])
      expect([path, (await get(`/api/v4${path}`)).status]).toEqual([path, 404]);
  });
});

describe('a wrong method', () => {
  const every = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH'];
  const cases = paths.flatMap(({ path, methods }) =>
    every.filter((method) => !methods.includes(method)).map((method) => ({ path, method, allow: allowOf(methods) })),
  );
  test.each(cases)(
    '$method $path answers 405 with the allowed methods, also without a credential',
    async ({ path, method, allow }) => {
      const { status, text, headers } = await raw({ method, path });
      // There is a hint if version 3 had the method.
      expect([status, JSON.parse(text), headers.allow]).toEqual([
        405,
        expect.objectContaining({ error: '405 Not Allowed' }),
        allow,
      ]);
    },
  );
});

describe('HEAD', () => {
  const sameHeaders = ['etag', 'content-type', 'content-length', 'cache-control', 'vary', 'www-authenticate'];
  test.each([
    ['a record', settings],
    ['something that is missing', '/api/v4/projects/no%2Fproject/notification_settings'],
    ['a path that isn’t there', '/api/v4/nothing'],
    ['version 3', '/api/v3/projects'],
  ])('of %s has the status and headers of GET, and no body', async (_name, path) => {
    const [head, whole] = [await gateway.rest('HEAD', path, { token }), await get(path)];
    expect([head.status, head.text]).toEqual([whole.status, '']);
    for (const name of sameHeaders) expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(whole.text));
  });
});

describe('OPTIONS', () => {
  test.each(paths)('of $path lists the methods, also without a credential', async ({ path, methods }) => {
    for (const headers of [{}, { 'private-token': 'garbage' }, { accept: 'text/html' }] as Record<string, string>[]) {
      const { status, text, headers: answered } = await gateway.rest('OPTIONS', path, { headers });
      expect([status, text, answered.get('allow')]).toEqual([204, '', allowOf(methods)]);
    }
  });

  test.each(paths)('answers the CORS preflight of any origin for $path', async ({ path, methods }) => {
    const asked = 'private-token, authorization, content-type, x-anything';
    const { status, text, headers } = await raw({
      method: 'OPTIONS',
      path,
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': asked,
      },
    });
    expect([status, text]).toEqual([200, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': allowOf(methods),
      'access-control-allow-headers': asked,
      vary: 'Origin, Access-Control-Request-Headers',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });
});

/** One request for each error status. */
const refusals: Record<number, [method: string, path: string, request: RestRequest]> = {
  400: ['PUT', settings, { query: { new_note: 'maybe' } }],
  401: ['GET', settings, { headers: { 'private-token': 'garbage' } }],
  403: ['GET', errorTracking, { query: {} }],
  404: ['GET', '/api/v4/projects/no%2Fproject/notification_settings', {}],
  405: ['DELETE', settings, {}],
  406: ['GET', settings, { headers: { accept: 'text/html' } }],
  410: ['GET', '/api/v3/user', {}],
  413: ['PUT', settings, json('x'.repeat(1_048_577))],
  415: ['PUT', settings, { raw: '<level/>', headers: { 'content-type': 'text/xml' } }],
};
const refused = Object.keys(refusals).map(Number);
const refuse = (status: number, headers: Record<string, string> = {}) => {
  const [method, path, request] = refusals[status]!;
  return gateway.rest(method, path, {
    ...request,
    headers: { 'private-token': gateway.tokens.guest, ...request.headers, ...headers },
  });
};

describe('the headers of every answer', () => {
  const common = {
    'content-type': 'application/json',
    'cache-control': 'max-age=0, private, must-revalidate',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    nel: '{"max_age": 0}',
    vary: 'Origin',
  };
  const check = (headers: Headers) => {
    for (const [name, value] of Object.entries(common)) expect([name, headers.get(name)]).toEqual([name, value]);
    expect(headers.get('x-runtime')).toMatch(/^\d+\.\d{6}$/);
    const id = headers.get('x-request-id');
    expect(id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(headers.get('x-gitlab-meta')).toBe(`{"correlation_id":"${id}","version":"1"}`);
    // Don't reveal the server's software.
    for (const name of ['server', 'x-powered-by']) expect([name, headers.get(name)]).toEqual([name, null]);
  };

  test('are there on success', async () => {
    for (const path of [settings, projectSettings, '/api/v4/user', '/api/v4/version']) check((await get(path)).headers);
  });

  test.each(refused)('are there on a %d', async (status) => {
    const answer = await refuse(status);
    expect(answer.status).toBe(status);
    check(answer.headers);
    // Only records have an ETag.
    expect(answer.headers.get('etag')).toBeNull();
  });

  test('have a unique id for each request', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await get(settings)).headers.get('x-request-id')));
    expect(new Set(ids).size).toBe(3);
  });

  test('let pages of other origins read the answer, on success and on every error (CORS)', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    for (const answer of [
      await get(settings, { headers }),
      ...(await Promise.all(refused.map((status) => refuse(status, headers)))),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      const exposed = answer.headers.get('access-control-expose-headers')!.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining(['Link', 'X-Total', 'X-Page', 'X-Next-Page', 'X-Request-Id', 'ETag', 'X-Gitlab-Size']),
      );
    }
  });

  test('have no CORS headers without an Origin', async () => {
    const names = [...(await get(settings)).headers.keys()].filter((name) => name.startsWith('access-control-'));
    expect(names).toEqual([]);
  });
});

describe('the Accept header', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    '*/*',
    'application/*',
    'text/html, */*',
    'text/html, application/json;q=0.1',
    'application/json; charset=utf-8',
    'text/html;q=0.9,application/json;q=0.001',
    ' application/json ',
    '',
  ])('“%s” is accepted', async (accept) => {
    expect((await raw({ path: settings, headers: { accept, 'private-token': token } })).status).toBe(200);
  });

  const refusedFormats = [
    'text/html',
    'application/xml',
    'application/jsonx',
    'text/*',
    'application/json;q=0',
    '*/*;q=0.0',
    'json',
    '<script>',
  ];
  test.each(refusedFormats)('“%s” is refused', async (accept) => {
    for (const path of [settings, '/api/v4/version', projectSettings]) {
      const { status, text } = await raw({ path, headers: { accept } });
      expect([status, JSON.parse(text)]).toEqual([
        406,
        { error: `The requested format '${accept}' is not supported.` },
      ]);
    }
  });
});

describe('the media type of a body', () => {
  test.each([
    'text/plain',
    'text/xml',
    'application/xml',
    'application/jsonx',
    'application/vnd.api+json',
    'application/octet-stream',
    'nonsense',
  ])('%s isn’t supported', async (type) => {
    const { status, body } = await put({ raw: 'level=watch', headers: { 'content-type': `${type}; charset=utf-8` } });
    expect([status, body]).toEqual([415, { error: `The provided content-type '${type}' is not supported.` }]);
  });

  test.each(['application/json', 'APPLICATION/JSON', 'application/json;charset=UTF-8', ' application/json ; x=y'])(
    '“%s” is supported',
    async (type) => {
      expect((await put({ raw: '{"level":"watch"}', headers: { 'content-type': type } })).body.level).toBe('watch');
    },
  );

  test('a body without a type is read as a form', async () => {
    const { status, text } = await raw({
      method: 'PUT',
      path: settings,
      headers: { 'private-token': token },
      body: 'level=mention',
    });
    expect([status, JSON.parse(text).level]).toEqual([200, 'mention']);
  });

  test('the type is ignored without a body', async () => {
    const { status } = await get(settings, { headers: { 'content-type': 'text/xml' } });
    expect(status).toBe(200);
  });

  test('a body is read with GET too', async () => {
    const { status } = await raw({
      path: settings,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ private_token: token }),
    });
    expect(status).toBe(200);
  });
});

describe('a body that can’t be read', () => {
  const bad: [string, RestRequest][] = [
    ['JSON that stops halfway', json('{"level":"watch"')],
    ['JSON with a comma too many', json('{"level":"watch",}')],
    ['a form sent as JSON', json('level=watch')],
    ['JSON of spaces only', json(' ')],
    ['a NUL in the query string', { query: { level: 'watch\0' } }],
    ['a NUL in a form', { form: { level: 'watch\0' } }],
    ['a NUL in a multipart form', { multipart: { level: 'watch\0' } }],
    ['a NUL in JSON', json('{"level":"watch\\u0000"}')],
    ['a NUL deep in JSON', json('{"x":[{"y":"\\u0000"}]}')],
    [
      'escaped bytes in a form that aren’t UTF-8',
      { raw: 'level=%ff', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'raw bytes in a form that aren’t UTF-8',
      { raw: Buffer.from([0x6c, 0x3d, 0xff]), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['raw bytes in JSON that aren’t UTF-8', json(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
    [
      'a form with half an escape',
      { raw: 'level=%f', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['a multipart form without a boundary', { raw: 'level=watch', headers: { 'content-type': 'multipart/form-data' } }],
    [
      'a multipart form that stops halfway',
      { raw: '--x\r\ncontent-dis', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    ],
    ['JSON nested too deeply', json(`{"x":${'['.repeat(33)}1${']'.repeat(33)}}`)],
    ['JSON nested 500,000 levels deep', json('['.repeat(500_000))],
    ['JSON with too many values', json(`{"x":[${'1,'.repeat(100_001)}1]}`)],
    ['a form nested too deeply', { form: { [`x${'[y]'.repeat(40)}`]: '1' } }],
    [
      'a form with too many fields',
      { form: Array.from({ length: 1_001 }, (_, index): [string, string] => [`x${index}`, '']) },
    ],
  ];
  test.each(bad)('%s is refused, and nothing changes', async (_name, request) => {
    await put({ query: { level: 'disabled' } });
    const { status, headers } = await put(request);
    expect([status, headers.get('content-type')]).toEqual([400, 'application/json']);
    expect((await get(settings)).body.level).toBe('disabled');
  });

  test('a query string with bytes that aren’t UTF-8 is refused', async () => {
    for (const query of ['level=%ff', '%ff', 'level=%c3%28', 'x=%', 'level=%00'])
      expect((await raw({ path: `${settings}?${query}` })).status).toBe(400);
  });

  test('it is refused before the credential is checked', async () => {
    const { status } = await gateway.rest('PUT', settings, json('{'));
    expect(status).toBe(400);
  });

  test('JSON of the maximum depth is read', async () => {
    const { status, body } = await put(json(`{"level":"watch","x":${'['.repeat(31)}1${']'.repeat(31)}}`));
    expect([status, body.level]).toEqual([200, 'watch']);
  });
});

describe('a body that is too large', () => {
  const limit = 1_048_576;
  const padded = (length: number) => json(`{"level":"watch"}`.padEnd(length));

  test('of exactly 1 MiB is read', async () => {
    expect((await put(padded(limit))).body.level).toBe('watch');
  });

  test('of 1 MiB and one byte is refused', async () => {
    const { status, body } = await put(padded(limit + 1));
    expect([status, body]).toEqual([413, { message: '413 Request Entity Too Large' }]);
  });

  test('is refused without a Content-Length too', async () => {
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const response = await fetch(gateway.url + settings, {
      method: 'PUT',
      headers: { 'private-token': token, 'content-type': 'application/json' },
      body: chunks,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test('doesn’t affect later requests', async () => {
    for (let time = 0; time < 3; time++) {
      expect((await put(padded(limit * 4))).status).toBe(413);
      expect((await get(settings)).status).toBe(200);
    }
  });

  test('headers that are too large answer 431', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write(`GET /api/v4/version HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(100_000)}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 431 /);
    socket.destroy();
  });
});

describe('conditional requests', () => {
  const getIfNoneMatch = (tag: string, path = settings, request: RestRequest = {}) =>
    get(path, { ...request, headers: { 'if-none-match': tag } });
  const tagOf = async (path = settings) => (await get(path)).headers.get('etag')!;

  test('every record has a weak ETag, which changes only with the record', async () => {
    for (const path of [settings, projectSettings, errorTracking, '/api/v4/user', '/api/v4/version']) {
      const tag = await tagOf(path);
      expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
      expect(await tagOf(path)).toBe(tag);
    }
  });

  const forms: [string, (tag: string) => string][] = [
    ['the tag', (tag) => tag],
    ['the tag as a strong one', (tag) => tag.replace('W/', '')],
    ['a list with the tag', (tag) => `"one", W/"two",${tag}`],
    ['a star', () => '*'],
  ];
  test.each(forms)('with %s answer 304 without a body', async (_name, form) => {
    const tag = await tagOf();
    for (const method of ['GET', 'HEAD']) {
      const { status, text, headers } = await gateway.rest(method, settings, {
        token,
        headers: { 'if-none-match': form(tag) },
      });
      expect([status, text, headers.get('etag'), headers.get('content-length'), headers.get('content-type')]).toEqual([
        304,
        '',
        tag,
        null,
        null,
      ]);
      expect(headers.get('cache-control')).toBe('max-age=0, private, must-revalidate');
    }
  });

  test('a 304 has the headers that caches need, and none about the content', async () => {
    const { headers } = await gateway.rest('GET', settings, { token, headers: { 'if-none-match': await tagOf() } });
    const sent = [...headers.keys()].filter((name) => !['connection', 'date', 'keep-alive'].includes(name));
    expect(sent.toSorted()).toEqual(['cache-control', 'etag', 'vary', 'x-gitlab-meta', 'x-request-id', 'x-runtime']);
  });

  test.each(['"another"', 'W/"another"', '', 'W/""', 'garbage'])('with the tag %s answer the record', async (tag) => {
    expect((await getIfNoneMatch(tag)).status).toBe(200);
  });

  test('an old tag doesn’t match after a change, and matches again after changing it back', async () => {
    await put({ query: { level: 'watch' } });
    const tag = await tagOf();
    await put({ query: { level: 'mention' } });
    expect((await getIfNoneMatch(tag)).status).toBe(200);
    await put({ query: { level: 'watch' } });
    expect((await getIfNoneMatch(tag)).status).toBe(304);
  });

  test('If-None-Match doesn’t stop a change', async () => {
    const { status, body } = await put({ query: { level: 'disabled' }, headers: { 'if-none-match': '*' } });
    expect([status, body.level]).toEqual([200, 'disabled']);
  });

  test('If-None-Match doesn’t change an error', async () => {
    for (const status of refused.filter((code) => refusals[code]![0] === 'GET'))
      expect((await refuse(status, { 'if-none-match': '*' })).status).toBe(status);
  });

  test('a client that may no longer see the record gets the error, not 304', async () => {
    const path = '/api/v4/projects/demo%2Fplatform%2Fapi/notification_settings';
    const tag = await tagOf(path);
    const stranger = await newUser(gateway, 'curious');
    for (const value of [tag, '*']) {
      const headers = { 'if-none-match': value };
      expect((await gateway.rest('GET', path, { headers })).status).toBe(401);
      expect((await gateway.rest('GET', path, { headers, token: 'garbage' })).status).toBe(401);
      expect((await gateway.rest('GET', path, { headers, token: stranger.token })).status).toBe(404);
      expect((await gateway.rest('GET', errorTracking, { headers, token: stranger.token })).status).toBe(403);
    }
    const revoked = await gateway.personalToken('maintainer', ['api'], { revoked: true });
    expect((await gateway.rest('GET', path, { headers: { 'if-none-match': tag }, token: revoked })).status).toBe(401);
  });
});

describe('the request line', () => {
  test('may have the absolute form, as for a proxy (RFC 9112 §3.2.2)', async () => {
    for (const origin of [gateway.url, 'http://causeway.example', 'HTTPS://causeway.example:8443']) {
      const { status, text } = await raw({ path: `${origin}${settings}?x=1`, headers: { 'private-token': token } });
      expect([status, Object.keys(JSON.parse(text) as object)]).toEqual([200, ['level', 'notification_email']]);
    }
  });
});

describe('behind a proxy', () => {
  const lines: AccessLine[] = [];

  /** Sends one request to its own server. @returns the answer's headers and the log line */
  async function through(trustedProxies: string[], request: RawRequest) {
    const server = await listenBefore((exchange) => toResponse(exchange, { status: 200, headers: {}, body: null }), {
      trustedProxies,
      accessLog: (line) => void lines.push(line),
      log: createLog('error'),
    });
    const { headers } = await rawClient(server.url)({
      ...request,
      headers: { ...request.headers, connection: 'close' },
    });
    await server.drain(1_000);
    return { headers, line: lines.at(-1)! };
  }

  test.each([
    ['no proxy is trusted', [], '203.0.113.7', '127.0.0.1'],
    ['another proxy is trusted', ['10.0.0.0/8'], '203.0.113.7', '127.0.0.1'],
    ['the connection is trusted', ['loopback'], '203.0.113.7', '203.0.113.7'],
    ['a client sends a false address', ['loopback'], '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['two trusted proxies follow each other', ['loopback', '10.0.0.0/8'], '203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['an untrusted proxy is in between', ['127.0.0.1'], '203.0.113.7, 10.1.2.3', '10.1.2.3'],
    ['the client has an IPv6 address', ['loopback'], '2001:db8::7', '2001:db8::7'],
    ['X-Forwarded-For is missing', ['loopback'], undefined, '127.0.0.1'],
  ])('when %s, the client’s address in the log is right', async (_name, trusted, forwarded, address) => {
    const { line } = await through(trusted, {
      path: '/',
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    });
    expect(line.address).toBe(address);
  });

  const given = '01HXYZ.proxy-made:1';
  test.each([
    ['a trusted proxy', ['loopback'], given, true],
    ['an untrusted proxy', [], given, false],
    ['a trusted proxy, too short', ['loopback'], 'short', false],
    ['a trusted proxy, too long', ['loopback'], 'x'.repeat(129), false],
    ['a trusted proxy, with other characters', ['loopback'], 'spaces and "quotes"', false],
  ])('the request id from %s: %s, used: %s', async (_name, trusted, id, kept) => {
    const { headers, line } = await through(trusted, { path: '/', headers: { 'x-request-id': id } });
    expect(headers['x-request-id'] === id).toBe(kept);
    expect(line.requestId).toBe(headers['x-request-id']);
  });

  const trace = '0af7651916cd43dd8448eb211c80319c';
  test.each([
    ['a trusted proxy', ['loopback'], `00-${trace}-b7ad6b7169203331-01`, trace],
    [
      'a trusted proxy with a later version',
      ['loopback'],
      `cc-${trace}-b7ad6b7169203331-00-what-the-future-brings`,
      trace,
    ],
    ['an untrusted client', [], `00-${trace}-b7ad6b7169203331-01`, undefined],
    ['a trusted proxy, with an id of zeros', ['loopback'], `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
    ['a trusted proxy, with an invalid form', ['loopback'], `00-${trace.toUpperCase()}-b7ad6b7169203331-01`, undefined],
  ])(
    'the trace id from %s is logged only if valid and trusted (W3C Trace Context)',
    async (_name, trusted, traceparent, traceId) => {
      const { line } = await through(trusted, { path: '/', headers: { traceparent } });
      expect(line.traceId).toBe(traceId);
    },
  );

  test('the gateway trusts the proxies in its setting', async () => {
    const trusting = await testGateway({ CAUSEWAY_TRUSTED_PROXIES: 'loopback' });
    const ask = async (one: TestGateway) =>
      (await one.rest('GET', settings, { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    expect(await ask(trusting)).toBe(given);
    expect(await ask(gateway)).not.toBe(given);
  });

  test('each request is a log line without the query, which may contain a token', async () => {
    const { line, headers } = await through([], {
      method: 'PUT',
      path: '/some/path?access_token=secret',
      headers: { authorization: 'Bearer secret' },
    });
    expect(line).toEqual({
      requestId: headers['x-request-id'],
      address: '127.0.0.1',
      method: 'PUT',
      path: '/some/path',
      status: 200,
      milliseconds: expect.any(Number),
      statements: 0,
      databaseMilliseconds: 0,
    });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});
