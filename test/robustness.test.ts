import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseForm, Unreadable } from '../src/http/index.ts';
import { coerce, merge, parametersOf } from '../src/rest/parameters.ts';
import { routes } from '../src/rest/routes/index.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import { rawClient, type RawAnswer, type RawRequest } from './support/raw-client.ts';
import { checkAgainstDocument } from './support/rest-client.ts';
import { runs as factor } from './support/runs.ts';

/** How many inputs each property is tried with; more of them on a long run. */
const runs = 600 * factor;
const timeout = 30_000 + runs * 100;

let gateway: TestGateway;
let ask: (request: RawRequest) => Promise<RawAnswer>;
beforeAll(async () => {
  gateway = await testGateway();
  ask = rawClient(gateway.url);
});

/** Words that mean something to JavaScript, PostgreSQL, HTTP or a form, and should mean nothing here. */
const words = [
  '', ' ', '0', '-1', '1e999', 'NaN', 'null', 'true', 'custom', 'watch', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty',
  '\0', '\u{feff}', '\ud800', '\udfff', '💩', '%', '%00', '%ff', '%2F', '%252F', '..', '../..', '/', '//', '\\', ';', "'", "' or 1=1 --", '"', '$1',
  '{}', '[]', '[0]', '[][]', '[__proto__]', '&', '=', '+', '#', '?', '\r\n', 'demo', 'demo/storefront', 'root', '9'.repeat(300), 'x'.repeat(5_000),
];
const word = fc.constantFrom(...words);
const anyText = fc.oneof(word, fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const pieces = fc.array(anyText, { maxLength: 8 }).map((parts) => parts.join(''));

/** The parameters that routes take, and some that none does. */
const declared = [...new Set(routes.flatMap(({ parameters }) => parametersOf(parameters).map(({ name }) => name)))];
const parameterName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...declared) },
  fc.constantFrom('id', 'access_token', 'private_token', 'sudo'),
  word,
);
const jsonObject = fc.array(fc.tuple(parameterName, fc.oneof(anyText, fc.jsonValue(), fc.boolean(), fc.constantFrom('custom', 'watch', 'true')))).map(
  (entries) => Object.fromEntries(entries) as Record<string, unknown>,
);

describe('reading parameters', () => {
  const mark = fc.constantFrom('=', '&', '[', ']', '[]', '[x]', '%5B', '%', '%f', '+');
  const formText = fc.oneof(pieces, fc.array(fc.oneof(parameterName, mark), { maxLength: 30 }).map((parts) => parts.join('')));

  test('a form is either read or said to be unreadable', () => {
    fc.assert(
      fc.property(formText, (text) => {
        try {
          expect(parseForm(text)).toBeTypeOf('object');
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
      { numRuns: runs * 5 },
    );
  });

  test('what a form says is what is read', () => {
    const name = fc.stringMatching(/^[a-z][a-z_]{0,20}$/);
    const value = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), (fields) => {
        expect({ ...parseForm(new URLSearchParams(fields).toString()) }).toEqual(fields);
      }),
      { numRuns: runs * 2 },
    );
  });

  const sent = fc.oneof(
    jsonObject,
    fc.dictionary(parameterName, fc.anything({ withBigInt: true, withNullPrototype: true, withObjectString: true, withSparseArray: true })),
  );
  const types = { string: 'string', boolean: 'boolean', integer: 'number', date: 'string', 'date-time': 'string', strings: 'object', integers: 'object' } as const;

  test('each declared parameter is of its type, empty, left out, or told as a problem, in the order of declaration', () => {
    fc.assert(
      fc.property(fc.constantFrom(...routes), sent, ({ parameters: declarations }, given) => {
        const parameters = parametersOf(declarations);
        const { values, problems } = coerce(parameters, given);
        const names = parameters.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(Object.keys(values)));
        for (const { name, type } of parameters) {
          const value = values[name];
          if (value !== undefined && value !== null) expect(value).toBeTypeOf(types[type]);
          if (value === undefined && given[name] !== undefined && Object.hasOwn(given, name)) expect(problems.some((problem) => problem.startsWith(`${name} `))).toBe(true);
        }
        const positions = problems.map((problem) => names.indexOf(/^(\w+) (is (missing|empty|invalid)|does not have a valid value|has a value not allowed)$/.exec(problem)![1]!));
        expect(positions).not.toContain(-1);
        expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      }),
      { numRuns: runs * 5 },
    );
  });

  test('nothing replaces what the path says, and the body wins over the query string', () => {
    fc.assert(
      fc.property(sent, sent, sent, (query, body, path) => {
        const merged = merge(query, body, path);
        for (const name of Object.keys(path)) expect(merged[name]).toBe(path[name]);
        for (const name of Object.keys(body)) if (!Object.hasOwn(path, name)) expect(merged[name]).toBe(body[name]);
        expect(Object.getPrototypeOf(merged)).toBeNull();
      }),
      { numRuns: runs },
    );
  });
});

