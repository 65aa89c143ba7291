import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { domainError } from '../../src/context.ts';
import { BadRequest } from '../../src/errors.ts';
import { parseForm, Unreadable } from '../../src/http/index.ts';
import { coerce, merge, parametersOf } from '../../src/rest/engine/parameters.ts';
import { routes } from '../../src/rest/routes.ts';
import { Addresses, visit, visits } from '../fuzz/forms.ts';
import { graphqlRequests } from '../fuzz/graphql.ts';
import { problemWith } from '../fuzz/judge.ts';
import { machineRequests } from '../fuzz/machines.ts';
import { enlist } from '../fuzz/people.ts';
import { signed, type FuzzRequest } from '../fuzz/request.ts';
import { parameterName, restRequests } from '../fuzz/rest.ts';
import { anyText, pieces } from '../fuzz/values.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { rawClient, type RawAnswer, type RawRequest } from '../support/requests/raw-client.ts';
import { runs as factor } from '../support/run/runs.ts';

/** Inputs per property; more on a long run. */
const runs = 300 * factor;
const timeout = 30_000 + runs * 100;

let gateway: TestGateway;
let ask: (request: RawRequest) => Promise<RawAnswer>;
beforeAll(async () => {
  gateway = await testGateway();
  ask = rawClient(gateway.url);
});

const jsonObject = fc
  .array(
    fc.tuple(
      parameterName,
      fc.oneof(anyText, fc.jsonValue(), fc.boolean(), fc.constantFrom('custom', 'watch', 'true')),
    ),
  )
  .map((entries) => Object.fromEntries(entries) as Record<string, unknown>);

test('a number that the schema can’t read is refused as bad input, whichever door it comes through', async () => {
  const failed = await gateway
    .operator('query ($first: Int) { users(first: $first) { count } }', { first: 2 ** 31 })
    .catch((error: unknown) => error);
  expect(domainError(failed)).toEqual(new BadRequest('A number is too large.'));
});

