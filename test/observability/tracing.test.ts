import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTracing } from '../../src/observability/index.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';

/** OTLP in JSON, as far as the tests use it. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: object;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const silent = { info: () => undefined, warn: () => undefined };
const spans: Span[] = [];
const bodies: string[] = [];
let collector: Server;
let endpoint: string;

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      bodies.push(`${request.url} ${body}`);
      spans.push(
        ...(JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap((scope) => scope.spans),
        ),
      );
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => collector.close());

const parent = 'b7ad6b7169203331';
const traceIdOf = (number: number) => number.toString(16).padStart(32, '5');
const sampled = (number: number) => ({ traceparent: `00-${traceIdOf(number)}-${parent}-01` });

/** A span and those below it: names only. */
type Tree = { readonly [name: string]: Tree };
function below(traceId: string, spanId: string | undefined): Tree {
  const found = spans.filter((span) => span.traceId === traceId && span.parentSpanId === spanId);
  return Object.fromEntries(found.map((span) => [span.name, below(traceId, span.spanId)]));
}

describe('a gateway with a collector', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await testGateway({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_SERVICE_NAME: 'gateway-of-a-test',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      CAUSEWAY_TRUSTED_PROXIES: 'loopback',
    });
    const token = gateway.tokens.guest;
    const rest = (number: number, path: string, headers = sampled(number)) =>
      gateway.rest('GET', path, { token, headers });
    expect((await rest(1, '/api/v4/notification_settings')).status).toBe(200);
    expect(
      (await rest(2, '/api/v4/projects/demo%2Fnowhere/notification_settings?level=canary-in-a-query')).status,
    ).toBe(404);
    const graphql = await gateway.graphql(
      'query ($path: ID!) { currentUser { username } project(id: $path) { name namespace { name } } user(username: "guest") { name } }',
      { token, variables: { path: 'demo/storefront' }, headers: sampled(3) },
    );
    expect(graphql.errors).toBeUndefined();
    await gateway.graphql(
      'mutation { createProject(input: { name: "canary in a value", visibility: PRIVATE }) { project { id } } }',
      { token, headers: sampled(4) },
    );
    expect((await fetch(`${gateway.url}/users/sign_in`, { headers: sampled(5) })).status).toBe(200);
    // Not sampled: decided by the caller's trace, or else by the setting.
    await rest(6, '/api/v4/user', { traceparent: `00-${traceIdOf(6)}-${parent}-00` });
    await gateway.rest('GET', '/api/v4/user', { token });
    await gateway.gateway.stop();
  });

  test('exports the tree of a request: its route, its field, its statements', () => {
    const tree = below(traceIdOf(1), parent);
    expect(Object.keys(tree)).toEqual(['GET /api/v4/notification_settings']);
    const [fields] = Object.values(tree);
    expect(Object.keys(fields!)).toContain('Query.notificationSettings');
    const names = spans.filter(({ traceId }) => traceId === traceIdOf(1)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(2);
  });

  test('puts statements below the field that sent them, Prisma’s too', () => {
    const [fields] = Object.values(below(traceIdOf(3), parent));
    expect(fields).toMatchObject({ 'Query.currentUser': {}, 'Query.project': {}, 'Query.user': {} });
    expect(Object.keys(fields!['Query.project']!).length).toBeGreaterThan(0);
    expect(Object.keys(fields!['Query.user']!).length).toBeGreaterThan(0);
  });

  test('traces pages in the same way, and failures', () => {
    expect(Object.keys(below(traceIdOf(5), parent))).toEqual([expect.stringMatching(/^page /)]);
    const failed = spans.filter(({ traceId, name }) => traceId === traceIdOf(2) && name.startsWith('Query.'));
    expect(failed.map(({ status }) => status?.code)).toEqual([2]);
  });

  test('has the service name, and no values, queries or credentials', () => {
    const everything = bodies.join('\n');
    expect(everything).toMatch(/^\/v1\/traces /);
    expect(everything).toContain('gateway-of-a-test');
    for (const secret of ['canary', gateway.tokens.guest, 'demo%2F', 'storefront'])
      expect(everything).not.toContain(secret);
  });

  test('makes no span for a request that isn’t sampled', () => {
    const ids = [1, 2, 3, 4, 5].map(traceIdOf);
    expect([...new Set(spans.map(({ traceId }) => traceId))].toSorted()).toEqual(ids);
  });
});

