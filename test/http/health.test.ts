import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { monitoringDoor, toResponse } from '../../src/http/index.ts';
import { createLog } from '../../src/observability/index.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { listenBefore } from '../support/requests/listen.ts';
import { relayTo, type Relay } from '../support/databases/relay.ts';
import { sentBy } from '../support/databases/statements.ts';

let direct: TestGateway;
/** On the same database, by a way that can be made to fail. */
let gateway: TestGateway;
let relay: Relay;

beforeAll(async () => {
  direct = await testGateway();
  relay = await relayTo(direct.databaseUrl);
  gateway = await testGateway({ DATABASE_URL: relay.url, CAUSEWAY_STATEMENT_TIMEOUT: '1000' }, direct);
});
afterAll(() => relay.close());

interface Watched {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}
async function watch(
  path: string,
  { url = gateway.url, ...init }: RequestInit & { url?: string } = {},
): Promise<Watched> {
  const response = await fetch(url + path, init);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
const ok = [{ status: 'ok' }];
const ready = { status: 'ok', db_check: ok, migrations_check: ok, draining_check: ok };
const readiness = async (init?: Parameters<typeof watch>[1]) => {
  const { status, text } = await watch('/-/readiness', init);
  return [status, JSON.parse(text) as unknown];
};
/** Waits for a state: on a busy machine the first look at the database of a new gateway may be too late. */
const becomes = (expected: unknown, init?: Parameters<typeof watch>[1]) =>
  vi.waitFor(async () => expect(await readiness(init)).toEqual(expected), { timeout: 10_000, interval: 50 });
const unreachable = [
  503,
  { status: 'failed', db_check: [{ status: 'failed', message: 'The database doesn’t answer.' }], draining_check: ok },
];

describe('a gateway that is well', () => {
  test('answers as monitoring of GitLab expects, without a credential', async () => {
    expect(await watch('/-/health')).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: 'Causeway OK' });
    expect(await watch('/-/liveness')).toEqual({ status: 200, type: 'application/json', text: '{"status":"ok"}' });
    await becomes([200, ready]);
  });

  test.each(['/-/health', '/-/liveness', '/-/readiness'])('answers HEAD at %s, and no other method', async (path) => {
    expect(await watch(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await watch(path, { method: 'POST', body: 'x' })).toMatchObject({ status: 405 });
  });

  test('costs the database next to nothing, however many ask', async () => {
    const statements = await sentBy(() =>
      Promise.all(Array.from({ length: 200 }, () => readiness({ url: direct.url }))),
    );
    expect(statements.length).toBeLessThan(20);
  });

  test('shows only a status to an address that its operator doesn’t name, or that may be forged', async () => {
    const elsewhere = await testGateway({ CAUSEWAY_MONITORING_ADDRESSES: '192.0.2.1' }, direct);
    await becomes([200, { status: 'ok' }], { url: elsewhere.url });
    for (const [name, value] of [
      ['x-forwarded-for', '127.0.0.1'],
      ['forwarded', 'for=127.0.0.1'],
    ] as const) {
      await becomes([200, { status: 'ok' }], { headers: { [name]: value } });
    }
    const behind = await testGateway({ CAUSEWAY_TRUSTED_PROXIES: 'loopback' }, direct);
    await becomes([200, { status: 'ok' }], { url: behind.url, headers: { 'x-forwarded-for': '203.0.113.7' } });
    await becomes([200, ready], { url: behind.url, headers: { 'x-forwarded-for': '10.0.0.7' } });
  });

  test('writes no line of being watched, unless everything is wanted', async () => {
    const lines: string[] = [];
    const server = await listenBefore((exchange) => toResponse(exchange, { status: 200, headers: {}, body: null }), {
      log: createLog('error'),
      accessLog: ({ path }, level) => void lines.push(`${level} ${path}`),
      monitoring: monitoringDoor({
        addresses: ['loopback'],
        readiness: () => Promise.resolve({}),
        metrics: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
      }),
    });
    for (const path of ['/-/health', '/-/liveness', '/-/readiness', '/-/else']) await watch(path, { url: server.url });
    await server.drain(1_000);
    expect(lines).toEqual(['debug /-/health', 'debug /-/liveness', 'debug /-/readiness', 'info /-/else']);
  });
});

describe('a gateway whose database', () => {
  afterEach(async () => {
    relay.restore();
    relay.thaw();
    await becomes([200, ready]);
  });

  test('is gone isn’t ready, is alive, and is ready again when it is back', async () => {
    relay.cut();
    await becomes(unreachable);
    expect(await watch('/-/liveness')).toMatchObject({ status: 200 });
    expect(await watch('/-/readiness', { method: 'HEAD' })).toMatchObject({ status: 503 });
  });

  test('hangs isn’t ready, though every connection of the pool hangs too', async () => {
    relay.freeze();
    const hanging = Array.from({ length: 30 }, () =>
      gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest }),
    );
    await becomes(unreachable);
    expect(await watch('/-/health')).toMatchObject({ status: 200 });
    relay.thaw();
    await Promise.all(hanging);
  });

  test('is behind a network that forgot its connections answers 503 to waiting requests, and opens other connections', async () => {
    relay.forget();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest })),
    );
    expect(new Set(answers.map(({ status }) => status))).toContain(503);
    await becomes([200, ready]);
    expect((await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest })).status).toBe(200);
  });

  test('has closed the connection that asks opens another, and stays ready', async () => {
    for (let time = 0; time < 3; time++) {
      await direct.sql(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'causeway readiness'`,
      );
      expect(await readiness()).toEqual([200, ready]);
    }
  });

  test('lacks a migration of this version isn’t ready', async () => {
    const last = `migration_name = (select max(migration_name) from _prisma_migrations)`;
    await direct.sql(`update _prisma_migrations set finished_at = null where ${last}`);
    await becomes([
      503,
      {
        ...ready,
        status: 'failed',
        migrations_check: [{ status: 'failed', message: 'The database lacks migrations of this version.' }],
      },
    ]);
    await direct.sql(`update _prisma_migrations set finished_at = now() where ${last}`);
  });

  test('takes no changes isn’t ready', async () => {
    const [{ name }] = (await direct.sql<{ name: string }>('select current_database() as name')) as [{ name: string }];
    await direct.sql(`alter database "${name}" set default_transaction_read_only = on`);
    relay.cut();
    relay.restore();
    await becomes([
      503,
      { ...ready, status: 'failed', db_check: [{ status: 'failed', message: 'The database takes no changes.' }] },
    ]);
    await direct.sql(`begin read write; alter database "${name}" reset default_transaction_read_only; commit`);
    relay.cut();
  });
});
