import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dataOf, refusal } from '../support/requests/answers.ts';
import { databaseUrl } from '../support/databases/database.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { sentBy } from '../support/databases/statements.ts';

/** Few connections, and statements that only a client ends. */
let own: TestGateway;
let name: string;
let admin: pg.Client;
beforeAll(async () => {
  own = await testGateway({
    CAUSEWAY_DATABASE_CONNECTIONS: '2',
    CAUSEWAY_STATEMENT_TIMEOUT: '600000',
    CAUSEWAY_LOG_LEVEL: 'silent',
  });
  [{ name }] = (await own.sql<{ name: string }>('select current_database() as name')) as [{ name: string }];
  admin = new pg.Client(databaseUrl('postgres'));
  await admin.connect();
});
afterAll(() => admin.end());

const waitingStatements = async () => {
  const { rows } = await admin.query(
    `select pid, query from pg_stat_activity where datname = $1 and application_name = 'causeway' and wait_event_type = 'Lock'`,
    [name],
  );
  return rows as { pid: number; query: string }[];
};
const until = (count: number) =>
  vi.waitFor(async () => expect(await waitingStatements()).toHaveLength(count), { timeout: 20_000, interval: 10 });

/** Runs work while other sessions wait for tables, locked as by `lock table`. */
async function whileLocked(tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(databaseUrl(name));
  await client.connect();
  await client.query(`begin; ${tables.map((table) => `lock table ${table} mode`).join('; ')}`);
  try {
    await work();
  } finally {
    await client.end();
  }
}

