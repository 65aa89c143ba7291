import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { onlyReads } from '../../src/database/wire/replica.ts';
import { dataOf } from '../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { databaseUrl } from '../support/databases/database.ts';
import { runs } from '../support/run/runs.ts';
import { startReplicated, type Replicated } from '../support/databases/replicated.ts';

const settings =
  '{ currentUser { notificationSettings(first: 1) { nodes { level } } } projects(first: 5) { nodes { fullPath } } }';
interface Settings {
  currentUser: { notificationSettings: { nodes: { level: string }[] } };
  projects: { nodes: { fullPath: string }[] };
}

/** The global level from a list, which isn't prefetched with the credential. */
async function levelOf(gateway: TestGateway, token: string): Promise<string> {
  return dataOf(await gateway.graphql<Settings>(settings, { token })).currentUser.notificationSettings.nodes[0]!.level;
}
const setLevel = (gateway: TestGateway, token: string, level: string) =>
  gateway.rest('PUT', '/api/v4/notification_settings', { token, json: { level } });

describe('an address that is no replica', () => {
  test.each([
    ['the primary itself', () => databaseUrl('postgres')],
    ['where nothing listens', () => 'postgres://nobody:x@127.0.0.1:9/nothing'],
  ])('(%s) is left alone: the primary answers', async (_what, url) => {
    const gateway = await testGateway({ DATABASE_REPLICA_URL: url() });
    const token = gateway.tokens.guest;
    for (const level of ['watch', 'mention', 'disabled']) {
      await setLevel(gateway, token, level);
      expect(await levelOf(gateway, token)).toBe(level.toUpperCase());
    }
  });
});

describe('a statement', () => {
  test.each(['select 1', ' select updated_at from users', 'with a as (select 1) select * from a'])(
    'that only reads is recognised: %s',
    (text) => expect(onlyReads(text)).toBe(true),
  );
  test.each([
    'insert into a values (1)',
    'with a as (update b set c = 1 returning *) select * from a',
    'select * from a for update',
    'select * from a for key share',
    'with a as (delete from b returning *) select 1',
    `select nextval('a')`,
    'select pg_advisory_xact_lock(1)',
    'select pg_try_advisory_lock(1)',
    'begin',
  ])('that does more is known too: %s', (text) => expect(onlyReads(text)).toBe(false));
});

// Two clusters take a while to create.
describe.runIf(runs > 1)('a replica', () => {
  let servers: Replicated;
  let gateway: TestGateway;
  let other: TestGateway;
  beforeAll(async () => {
    servers = await startReplicated();
    const replicated = { DATABASE_REPLICA_URL: servers.replicaUrl };
    gateway = await testGateway(replicated, { databaseUrl: servers.primaryUrl } as TestGateway);
    other = await testGateway(replicated, gateway);
  });
  afterAll(() => servers.stop());

  /** The last statements of the connections to the replica. */
  const answered = async () =>
    (
      await servers.onReplica<{ query: string }>(
        `select query from pg_stat_activity where application_name = 'causeway reading'`,
      )
    )
      .map(({ query }) => query)
      .join('\n');

  test('answers reads, hand-written and Prisma’s, but no credential look-ups', async () => {
    await vi.waitFor(
      async () => {
        for (let time = 0; time < 5; time++) await levelOf(gateway, gateway.tokens.maintainer);
        expect(await answered()).toMatch(/notification_settings|projects/);
      },
      { timeout: 30_000 },
    );
    expect(await answered()).not.toMatch(/_tokens|sessions/);
  });

  test('never shows less than any process has answered before', async () => {
    const token = gateway.tokens.developer;
    const levels = ['watch', 'mention', 'disabled', 'participating'];
    for (let round = 0; round < 200; round++) {
      const level = levels[round % levels.length]!;
      expect((await setLevel(round % 2 ? gateway : other, token, level)).status).toBe(200);
      expect(await levelOf(round % 3 ? gateway : other, token)).toBe(level.toUpperCase());
    }
  });

  test('that lags isn’t used, until it has caught up', async () => {
    const token = gateway.tokens.guest;
    await servers.onReplica('select pg_wal_replay_pause()');
    for (const level of ['watch', 'mention', 'disabled']) {
      await setLevel(gateway, token, level);
      expect(await levelOf(gateway, token)).toBe(level.toUpperCase());
      expect(await levelOf(other, token)).toBe(level.toUpperCase());
    }
    await servers.onReplica(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'causeway reading'`,
    );
    await levelOf(gateway, token);
    expect(await answered()).not.toMatch(/notification_settings/);
    await servers.onReplica('select pg_wal_replay_resume()');
    await vi.waitFor(
      async () => {
        expect(await levelOf(gateway, token)).toBe('DISABLED');
        expect(await answered()).toMatch(/notification_settings|projects/);
      },
      { timeout: 60_000 },
    );
  });

  test('that goes away loses no answer', async () => {
    const token = gateway.tokens.guest;
    await setLevel(gateway, token, 'disabled');
    const asking = Array.from({ length: 20 }, async () => {
      for (let time = 0; time < 10; time++) expect(await levelOf(gateway, token)).toBe('DISABLED');
    });
    await servers.stopReplica();
    await Promise.all(asking);
    expect(await levelOf(other, token)).toBe('DISABLED');
  });
});
