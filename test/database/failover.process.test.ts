import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dataOf, refusal } from '../support/requests/answers.ts';
import { query } from '../support/databases/database.ts';
import { subscribe } from '../support/requests/event-stream.ts';
import { afterFile } from '../support/run/after-file.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { inBody, registerApplication, session, token } from '../support/oauth/oauth.ts';
import { relayTo, type Relay } from '../support/databases/relay.ts';
import { startReplicated, type Replicated } from '../support/databases/replicated.ts';

const setLevel = (gateway: TestGateway, level: string) =>
  gateway.rest('PUT', '/api/v4/notification_settings', { token: gateway.tokens.guest, json: { level } });
const readiness = async ({ url }: TestGateway) => {
  const response = await fetch(`${url}/-/readiness`);
  return { status: response.status, text: await response.text() };
};
const patience = { timeout: 20_000, interval: 50 };

describe('a database that refuses writes', () => {
  let gateway: TestGateway;
  let database: string;
  beforeAll(async () => {
    gateway = await testGateway();
    [{ database }] = (await gateway.sql<{ database: string }>('select current_database() as database')) as [
      { database: string },
    ];
  });

  /** A setting of a role takes effect when it connects. */
  const alter = async (change: string) => {
    await query(
      gateway.databaseUrl,
      `begin read write; alter role current_user in database "${database}" ${change}; commit`,
    );
    await query(
      gateway.databaseUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
  };

  test('as read-only answers 503 at every door and in readiness; when it accepts them again, the gateway recovers by itself', async () => {
    const client = await registerApplication(await session(gateway, 'owner'));
    const issue = () => token(gateway, { grant_type: 'client_credentials', scope: 'api', ...inBody(client) });
    const mutate = () =>
      gateway.graphql(
        'mutation { updateNotificationSettings(input: { level: WATCH }) { notificationSettings { level } } }',
        { token: gateway.tokens.guest },
      );
    const rename = () =>
      gateway.rest('PUT', '/api/v4/groups/demo', { token: gateway.tokens.root, json: { description: 'Changed' } });
    const create = () =>
      gateway.rest('POST', '/api/v4/users', {
        token: gateway.tokens.root,
        json: { username: 'late', name: 'Late', email: 'late@example.com', password: 'a-password-of-late-1' },
      });
    await alter('set default_transaction_read_only = on');
    // Connections that were cut fail once.
    await vi.waitFor(
      async () => expect((await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest })).status).toBe(200),
      patience,
    );
    for (const write of [() => setLevel(gateway, 'watch'), rename, create])
      expect(await write()).toMatchObject({ status: 503, body: { message: '503 Service Unavailable' } });
    expect(await issue()).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
    expect(refusal(await mutate())).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await readiness(gateway)).toMatchObject({ status: 503, text: expect.stringContaining('takes no changes') });

    // Open connections get no notice: they keep refusing.
    await query(
      gateway.databaseUrl,
      `begin read write; alter role current_user in database "${database}" reset default_transaction_read_only; commit`,
    );
    await vi.waitFor(async () => expect((await setLevel(gateway, 'watch')).status).toBe(200), patience);
    await vi.waitFor(async () => expect((await readiness(gateway)).status).toBe(200), patience);
    for (const write of [rename, create, issue]) expect((await write()).status).toBeLessThan(300);
    dataOf(await mutate());
  });

  test('after a lock timeout of the role answers 503', async () => {
    await alter(`set lock_timeout = '100ms'`);
    await vi.waitFor(async () => expect((await setLevel(gateway, 'watch')).status).toBe(200), patience);
    const answers = await gateway.gateway.application.database.transaction(async (sql) => {
      await sql.rows({ name: '', text: 'lock table global_notification_settings, namespaces in share mode' }, []);
      return [
        await setLevel(gateway, 'mention'),
        await gateway.rest('PUT', '/api/v4/groups/demo', {
          token: gateway.tokens.root,
          json: { description: 'Again' },
        }),
      ];
    });
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect((await setLevel(gateway, 'mention')).status).toBe(200);
    await alter('reset lock_timeout');
  });
});

test('a database that is silent for less than the connection timeout isn’t given up', async () => {
  const first = await testGateway();
  const relay = await relayTo(first.databaseUrl);
  afterFile(() => relay.close());
  const { rest, tokens } = await testGateway({ DATABASE_URL: relay.url, CAUSEWAY_CONNECTION_TIMEOUT: '30000' }, first);
  const ask = () => rest('GET', '/api/v4/user', { token: tokens.root });
  expect((await ask()).status).toBe(200);
  relay.freeze();
  // Until it isn't known whether the server is still the primary.
  await pause(2_500);
  const asked = ask();
  // Longer than one look at it.
  await pause(6_000);
  relay.thaw();
  expect((await asked).status).toBe(200);
});