describe('which requests are traced', () => {
  const of = (traceId: string, isSampled: boolean) => ({ traceId, spanId: parent, sampled: isSampled });
  const low = of(`${'0'.repeat(31)}1`, true);
  const high = of('f'.repeat(32), false);
  test.each([
    ['always_on', 0, { none: 1, low: true, high: true }],
    ['always_off', 1, { none: 0, low: false, high: false }],
    ['traceidratio', 0.5, { none: 0.5, low: true, high: false }],
    ['traceidratio', 0, { none: 0, low: false, high: false }],
    ['parentbased_always_on', 0, { none: 1, low: true, high: false }],
    ['parentbased_always_off', 1, { none: 0, low: true, high: false }],
    ['parentbased_traceidratio', 0.5, { none: 0.5, low: true, high: false }],
  ] as const)('%s with the argument %s', async (sampler, ratio, expected) => {
    const tracing = (await startTracing({ endpoint, serviceName: 'x', sampler, ratio }, '1', silent))!;
    const begun =
      Array.from({ length: 400 }, () => tracing.begin(undefined)).filter((trace) => trace !== undefined).length / 400;
    expect(begun).toBeGreaterThanOrEqual(expected.none === 0.5 ? 0.3 : expected.none);
    expect(begun).toBeLessThanOrEqual(expected.none === 0.5 ? 0.7 : expected.none);
    expect([low, high].map((one) => tracing.begin(one) !== undefined)).toEqual([expected.low, expected.high]);
    await tracing.close();
  });

  test('none without a collector, and its libraries aren’t loaded', async () => {
    expect(
      await startTracing({ endpoint: undefined, serviceName: 'x', sampler: 'always_on', ratio: 1 }, '1', silent),
    ).toBeUndefined();
  });
});

test('a collector that accepts no traces is logged once, and once when it accepts them again', async () => {
  let [status, exports] = [400, 0];
  const moody = createServer((request, response) => {
    exports++;
    request.resume().on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => moody.listen(0, '127.0.0.1', resolve));
  const lines: string[] = [];
  const log = {
    info: (_fields: object, message: string) => void lines.push(`info ${message}`),
    warn: (fields: object, message: string) => void lines.push(`warn ${message} ${Object.keys(fields).join()}`),
  };
  const there = `http://127.0.0.1:${(moody.address() as AddressInfo).port}`;
  const tracing = (await startTracing(
    { endpoint: there, serviceName: 'x', sampler: 'always_on', ratio: 1 },
    '1',
    log,
  ))!;
  const sendSome = async () => {
    for (const until = exports + 3; exports < until;) {
      const before = exports;
      // So many are exported at once; fewer only after a delay.
      for (let span = 0; span < 512; span++)
        tracing.begin(undefined)!.end({ requestId: 'x', method: 'GET', route: 'x', status: 200 });
      await vi.waitFor(() => expect(exports).toBeGreaterThan(before), { timeout: 10_000, interval: 5 });
    }
  };
  const said = {
    away: 'warn traces can’t be sent to the collector; they are lost meanwhile error',
    back: 'info traces are sent to the collector again',
  };
  await sendSome();
  await vi.waitFor(() => expect(lines).toEqual([said.away]));
  status = 200;
  await sendSome();
  await vi.waitFor(() => expect(lines).toEqual([said.away, said.back]));
  status = 400;
  await sendSome();
  await vi.waitFor(() => expect(lines).toEqual([said.away, said.back, said.away]));
  await tracing.close();
  moody.close();
});

test('a missing collector delays nothing', async () => {
  const gateway = await testGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
  expect((await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest })).status).toBe(200);
});
