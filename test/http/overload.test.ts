import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { toResponse } from '../../src/http/index.ts';
import { createLog } from '../../src/observability/index.ts';
import { subscribe } from '../support/requests/event-stream.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { listenBefore } from '../support/requests/listen.ts';

const most = 10;
let gateway: TestGateway;
/** On the same database, where nothing may take long. */
let hasty: TestGateway;
let locker: pg.Client;

beforeAll(async () => {
  gateway = await testGateway({
    CAUSEWAY_MAX_REQUESTS: String(most),
    CAUSEWAY_CONNECTION_TIMEOUT: '60000',
    CAUSEWAY_DATABASE_CONNECTIONS: '2',
  });
  hasty = await testGateway({ CAUSEWAY_REQUEST_TIMEOUT: '1000' }, gateway);
  locker = new pg.Client({ connectionString: gateway.databaseUrl });
  await locker.connect();
});
afterAll(() => locker.end());

const slow = (to = gateway) => to.rest('GET', '/api/v4/notification_settings', { token: gateway.tokens.guest });

/** While it is done, whatever reads settings waits. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  await locker.query('begin; lock table global_notification_settings in access exclusive mode');
  try {
    await work();
  } finally {
    await locker.query('rollback');
  }
}

describe('more requests than may be under way', () => {
  test('are refused at once in the words of each door, watchers are not, and what was under way is answered', async () => {
    const underWay: ReturnType<typeof slow>[] = [];
    const refused = whileLocked(async () => {
      for (let count = 0; count < most; count++) underWay.push(slow());
      await vi.waitFor(async () => expect((await gateway.rest('GET', '/api/v4/version')).status).toBe(503), {
        timeout: 10_000,
      });

      const rest = await gateway.rest('GET', '/api/v4/version');
      expect([rest.status, rest.body, rest.headers.get('retry-after')]).toEqual([
        503,
        { message: '503 Service Unavailable' },
        '1',
      ]);
      const token = await gateway.rest('POST', '/oauth/token', { form: { grant_type: 'password' } });
      expect([
        token.status,
        token.body.error,
        token.headers.get('retry-after'),
        token.headers.get('cache-control'),
      ]).toEqual([503, 'temporarily_unavailable', '1', 'no-store']);
      const graphql = await gateway.graphql('{ currentUser { id } }', { token: gateway.tokens.guest });
      expect([graphql.status, graphql.headers.get('retry-after'), graphql.errors]).toEqual([
        503,
        '1',
        [{ message: expect.any(String), extensions: { code: 'UNAVAILABLE' } }],
      ]);
      const page = await fetch(`${gateway.url}/users/sign_in`);
      expect([page.status, page.headers.get('retry-after'), await page.text()]).toEqual([
        503,
        '1',
        expect.stringContaining('The gateway is overloaded.'),
      ]);

      // A database that answers late, on a busy machine, is reported for a moment.
      for (const path of ['/-/health', '/-/liveness', '/-/readiness'])
        await vi.waitFor(async () => expect((await fetch(gateway.url + path)).status).toBe(200), { timeout: 10_000 });
    });
    await refused.finally(() => Promise.allSettled(underWay));
    for (const { status } of await Promise.all(underWay)) expect(status).toBe(200);
    expect((await slow()).status).toBe(200);
  });
});

describe('a request that takes too long', () => {
  test('is answered 503 while it still waits, and the gateway goes on', async () => {
    await whileLocked(async () => {
      const overGraphQL = hasty.graphql('{ notificationSettings { level } }', { token: gateway.tokens.guest });
      const { status, body, headers } = await slow(hasty);
      expect([status, body, headers.get('retry-after')]).toEqual([503, { message: '503 Service Unavailable' }, '1']);
      expect((await overGraphQL).status).toBe(503);
    });
    await vi.waitFor(async () => expect((await slow(hasty)).status).toBe(200), { timeout: 10_000 });
  });

  test('isn’t an open event stream, however its client accepts it', async () => {
    // On a busy machine, whatever takes a second is refused.
    const open = async (accept: string) => {
      const stream = await subscribe(hasty, 'subscription { notificationSettingsChanged { level } }', {
        token: gateway.tokens.guest,
        headers: { accept },
      });
      expect(stream.status).toBe(200);
      return stream;
    };
    const accepted = ['text/event-stream', 'application/json, */*;q=0.5', '*/*'];
    const streams = await Promise.all(
      accepted.map((accept) => vi.waitFor(() => open(accept), { timeout: 20_000, interval: 100 })),
    );
    // Something that began later takes too long by now.
    await whileLocked(async () => expect((await slow(hasty)).status).toBe(503));
    const change = { token: gateway.tokens.guest, form: { level: 'mention' } };
    await vi.waitFor(
      async () => expect((await hasty.rest('PUT', '/api/v4/notification_settings', change)).status).toBe(200),
      { timeout: 20_000, interval: 100 },
    );
    for (const stream of streams) {
      expect(await stream.next()).toMatchObject({
        event: 'next',
        data: { data: { notificationSettingsChanged: { level: 'MENTION' } } },
      });
      stream.leave();
    }
  });
});

test('an event loop that is late all the time refuses requests, and takes them again when it has caught up', async () => {
  const told: string[] = [];
  const note = (_fields: object, message: string) => void told.push(message);
  const server = await listenBefore((exchange) => toResponse(exchange, { status: 200, headers: {}, body: null }), {
    log: { debug: note, info: note, warn: note, error: note },
    overload: { requests: 1_000, eventLoopDelay: 30 },
    refuse: (exchange) => toResponse(exchange, { status: 503, headers: {}, body: null }),
  });
  const status = async () => (await fetch(server.url)).status;
  const busy = setInterval(() => {
    for (const until = performance.now() + 100; performance.now() < until;);
  }, 1);
  await vi.waitFor(async () => expect(await status()).toBe(503), { timeout: 20_000 });
  clearInterval(busy);
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 20_000 });
  expect(told).toContain('requests were refused');
  await server.drain(0);
});

describe('many requests that wait for more than a second', () => {
  const many = 60;

  /** A server before a door that answers nothing but `/quick` until it is opened. */
  async function waiting(congested: () => boolean) {
    const held: (() => void)[] = [];
    const server = await listenBefore(
      (exchange) => {
        const answer = () => toResponse(exchange, { status: 200, headers: {}, body: null });
        if (exchange.path === '/quick') return answer();
        return new Promise<Response>((resolve) => void held.push(() => resolve(answer())));
      },
      {
        log: createLog('error'),
        congested,
        refuse: (exchange) => toResponse(exchange, { status: 503, headers: {}, body: null }),
      },
    );
    const waits = Array.from({ length: many }, () => fetch(server.url));
    const status = async () => (await fetch(`${server.url}/quick`)).status;
    const end = async () => {
      for (const open of held) open();
      await Promise.all(waits);
      await server.drain(0);
    };
    await vi.waitFor(() => expect(held).toHaveLength(many), { timeout: 20_000 });
    return { status, end };
  }

  test('for a shared resource make the gateway refuse new requests', async () => {
    const { status, end } = await waiting(() => true);
    await vi.waitFor(async () => expect(await status()).toBe(503), { timeout: 20_000 });
    await end();
  });

  test('in a queue with a limit of its own, such as that of passwords, delay no other request', async () => {
    const { status, end } = await waiting(() => false);
    const statuses = new Set<number>();
    for (const until = performance.now() + 1_600; performance.now() < until; await pause(50))
      statuses.add(await status());
    expect([...statuses]).toEqual([200]);
    await end();
  });
});