/** Sends an operation; returns the error's name for a client that disconnected. */
const send = async (query: string, signal: AbortSignal) => {
  const sent = fetch(`${own.url}/graphql`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${own.tokens.guest}` },
    body: JSON.stringify({ query }),
  });
  return await sent.then(
    (response) => response.status,
    (error: Error) => error.name,
  );
};

const byHand = {
  kind: 'by hand',
  locks: ['group_notification_settings in access exclusive'],
  query: '{ notificationSettings(group: "demo") { level } }',
};
const ofPrisma = {
  kind: 'of Prisma',
  locks: ['routes in access exclusive'],
  query: '{ user(username: "guest") { name } }',
};
const inTransaction = {
  kind: 'in a transaction',
  locks: ['global_notification_settings in share'],
  query:
    'mutation { bulkUpdateNotificationSettings(input: { settings: [{ level: WATCH }] }) { notificationSettings { level } } }',
};

describe('a client that disconnects', () => {
  test.each([byHand, ofPrisma])('cancels a statement $kind when its client disconnects', async ({ locks, query }) => {
    await whileLocked(locks, async () => {
      const disconnect = new AbortController();
      const answer = send(query, disconnect.signal);
      await until(1);
      disconnect.abort();
      expect(await answer).toBe('AbortError');
      await until(0);
    });
    dataOf(await own.graphql(query, { token: own.tokens.guest }));
  });

  test('cancels its statements, even when all connections are in use by waiting ones', async () => {
    await whileLocked(byHand.locks, async () => {
      const disconnect = new AbortController();
      const first = send(byHand.query, disconnect.signal);
      await until(1);
      // Concurrent calls of the same statement share a message.
      const answers = [first, send(byHand.query, disconnect.signal)];
      await until(2);
      disconnect.abort();
      expect(await Promise.all(answers)).toEqual(['AbortError', 'AbortError']);
      await until(0);
      expect(dataOf(await own.graphql('{ currentUser { username } }', { token: own.tokens.guest }))).toEqual({
        currentUser: { username: 'guest' },
      });
    });
  });

  test('doesn’t interrupt a transaction', async () => {
    await whileLocked([...byHand.locks, ...inTransaction.locks], async () => {
      const disconnect = new AbortController();
      const answers = [send(inTransaction.query, disconnect.signal), send(byHand.query, disconnect.signal)];
      await until(2);
      disconnect.abort();
      await Promise.all(answers);
      await until(1);
    });
    await vi.waitFor(async () => {
      const { data } = await own.graphql('{ notificationSettings { level } }', { token: own.tokens.guest });
      expect(data).toEqual({ notificationSettings: { level: 'WATCH' } });
    });
  });
});

describe('concurrent look-ups of one kind', () => {
  const underWay = async () =>
    Number(/^causeway_requests_under_way (\d+)/m.exec(await (await fetch(`${own.url}/-/metrics`)).text())![1]);
  const allCame = (count: number) => vi.waitFor(async () => expect(await underWay()).toBe(count), { timeout: 20_000 });

  /** Sends concurrent requests while two look-ups of their kind wait for a lock, then lets all go on. */
  async function together<Answer>(send: () => Promise<Answer>[]): Promise<Answer[]> {
    let answers: Promise<Answer>[] = [];
    await whileLocked(byHand.locks, async () => {
      for (const count of [1, 2]) {
        void own.graphql(byHand.query, { token: own.tokens.guest });
        await until(count);
      }
      answers = send();
      await allCame(2 + answers.length);
    });
    return await Promise.all(answers);
  }
  const ask = (token: string, group = 'demo') =>
    own.graphql(`{ notificationSettings(group: "${group}") { level } currentUser { username } }`, { token });

  test('share a message, and each gets its own result', async () => {
    const people = ['root', 'maintainer', 'developer', 'guest'] as const;
    for (const name of people) await ask(own.tokens[name]);
    const sent = await sentBy(async () => {
      const answers = await together(() => people.map((name) => ask(own.tokens[name])));
      expect(answers.map((answer) => (dataOf(answer) as { currentUser: object }).currentUser)).toEqual(
        people.map((username) => ({ username })),
      );
    });
    expect(sent.filter(({ text }) => text.includes('group_notification_settings s'))).toHaveLength(3);
  });

  test('don’t fail because one asks for text that can’t be stored', async () => {
    const answers = await together(() =>
      ['demo', 'a\\u0000b', 'demo'].map((group) => ask(own.tokens.developer, group)),
    );
    expect(answers.map(({ errors = [] }) => errors.map(({ extensions }) => extensions!.code))).toEqual([
      [],
      ['BAD_REQUEST'],
      [],
    ]);
  });

  test.each([
    { they: 'go on for who stays of those who share one', leave: [2], waiting: 2 },
    { they: 'end with the last who leaves of those who share one', leave: [2, 3], waiting: 1 },
  ])('$they', async ({ leave, waiting }) => {
    const clients = Array.from({ length: 4 }, () => new AbortController());
    const answers: Promise<string | number>[] = [];
    const ask = (at: number) => answers.push(send(byHand.query, clients[at]!.signal));
    const leaves = async (at: number) => {
      clients[at]!.abort();
      expect(await answers[at]).toBe('AbortError');
    };
    await whileLocked(byHand.locks, async () => {
      for (const at of [0, 1]) {
        ask(at);
        await until(at + 1);
      }
      ask(2);
      ask(3);
      await allCame(4);
      const before = (await waitingStatements()).map(({ pid }) => pid);
      await leaves(0);
      // Those two take its place, on a connection of their own.
      await vi.waitFor(
        async () => expect((await waitingStatements()).filter(({ pid }) => !before.includes(pid))).toHaveLength(1),
        { timeout: 20_000 },
      );
      for (const at of leave) await leaves(at);
      await until(waiting);
    });
    expect(await Promise.all(answers)).toEqual(clients.map(({ signal }) => (signal.aborted ? 'AbortError' : 200)));
  });
});

describe('a database', () => {
  test.each([byHand, ofPrisma, inTransaction])(
    'that drops a connection during a statement $kind is reported unavailable, and the gateway goes on',
    async ({ locks, query }) => {
      await whileLocked(locks, async () => {
        const answer = own.graphql(query, { token: own.tokens.guest });
        await until(1);
        for (const { pid } of await waitingStatements()) await admin.query('select pg_terminate_backend($1)', [pid]);
        expect(refusal(await answer)).toMatchObject({ code: 'UNAVAILABLE' });
      });
      dataOf(await own.graphql(query, { token: own.tokens.guest }));
    },
  );

  test('that can’t be reached answers 503 at every door, and works again by itself when it is back', async () => {
    await admin.query(`alter database "${name}" allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    try {
      const withToken = await own.graphql('{ currentUser { id } }', { token: own.tokens.guest });
      expect(withToken.status).toBe(503);
      expect(refusal(withToken)).toMatchObject({ code: 'UNAVAILABLE' });
      expect(withToken.headers.get('retry-after')).toBe('1');

      const anonymous = await own.graphql('{ group(id: "demo") { id } }');
      expect(refusal(anonymous)).toMatchObject({
        code: 'UNAVAILABLE',
        message: 'The service is unavailable for the moment. Try again later.',
      });

      const overRest = await own.rest('GET', '/api/v4/user', { token: own.tokens.guest });
      expect(overRest).toMatchObject({ status: 503, body: { message: '503 Service Unavailable' } });
      expect(overRest.headers.get('retry-after')).toBe('1');
    } finally {
      await admin.query(`alter database "${name}" allow_connections true`);
    }
    expect(dataOf(await own.graphql('{ currentUser { username } }', { token: own.tokens.guest }))).toEqual({
      currentUser: { username: 'guest' },
    });
  });
});