describe('reading parameters', () => {
  const mark = fc.constantFrom('=', '&', '[', ']', '[]', '[x]', '%5B', '%', '%f', '+');
  const formText = fc.oneof(
    pieces,
    fc.array(fc.oneof(parameterName, mark), { maxLength: 30 }).map((parts) => parts.join('')),
  );

  test('a form is either read or refused as unreadable', () => {
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

  test('flat fields are read the same beside nested ones, for which another parser is used', () => {
    const outcome = (text: string, repeats: 'last' | 'refuse') => {
      try {
        const { nested: _nested, ...flat } = parseForm(text, repeats);
        return flat;
      } catch (error) {
        return (error as Unreadable).message;
      }
    };
    const flatMark = fc.constantFrom(
      '=',
      '&',
      '%20',
      '%c3%a9',
      '%26',
      '%3D',
      '+',
      '%',
      '%00',
      'a',
      'a=',
      '=a',
      '__proto__',
      '%5f_proto__',
      '0',
    );
    const flatText = fc
      .array(fc.oneof(flatMark, parameterName), { maxLength: 20 })
      .map((parts) => parts.join('').replaceAll(/[[\]]/g, ''));
    fc.assert(
      fc.property(flatText, fc.constantFrom('last', 'refuse'), (text, repeats) => {
        expect(outcome(text, repeats)).toEqual(outcome(`${text}&nested[x]=1`, repeats));
      }),
      { numRuns: runs * 5 },
    );
    const many = (count: number) => Array.from({ length: count }, (_, at) => `p${at}=1`).join('&');
    expect(Object.keys(parseForm(many(1_000)))).toHaveLength(1_000);
    expect(() => parseForm(many(1_001))).toThrow('Too many or too deep parameters.');
  });

  test('the fields of a form are read as sent', () => {
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
    fc.dictionary(
      parameterName,
      fc.anything({ withBigInt: true, withNullPrototype: true, withObjectString: true, withSparseArray: true }),
    ),
  );
  const types = {
    string: 'string',
    boolean: 'boolean',
    integer: 'number',
    float: 'number',
    date: 'string',
    'date-time': 'string',
    strings: 'object',
    integers: 'object',
    file: 'object',
    object: 'object',
    objects: 'object',
    'file-path': 'string',
    'repository-path': 'string',
  } as const;

  test('each declared parameter has its type, is null, is left out, or is reported as a problem, in the order of declaration', () => {
    fc.assert(
      fc.property(fc.constantFrom(...routes), sent, ({ parameters: declarations }, given) => {
        const parameters = parametersOf(declarations);
        const { values, problems } = coerce(parameters, given);
        const names = parameters.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(Object.keys(values)));
        for (const { name, type } of parameters) {
          const value = values[name];
          if (value !== undefined && value !== null) expect(value).toBeTypeOf(types[type]);
          if (value === undefined && given[name] !== undefined && Object.hasOwn(given, name))
            expect(problems.some((problem) => problem.startsWith(`${name} `))).toBe(true);
        }
        const positions = problems.map((problem) =>
          names.indexOf(
            // A member of an object in a list, `files[0][content]`, has the place of the list.
            /^([\w[\]]+?)(?:\[\d+\]\[\w+\])? (is (missing|empty|invalid)|does not have a valid value|has a value not allowed|should be a valid file path)$/.exec(
              problem,
            )![1]!,
          ),
        );
        expect(positions).not.toContain(-1);
        expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      }),
      { numRuns: runs * 5 },
    );
  });

  test('a parameter of the path wins over the body, and the body over the query string', () => {
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

const asRoot = (method: string, path: string): [FuzzRequest] => [
  { request: { method, path }, as: { caller: 'root', carry: (token) => ({ 'private-token': token }) } },
];

/** Restores tokens that a request revoked, so that later requests are authenticated. */
const revive = () =>
  gateway.sql('update personal_access_tokens set revoked_at = null, rotated_at = null where revoked_at is not null');

// A small sample of what `npm run test:fuzz` sends: see test/fuzz.
describe.each([
  ['REST', restRequests, asRoot('PUT', '/api/v4/notification_settings?new_note=constructor')],
  ['GraphQL', graphqlRequests, asRoot('GET', '/graphql?query={__typename}&variables=x')],
  ['git and the files of jobs', machineRequests, asRoot('GET', '/demo/storefront.git/info/refs?service=%ff')],
] as const)('fuzzing %s', (_door, requests, once) => {
  test('each answer is as documented, and the gateway keeps working', { timeout }, async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (hostile) => {
        const answer = await ask(signed(hostile, gateway.tokens)).catch((cut: Error) => {
          if (!hostile.mayBeCut) throw cut;
          return { status: 0, headers: {}, text: cut.message };
        });
        expect(problemWith(hostile, answer)).toBeUndefined();
        if (hostile.request.path.includes('personal_access_tokens')) await revive();
        // Over the same connection.
        if (sent++ % 20 === 0) expect((await ask({ path: '/api/v4/version' })).status).toBe(401);
      }),
      // Inputs of former failures are always tried.
      { numRuns: runs * 2, examples: [[...once]] },
    );
  });
});

describe('fuzzing the forms of pages', () => {
  test(
    'a form with a valid CSRF token is accepted or refused, others are refused, and no page reflects markup',
    { timeout },
    async () => {
      const [people, addresses] = [await enlist(gateway.databaseUrl, gateway.url), new Addresses()];
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(visits, async (one) => {
          const { problem, ...visited } = await visit(ask, people, addresses, one);
          expect(problem).toBeUndefined();
          if (visited.taken) taken++;
        }),
        { numRuns: runs / 3 },
      );
      await people.leave();
      expect(taken).toBeGreaterThan(runs / 100);
    },
  );
});

describe('below HTTP', () => {
  const start = 'GET /api/v4/version HTTP/1.1\r\nhost: x\r\n';
  const framing = fc.constantFrom(
    'transfer-encoding: chunked',
    'transfer-encoding: gzip',
    'content-length: 5',
    'content-length: -1',
    'expect: 100-continue',
    'upgrade: websocket\r\nconnection: upgrade',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all)),
    pieces.map((text) => Buffer.from(text)),
    pieces.map((text) => Buffer.from(start + text)),
    fc
      .tuple(framing, pieces)
      .map(([line, text]) => Buffer.from(`${start.replace('GET', 'PUT')}${line}\r\n\r\n${text}`)),
    pieces.map((text) => Buffer.from(`${start}\r\n${start}${text}\r\n\r\n`)),
  );

  test('random bytes on a connection don’t affect other connections', { timeout }, async () => {
    const port = Number(new URL(gateway.url).port);
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        const socket = connect(port, '127.0.0.1');
        const closed = once(socket, 'close');
        // The gateway may close the connection before everything is sent.
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
