import pg from 'pg';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase, statement, type OpenDatabase, type Sql } from '../../src/database/index.ts';
import { createLog } from '../../src/observability/index.ts';
import { writeGlobalSetting, writeGroupSettings } from '../../src/schema/settings/notification-settings/statements.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { whileHeld, type Held } from '../support/databases/held.ts';
import { account } from '../support/oauth/oauth.ts';
import { sentBy } from '../support/databases/statements.ts';

/** Concurrent changes of different people share one message and one transaction, yet each has its own outcome. */

let gateway: TestGateway;
let database: OpenDatabase;
let people: number[];
beforeAll(async () => {
  gateway = await testGateway();
  ({ database } = gateway.gateway.application);
  people = [];
  for (const username of ['one', 'two', 'three', 'four']) people.push(Number((await account(gateway, username)).id));
  people.sort((one, other) => one - other);
});
beforeEach(() => Promise.all(people.map((person) => change(person, 'PARTICIPATING'))));

const change = (person: number, level = 'WATCH') =>
  database.rows(writeGlobalSetting, [person, level, {}, false, null]).then(([row]) => row!.level);
const levels = async () => {
  const rows = await gateway.sql<{ level: string }>(
    'select level::text as level from global_notification_settings where user_id = any($1) order by user_id',
    [people],
  );
  return rows.map(({ level }) => level);
};
const writes = async (work: () => Promise<unknown>) =>
  (await sentBy(work)).filter(({ text }) => text.startsWith('insert into global_notification_settings'));