/** Without halves of characters. */
const wellFormed = (text: string) => Buffer.from(text).toString();
/** What node lets a client put into a request line and a header. */
const inRequestLine = (text: string) => wellFormed(text).replace(/[^\u0021-\u00ff]/gu, encodeURIComponent);
const inHeader = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
const escaped = (text: string) => encodeURIComponent(wellFormed(text));
const pathText = fc.oneof(
  { weight: 3, arbitrary: anyText.map(escaped) },
  anyText.map(inRequestLine),
  fc.constantFrom('demo', 'demo%2Fstorefront', 'demo%2Fplatform%2Fapi', '1', '2'),
);

const pairs = fc.array(fc.tuple(parameterName, anyText), { maxLength: 6 });
const urlencoded = pairs.map((entries) => entries.map((pair) => pair.map(escaped).join('=')).join('&'));

const boundary = 'the-boundary';
const multipart = fc.array(fc.tuple(parameterName, anyText, fc.boolean()), { maxLength: 4 }).map((fields) => [
  ...fields.flatMap(([name, value, isFile]) => [
    `--${boundary}`,
    `content-disposition: form-data; name="${name}"${isFile ? '; filename="x"' : ''}`,
    '',
    value,
  ]),
  `--${boundary}--`,
  '',
].join('\r\n'));

const json = fc.oneof(jsonObject.map((value) => JSON.stringify(value)), fc.jsonValue().map((value) => JSON.stringify(value)));
const claims = fc.constantFrom(
  'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${boundary}`, 'text/plain',
);
/** A body and what it says it is, which need not be true. */
const body = fc.oneof(
  fc.constant({}),
  fc.tuple(json, fc.constantFrom('application/json', 'application/json; charset=utf-8')),
  fc.tuple(urlencoded, fc.constant('application/x-www-form-urlencoded')),
  fc.tuple(multipart, fc.constant(`multipart/form-data; boundary=${boundary}`)),
  fc.tuple(
    fc.oneof(pieces, json, urlencoded, multipart, fc.uint8Array().map((bytes) => Buffer.from(bytes))),
    fc.oneof(claims, anyText.map(inHeader)),
  ),
).map((given) => (Array.isArray(given) ? { body: given[0] as string | Buffer, headers: { 'content-type': given[1] } } : { headers: {} }));

type User = keyof TestGateway['tokens'];
const credential = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('root', 'maintainer', 'developer', 'guest').map((user) => ({ user: user as User })) },
  fc.tuple(fc.constantFrom('private-token', 'authorization'), anyText).map(([name, value]) => ({ headers: { [name]: inHeader(value) } })),
  fc.constant({ headers: {} }),
);
/** Mostly nothing special, so that what else is hostile gets further. */
const usually = <Usual, Odd>(usual: Usual, odd: fc.Arbitrary<Odd>) => fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, odd);
const furtherHeaders = usually({}, fc.dictionary(
  fc.constantFrom(
    'accept', 'if-none-match', 'x-request-id', 'x-forwarded-for', 'origin', 'cookie', 'access-control-request-method',
    'access-control-request-headers', 'x-http-method-override',
  ),
  fc.oneof(anyText.map(inHeader), fc.constantFrom('*/*', 'application/json', '*')),
  { maxKeys: 3, noNullPrototype: true },
));

interface Hostile {
  readonly request: RawRequest;
  readonly as: { readonly user?: User; readonly headers?: Record<string, string> };
}

const asRoot = (method: string, path: string): [Hostile] => [{ request: { method, path }, as: { user: 'root' } }];

/** Lets tokens work again that a request ended: what comes after it is to get as far. */
const revive = () => gateway.sql('update personal_access_tokens set revoked_at = null, rotated_at = null where revoked_at is not null');

/** Sends it as whoever it is, and then something harmless over the same connection. */
async function send({ request, as }: Hostile): Promise<RawAnswer> {
  const own = as.user === undefined ? as.headers : { 'private-token': gateway.tokens[as.user] };
  const answer = await ask({ ...request, headers: { ...request.headers, ...own } });
  expect(answer.status).toBeGreaterThanOrEqual(200);
  expect(answer.status).toBeLessThan(500);
  if (request.path.includes('personal_access_tokens')) await revive();
  const after = await ask({ path: '/api/v4/version', headers: { 'private-token': gateway.tokens.guest } });
  expect(after.status).toBe(200);
  return answer;
}

