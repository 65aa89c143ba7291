import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { examine } from '../../src/cli/doctor/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { startGateway } from '../../src/server.ts';
import { dataOf } from '../support/requests/answers.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { followsStatements, hasPgBouncer, startPgBouncer, type PgBouncer } from '../support/databases/pgbouncer.ts';
import { poolerTo, type Pooler } from '../support/databases/pooler.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';

/** A pooler that lends connections per transaction either does all that the gateway needs, or is refused. */

let direct: TestGateway;
beforeAll(async () => {
  direct = await testGateway();
});
afterAll(killProcesses);

const settings = (url: string) => ({
  DATABASE_URL: url,
  CAUSEWAY_SECRET_KEY: secretKey,
  CAUSEWAY_LOG_LEVEL: 'error',
  PORT: '0',
});
const start = (url: string) => startGateway(readConfig(settings(url)));
const diagnosis = async (url: string) => (await examine(settings(url))).find(({ name }) => name === 'database');
const patience = { timeout: 20_000, interval: 50 };
const loses = /loses prepared statements.*PgBouncer before 1\.21/;
const remedy = /PgBouncer 1\.21 or later with max_prepared_statements/;

describe('a pooler that carries prepared statements', () => {
  let pooler: Pooler;
  let gateway: TestGateway;
  let person: number;
  beforeAll(async () => {
    // Fewer than the gateway's own, so that they change users all the time.
    pooler = await poolerTo(direct.databaseUrl, 3);
    gateway = await testGateway({ DATABASE_URL: pooler.url }, direct);
    const { body } = await gateway.rest('GET', '/api/v4/user', { token: gateway.tokens.guest });
    person = (body as { id: number }).id;
  });
  afterAll(() => pooler.close());

  const read = () => gateway.rest('GET', '/api/v4/notification_settings', { token: gateway.tokens.guest });
  const works = async (round: number) => {
    const token = gateway.tokens.guest;
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, read),
      gateway.rest('PUT', '/api/v4/notification_settings', { token, json: { level: ['watch', 'mention'][round % 2] } }),
      gateway.rest('GET', '/api/v4/projects', { token }),
      // One of Prisma's transactions.
      gateway.rest('PUT', `/api/v4/users/${person}`, { token: direct.tokens.root, json: { name: `Guest ${round}` } }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    dataOf(
      await gateway.graphql(
        '{ currentUser { notificationSettings(first: 5) { nodes { level } } } projects(first: 5) { nodes { fullPath } } }',
        { token },
      ),
    );
  };

  test('works, whichever connection it lends for which transaction', async () => {
    for (let round = 0; round < 10; round++) await works(round);
    expect(pooler.exchanges).toBeGreaterThan(20);
  });

  test('passes the doctor’s check', async () => {
    expect(await diagnosis(pooler.url)).toMatchObject({ status: 'ok' });
  });

  test('and stops doing so is refused completely, until it does again', async () => {
    pooler.follows = false;
    await vi.waitFor(async () => expect((await read()).status).toBe(503), patience);
    for (let time = 0; time < 20; time++) expect((await read()).status).toBe(503);
    await vi.waitFor(async () => expect((await fetch(`${gateway.url}/-/readiness`)).status).toBe(503), patience);
    await expect(start(pooler.url)).rejects.toMatchObject({
      message: expect.stringMatching(loses),
      remedy: expect.stringMatching(remedy),
    });
    expect(await diagnosis(pooler.url)).toEqual({
      name: 'database',
      status: 'problem',
      says: expect.stringMatching(loses),
      remedy: expect.stringMatching(remedy),
    });
    pooler.follows = true;
    await vi.waitFor(async () => expect((await read()).status).toBe(200), patience);
    await works(10);
  });
});

test.each([1, 2, 5])(
  'a pooler that doesn’t carry prepared statements is detected with %i connections',
  async (connections) => {
    const pooler = await poolerTo(direct.databaseUrl, connections);
    pooler.follows = false;
    try {
      expect(await diagnosis(pooler.url)).toMatchObject({ status: 'problem', says: expect.stringMatching(loses) });
    } finally {
      await pooler.close();
    }
  },
);

describe.runIf(hasPgBouncer)('PgBouncer', () => {
  const started: PgBouncer[] = [];
  const bouncer = async (more: Record<string, string | number>) => {
    const one = await startPgBouncer(direct.databaseUrl, more);
    started.push(one);
    return one.url;
  };
  afterAll(async () => {
    for (const one of started) await one.stop();
  });
  const ignoring = { ignore_startup_parameters: 'statement_timeout' };

  describe.skipIf(hasPgBouncer && followsStatements())('before 1.21 with pool_mode = transaction', () => {
    const before = (default_pool_size: number) => bouncer({ pool_mode: 'transaction', default_pool_size, ...ignoring });

    test('is refused with its name by a start, a command and the doctor', async () => {
      const url = await before(20);
      for (const command of ['start', 'user list', 'doctor']) {
        const { ended, output } = startProcess(settings(url), [process.execPath, 'dist/cli.js', ...command.split(' ')]);
        expect([command, await ended()]).toEqual([command, 1]);
        for (const said of [loses, remedy])
          expect((output.stdout + output.stderr).replaceAll(/\s+/g, ' ')).toMatch(said);
      }
    });

    test('is also detected when it has one connection', async () => {
      expect(await diagnosis(await before(1))).toMatchObject({ status: 'problem', says: expect.stringMatching(loses) });
    });
  });

  test('that refuses statement_timeout gets the remedy to ignore it', async () => {
    const url = await bouncer({ pool_mode: 'session' });
    await expect(start(url)).rejects.toMatchObject({
      message: expect.stringContaining('statement_timeout'),
      remedy: expect.stringContaining('ignore_startup_parameters'),
    });
    expect(await diagnosis(url)).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('ignore_startup_parameters'),
    });
  });

  test('with pool_mode = session works', async () => {
    const gateway = await testGateway({ DATABASE_URL: await bouncer({ pool_mode: 'session', ...ignoring }) }, direct);
    expect(
      (
        await gateway.rest('PUT', '/api/v4/notification_settings', {
          token: gateway.tokens.guest,
          json: { level: 'watch' },
        })
      ).status,
    ).toBe(200);
    expect((await fetch(`${gateway.url}/-/readiness`)).status).toBe(200);
  });
});