/** Waits for so many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const settingOf = (person: number): Held => [
  'select from global_notification_settings where user_id = $1 for update',
  person,
];

describe('concurrent changes', () => {
  test('share a message, and each gets its own result', async () => {
    const asked = ['WATCH', 'MENTION', 'DISABLED', 'CUSTOM'];
    const sent = await writes(async () => {
      expect(await Promise.all(people.map((person, at) => change(person, asked[at])))).toEqual(asked);
    });
    expect(sent).toHaveLength(1);
    expect(await levels()).toEqual(asked);
  });

  test('and those that come while a message is in flight share the next', async () => {
    const [held, ...others] = people as [number, ...number[]];
    const holder = new pg.Client({ connectionString: gateway.databaseUrl });
    await holder.connect();
    const [statement, ...values] = settingOf(held);
    await holder.query('begin');
    await holder.query(statement, values);
    // However slow this machine is, the waiting message still counts as in flight.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const sent = await writes(async () => {
        const changes = [];
        for (const person of [held, ...others]) {
          changes.push(change(person));
          await turns(3);
        }
        await holder.query('commit');
        await Promise.all(changes);
      });
      expect(sent.map(({ values: [person] }) => person)).toEqual([held, others[0]]);
    } finally {
      vi.useRealTimers();
      await holder.end();
    }
    expect(await levels()).toEqual(['WATCH', 'WATCH', 'WATCH', 'WATCH']);
  });

  test('take locks in one order, so that they never deadlock', async () => {
    const [sent] = await writes(() => Promise.all(people.toReversed().map((person) => change(person))));
    expect(sent!.values[0]).toBe(people[0]);
  });

  test('of one person run one after the other, and the last one wins', async () => {
    const [person] = people as [number];
    expect(await Promise.all(['WATCH', 'MENTION', 'DISABLED'].map((level) => change(person, level)))).toEqual([
      'WATCH',
      'MENTION',
      'DISABLED',
    ]);
    expect((await levels())[0]).toBe('DISABLED');
  });

  test('go on while one waits for a lock, which goes on when it gets the lock', async () => {
    const [held] = people as [number];
    let changes: Promise<string | null>[] = [];
    const [answers] = await whileHeld(
      gateway,
      settingOf(held),
      [() => Promise.all((changes = people.map((person) => change(person))))],
      async () => {
        expect(await Promise.all(changes.slice(1))).toEqual(['WATCH', 'WATCH', 'WATCH']);
        expect(await levels()).toEqual(['PARTICIPATING', 'WATCH', 'WATCH', 'WATCH']);
      },
    );
    expect(answers![0]).toBe('WATCH');
    expect(await levels()).toEqual(['WATCH', 'WATCH', 'WATCH', 'WATCH']);
  });

  test('go on when one fails', async () => {
    const [{ id }] = (await gateway.sql<{ id: number }>(`select id from namespaces where full_path = 'demo'`)) as [
      { id: number },
    ];
    const inGroup = (person: number, group: number) =>
      database.rows(writeGroupSettings, [person, [group], ['WATCH'], ['{}'], [false], [null]]);
    const results = await Promise.allSettled([
      inGroup(people[0]!, id),
      inGroup(people[1]!, 2_000_000_000),
      inGroup(people[2]!, id),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = await gateway.sql<{ user_id: number }>(
      'select user_id from group_notification_settings where user_id = any($1) order by user_id',
      [people],
    );
    expect(stored.map(({ user_id }) => user_id)).toEqual([people[0], people[2]]);
  });

  test('stay written when the connection of one that still waits is lost, and only that one fails', async () => {
    const [held] = people as [number];
    const [answers] = await whileHeld(
      gateway,
      settingOf(held),
      [() => Promise.allSettled(people.map((person) => change(person)))],
      async () => {
        // By then it waits alone.
        const [{ pid }] = await vi.waitFor(
          async () => {
            const found = await gateway.sql<{ pid: number }>(
              `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into global%'
             and now() - query_start > interval '200 milliseconds'`,
            );
            expect(found).toHaveLength(1);
            return found as [{ pid: number }];
          },
          { timeout: 20_000, interval: 20 },
        );
        await gateway.sql('select pg_terminate_backend($1)', [pid]);
        // Reported while the row is still locked.
        await vi.waitFor(
          async () => expect(await gateway.sql('select from pg_stat_activity where pid = $1', [pid])).toHaveLength(0),
          { timeout: 20_000 },
        );
      },
    );
    expect(answers!.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(await levels()).toEqual(['PARTICIPATING', 'WATCH', 'WATCH', 'WATCH']);
  });
});

describe('a transaction begins with its first statement', () => {
  const to = (person: number, level: string) => [person, level, {}, false, null];
  // One that has prepared nothing yet.
  let single: OpenDatabase;
  beforeEach(() => {
    const connection = { connectionString: gateway.databaseUrl };
    single = openDatabase({ connection, connections: 1, statementTimeout: 15_000, log: createLog('silent') });
  });
  afterEach(() => single.close());

  test('and nothing of it stays if a later one fails', async () => {
    const [person] = people as [number];
    const failing = single.transaction(async (sql) => {
      expect(await sql.rows(writeGlobalSetting, to(person, 'WATCH'))).toMatchObject([{ level: 'WATCH' }]);
      await sql.rows(statement('', 'select 1 / 0'), []);
    });
    await expect(failing).rejects.toThrow(/division by zero/);
    expect((await levels())[0]).toBe('PARTICIPATING');
    await single.transaction((sql) => sql.rows(writeGlobalSetting, to(person, 'WATCH')));
    expect((await levels())[0]).toBe('WATCH');
  });

  test('so that nothing runs if that can’t be sent', async () => {
    const [person] = people as [number];
    const unsent = {
      toPostgres: () => {
        throw new Error('It has no text.');
      },
    };
    const failing = single.transaction(async (sql) => {
      await sql.rows(statement('', 'select $1::int'), [unsent]).catch(() => undefined);
      await sql.rows(writeGlobalSetting, to(person, 'WATCH'));
    });
    await expect(failing).rejects.toThrow(/It has no text/);
    expect((await levels())[0]).toBe('PARTICIPATING');
  });

  test('so that nothing runs if that fails, not even what was asked for at the same time', async () => {
    const absent = statement('', 'select from made_never');
    const write = (sql: Sql) => sql.rows(writeGlobalSetting, to(people[0]!, 'WATCH'));
    const goesOn = single.transaction(async (sql) => {
      await sql.rows(absent, []).catch(() => undefined);
      await write(sql);
    });
    await expect(goesOn).rejects.toThrow(/made_never/);
    const together = single.transaction((sql) => Promise.all([sql.rows(absent, []), write(sql)]));
    await expect(together).rejects.toThrow(/made_never/);
    // On the only connection: what was sent before has run by then.
    await single.rows(statement('', 'select 1'), []);
    expect((await levels())[0]).toBe('PARTICIPATING');
  });

  test('and takes none after its end', async () => {
    const ended = await single.transaction(async (sql) => {
      await sql.rows(statement('', 'select 1'), []);
      return sql;
    });
    await expect(ended.rows(writeGlobalSetting, to(people[0]!, 'WATCH'))).rejects.toThrow(/has ended/);
    expect((await levels())[0]).toBe('PARTICIPATING');
  });

  test('which is parsed again if that failed', async () => {
    const late = statement<{ one: number }>('late', 'select one from made_later');
    const read = () => single.transaction((sql) => sql.rows(late, []));
    await expect(read()).rejects.toThrow(/made_later/);
    await gateway.sql('create table made_later as select 1 as one');
    expect(await read()).toEqual([{ one: 1 }]);
    await gateway.sql('drop table made_later');
  });
});

test('a moment is read as pg’s own parser reads it, whatever its form', async () => {
  const texts = [
    '2026-06-28 10:52:04+00',
    '2026-06-28 10:52:04.1+00',
    '2026-06-28 10:52:04.012+00',
    '1999-12-31 23:59:59.999999+00',
    '0099-01-01 00:00:00+00',
    '0099-01-01 00:00:00+00 BC',
    '12026-01-01 00:00:00.5+00',
    'infinity',
  ];
  const read = statement<{ one: Date }>('', 'select one from unnest($1::timestamptz[]) one');
  for (const zone of ['UTC', 'Asia/Kathmandu'])
    await database.transaction(async (sql) => {
      await sql.rows(statement('', `set local timezone = '${zone}'`), []);
      const own = (await sql.rows(read, [texts])).map(({ one }) => one);
      const rows = await sql.rows(
        statement<{ one: string }>('', 'select one::text from unnest($1::timestamptz[]) one'),
        [texts],
      );
      const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text');
      expect(own).toEqual(rows.map(({ one }) => parse(one)));
      expect(own[2]).toEqual(new Date('2026-06-28T10:52:04.012Z'));
    });
});