describe('over REST, whatever is sent', () => {
  const routed = fc.tuple(fc.constantFrom(...routes), pathText).map(([route, id]) => ({
    method: route.method as string,
    path: route.path.replace(':id', () => id),
  }));
  const path = fc.oneof(
    { weight: 8, arbitrary: routed },
    { weight: 1, arbitrary: pathText.map((text) => ({ method: 'GET', path: `/api/v4/${text}` })) },
    { weight: 1, arbitrary: pathText.map((text) => ({ method: 'GET', path: `/api/v3/${text}` })) },
    { weight: 1, arbitrary: pathText.map((text) => ({ method: 'GET', path: `/${text}` })) },
  );
  const method = usually(undefined, fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'));
  const query = fc.oneof(fc.constant(''), urlencoded.map((text) => `?${text}`), pieces.map((text) => `?${inRequestLine(text)}`));

  const requests = fc.tuple(method, path, query, body, furtherHeaders, credential).map(([other, route, search, given, headers, as]): Hostile => ({
    request: {
      method: other ?? route.method,
      path: route.path + search,
      body: 'body' in given ? given.body : undefined,
      headers: { ...headers, ...given.headers },
    },
    as,
  }));

  test('the answer is documented, never a 5xx, and the gateway goes on', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (hostile) => {
        const { status, text, headers } = await send(hostile);
        // Not HTTP: refused before there was a request to answer.
        if (headers['x-request-id'] === undefined) {
          expect([status, text]).toEqual([400, '']);
          return;
        }
        // What a path has before its query; a fragment isn't part of it (RFC 9110 §4.2.5).
        const [url] = hostile.request.path.split(/[?#]/) as [string];
        const isJson = headers['content-type'] === 'application/json' && text !== '';
        checkAgainstDocument(hostile.request.method!, url, { status, body: isJson ? JSON.parse(text) : text });
      }),
      // What once went wrong is always tried.
      { numRuns: runs, examples: [asRoot('PUT', '/api/v4/notification_settings?new_note=constructor')] },
    );
  });
});