describe('after a promotion, with the former primary still running', () => {
  let servers: Replicated;
  let ways: [Relay, Relay];
  let gateways: [TestGateway, TestGateway];
  beforeAll(async () => {
    servers = await startReplicated({ synchronous_standby_names: 'replica' }, ['replica', 'another']);
    ways = [await relayTo(servers.primaryUrl), await relayTo(servers.primaryUrl)];
    const first = await testGateway({ DATABASE_URL: ways[0].url }, { databaseUrl: servers.primaryUrl } as TestGateway);
    const second = await testGateway({ DATABASE_URL: ways[1].url }, first);
    gateways = [first, second];
  });
  afterAll(async () => {
    for (const way of ways) await way.close();
    await servers.stop();
  });

  test('reads never show a state older than an acknowledged write, writes go on, and LISTEN moves to the new primary', async () => {
    const [one, other] = gateways;
    const levels = ['watch', 'mention', 'disabled', 'participating'];
    const { guest } = one.tokens;
    const levelAt = async (gateway: TestGateway) => {
      const { status, body } = await gateway.rest('GET', '/api/v4/notification_settings', { token: guest });
      return status === 200 ? (body as { level: string }).level : status;
    };
    const succeeds = (level: string) =>
      vi.waitFor(async () => expect((await setLevel(one, level)).status).toBe(200), patience);
    const changes = () => subscribe(other, 'subscription { notificationSettingsChanged { level } }', { token: guest });
    await succeeds('participating');
    const before = await changes();
    await servers.promote();
    for (const way of ways) way.turnTo(servers.replicaUrl);
    // One gateway finds the new primary at once; the other keeps its connections to the former one.
    expect(await levelAt(other)).toBe('participating');
    ways[0].cut();
    ways[0].restore();
    for (const level of [...levels, ...levels]) {
      await succeeds(level);
      for (const shown of await Promise.all(gateways.map(levelAt))) expect([level, 503]).toContain(shown);
    }
    await vi.waitFor(async () => expect(await levelAt(other)).toBe('participating'), patience);
    expect(await query(servers.primaryUrl, 'select pg_is_in_recovery() as follows')).toEqual([{ follows: false }]);
    for (const gateway of gateways) expect((await readiness(gateway)).status).toBe(200);

    // A listener at the former primary would receive nothing, so subscriptions end.
    await before.rest();
    const after = await changes();
    await succeeds('watch');
    expect(await after.next()).toMatchObject({ data: { data: { notificationSettingsChanged: { level: 'WATCH' } } } });
    after.leave();
  });

  test('a replica that still follows the former primary isn’t used, however far it has replayed', async () => {
    const [, leftBehind] = servers.replicaUrls as [string, string];
    const gateway = await testGateway({ DATABASE_URL: servers.replicaUrl, DATABASE_REPLICA_URL: leftBehind }, {
      databaseUrl: servers.replicaUrl,
    } as TestGateway);
    // The former primary writes on, past the position of the new one.
    await query(
      servers.primaryUrl,
      `set synchronous_commit = local; create table left_behind as select repeat('x', 500) as filling from generate_series(1, 40000)`,
    );
    const position = (url: string, which: string) =>
      query<{ at: string }>(url, `select (${which}() - '0/0')::text as at`).then(([row]) => Number(row!.at));
    const beyond = await position(servers.replicaUrl, 'pg_current_wal_lsn');
    await vi.waitFor(
      async () => expect(await position(leftBehind, 'pg_last_wal_replay_lsn')).toBeGreaterThan(beyond),
      patience,
    );
    for (const level of ['WATCH', 'MENTION', 'DISABLED']) {
      expect((await setLevel(gateway, level.toLowerCase())).status).toBe(200);
      const { currentUser } = dataOf(
        await gateway.graphql<{ currentUser: { notificationSettings: { nodes: { level: string }[] } } }>(
          '{ currentUser { notificationSettings(first: 1) { nodes { level } } } }',
          { token: gateway.tokens.guest },
        ),
      );
      expect(currentUser.notificationSettings.nodes[0]!.level).toBe(level);
    }
  });

  test('a way back to the former primary isn’t taken', async () => {
    for (const way of ways) {
      way.turnTo(servers.primaryUrl);
      way.cut();
      way.restore();
    }
    expect((await setLevel(gateways[0], 'mention')).status).toBe(503);
    await vi.waitFor(async () => expect((await readiness(gateways[0])).status).toBe(503), patience);
    for (const way of ways) way.turnTo(servers.replicaUrl);
    await vi.waitFor(async () => expect((await setLevel(gateways[0], 'mention')).status).toBe(200), patience);
  });
});