describe('over GraphQL, whatever is sent', () => {
  const operations = [
    ...routes.map(({ operation }) => operation),
    `query ($first: Int, $after: String) { currentUser { emails { address } notificationSettings(first: $first, after: $after) {
       nodes { scope level isLevelSet events { event enabled isSet } group { fullPath } project { fullPath }
         effective { level source sourceGroup { fullPath } } }
       pageInfo { hasNextPage endCursor } } } }`,
    'query ($id: ID!) { project(id: $id) { id name webUrl createdAt } group(id: $id) { id fullPath visibility } }',
    'query ($username: String!) { user(username: $username) { id username email notificationSettings { nodes { level } } } }',
    `mutation ($input: BulkUpdateNotificationSettingsInput!) { bulkUpdateNotificationSettings(input: $input) { notificationSettings { level } } }`,
    'mutation ($input: ResetNotificationSettingsInput!) { resetNotificationSettings(input: $input) { notificationSettings { level } } }',
    '{ __schema { types { name fields { name args { name } } } } }',
  ];
  const operation = fc.constantFrom(...operations);
  const syntax = fc.constantFrom('{', '}', '(', ')', '...', '@skip(if: true)', '$input', 'a: b', '"""', '#', 'fragment F on Query { ...F }');
  const cut = fc.tuple(operation, fc.nat(), fc.nat({ max: 30 }), fc.oneof(anyText, syntax)).map(
    ([source, at, length, text]) => {
      const start = at % source.length;
      return source.slice(0, start) + text + source.slice(start + length);
    },
  );
  const document = fc.oneof({ weight: 8, arbitrary: operation }, { weight: 3, arbitrary: cut }, pieces);

  const id = fc.oneof(anyText, fc.constantFrom('demo', 'demo/storefront', 1, -1, 2 ** 40), fc.jsonValue());
  const event = fc.record({ event: fc.constantFrom('NEW_NOTE', 'NEW_EPIC', 'x'), enabled: fc.oneof(fc.boolean(), fc.jsonValue()) });
  const change = fc.record(
    {
      group: id,
      project: id,
      level: fc.oneof(fc.constantFrom('WATCH', 'CUSTOM', 'custom', null), anyText),
      notificationEmail: fc.oneof(anyText, fc.constant(null)),
      events: fc.oneof(fc.array(event, { maxLength: 4 }), fc.jsonValue()),
      active: fc.oneof(fc.boolean(), fc.jsonValue()),
      apiUrl: fc.oneof(anyText, fc.webUrl()),
      projectName: anyText,
      settings: fc.array(fc.record({ group: id, level: fc.constant('WATCH') }, { requiredKeys: [] }), { maxLength: 4 }),
    },
    { requiredKeys: [] },
  );
  /** With nothing more than an input may hold, so that many get past the door. */
  const inputs = [
    ['group', 'level', 'events'],
    ['project', 'level', 'events'],
    ['level', 'notificationEmail', 'events'],
    ['project', 'active'],
    ['project', 'active', 'apiUrl', 'projectName'],
    ['settings'],
    ['group'],
    ['project'],
  ];
  const input = fc.tuple(change, fc.constantFrom(...inputs)).map(([all, names]) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
  );
  const named = fc.record(
    {
      input: fc.oneof(input, change, fc.jsonValue()),
      id,
      username: fc.oneof(anyText, fc.constant('root')),
      first: fc.oneof(fc.integer(), fc.jsonValue()),
      after: anyText,
    },
    { requiredKeys: [] },
  );
  const variables = fc.oneof({ weight: 4, arbitrary: named }, fc.jsonValue());
  const parameters = fc.record({
    query: document,
    variables,
    operationName: usually(undefined, fc.oneof(anyText, fc.jsonValue())),
    extensions: usually(undefined, fc.jsonValue()),
  });

  const path = fc.constantFrom('/graphql', '/api/graphql');
  const asJson = (value: unknown) => ({ body: JSON.stringify(value), headers: { 'content-type': 'application/json' } });
  const post = fc.oneof(
    { weight: 8, arbitrary: parameters.map(asJson) },
    fc.oneof(fc.array(parameters, { maxLength: 12 }), fc.jsonValue()).map(asJson),
    document.map((source) => ({ body: source, headers: { 'content-type': 'application/graphql' } })),
    document.map((source) => ({ body: `query=${escaped(source)}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } })),
    body,
  );
  const said = (asked: object) =>
    Object.entries(asked)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${escaped(typeof value === 'string' ? value : JSON.stringify(value))}`)
      .join('&');
  const search = fc.oneof(parameters.map(said), pieces.map(inRequestLine));
  const method = usually('POST', fc.constantFrom('GET', 'GET', 'GET', 'PUT', 'HEAD', 'OPTIONS'));
  const requests = fc.tuple(method, path, search, post, furtherHeaders, credential).map(
    ([verb, endpoint, query, given, headers, as]): Hostile => {
      if (verb !== 'POST') return { request: { method: verb, path: `${endpoint}?${query}`, headers }, as };
      return { request: { method: verb, path: endpoint, body: 'body' in given ? given.body : undefined, headers: { ...headers, ...given.headers } }, as };
    },
  );

  test('the answer is never a 5xx nor a masked defect, and the gateway goes on', { timeout }, async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (hostile) => {
        const { text } = await send(hostile);
        expect(text).not.toContain('INTERNAL_SERVER_ERROR');
        expect(text).not.toContain('Unexpected error');
      }),
      { numRuns: runs, examples: [asRoot('GET', '/graphql?query={__typename}&variables=x')] },
    );
  });
});

describe('below HTTP', () => {
  const start = 'GET /api/v4/version HTTP/1.1\r\nhost: x\r\n';
  const framing = fc.constantFrom(
    'transfer-encoding: chunked', 'transfer-encoding: gzip', 'content-length: 5', 'content-length: -1', 'expect: 100-continue',
    'upgrade: websocket\r\nconnection: upgrade',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all)),
    pieces.map((text) => Buffer.from(text)),
    pieces.map((text) => Buffer.from(start + text)),
    fc.tuple(framing, pieces).map(
      ([line, text]) => Buffer.from(`${start.replace('GET', 'PUT')}${line}\r\n\r\n${text}`),
    ),
    pieces.map((text) => Buffer.from(`${start}\r\n${start}${text}\r\n\r\n`)),
  );

  test('a connection that carries anything at all takes nobody else down', { timeout }, async () => {
    const port = Number(new URL(gateway.url).port);
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const socket = connect(port, '127.0.0.1');
        const closed = once(socket, 'close');
        // The gateway may hang up before everything was sent.
        socket.on('error', () => undefined);
        let answered = '';
        socket.on('data', (chunk) => (answered += String(chunk)));
        socket.end(sent);
        await closed;
        expect(answered).not.toMatch(/^HTTP\/1\.1 5/m);
        const { status } = await ask({ path: '/api/v4/version', headers: { 'private-token': gateway.tokens.guest } });
        expect(status).toBe(200);
      }),
      { numRuns: runs },
    );
  });
});
