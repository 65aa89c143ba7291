import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OpenDatabase } from '../src/database/index.ts';
import { writeGlobalSetting, writeGroupSettings } from '../src/database/statements/notification-settings.ts';
import { databaseUrl } from './support/database.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import { account } from './support/oauth.ts';
import { sentBy } from './support/statements.ts';

/** What people change in the same moment goes to the database as one message and one transaction, and yet is each one's own. */

let gateway: TestGateway;
let database: OpenDatabase;
let people: number[];
let name: string;
beforeAll(async () => {
  gateway = await testGateway();
  ({ database } = gateway.gateway.application);
  people = [];
  for (const username of ['one', 'two', 'three', 'four']) people.push(Number((await account(gateway, username)).id));
  people.sort((one, other) => one - other);
  [{ name }] = (await gateway.sql<{ name: string }>('select current_database() as name')) as [{ name: string }];
});
beforeEach(() => gateway.sql(`update global_notification_settings set level = 'PARTICIPATING'`));

const change = (person: number, level = 'WATCH') => database.rows(writeGlobalSetting, [person, level, {}, false, null]).then(([row]) => row!.level);
const levels = async () => {
  const rows = await gateway.sql<{ level: string }>('select level::text as level from global_notification_settings where user_id = any($1) order by user_id', [people]);
  return rows.map(({ level }) => level);
};
const writes = async (work: () => Promise<unknown>) => (await sentBy(work)).filter(({ text }) => text.startsWith('insert into global_notification_settings'));

/** Works while another connection has somebody's setting in hand. */
async function whileHeld(person: number, work: () => Promise<unknown>): Promise<void> {
  await change(person, 'PARTICIPATING');
  const client = new pg.Client(databaseUrl(name));
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from global_notification_settings where user_id = $1 for update', [person]);
  try {
    await work();
  } finally {
    await client.end();
  }
}

describe('changes of the same moment', () => {
  test('share a message, and everybody is told their own', async () => {
    const asked = ['WATCH', 'MENTION', 'DISABLED', 'CUSTOM'];
    const sent = await writes(async () => {
      expect(await Promise.all(people.map((person, at) => change(person, asked[at])))).toEqual(asked);
    });
    expect(sent).toHaveLength(1);
    expect(await levels()).toEqual(asked);
  });

  test('lock in one order, whoever came first, so that none waits for another in a circle', async () => {
    const [sent] = await writes(() => Promise.all(people.toReversed().map((person) => change(person))));
    expect(sent!.values[0]).toBe(people[0]);
  });

  test('of one person happen one after the other, and the last counts', async () => {
    const [person] = people as [number];
    expect(await Promise.all(['WATCH', 'MENTION', 'DISABLED'].map((level) => change(person, level)))).toEqual(['WATCH', 'MENTION', 'DISABLED']);
    expect((await levels())[0]).toBe('DISABLED');
  });

  test('go on for the others where one waits for a lock, and it goes on when it has the lock', async () => {
    const [held, ...others] = people as [number, ...number[]];
    let waiting!: Promise<unknown>;
    await whileHeld(held, async () => {
      waiting = change(held);
      expect(await Promise.all(others.map((person) => change(person)))).toEqual(others.map(() => 'WATCH'));
      expect(await levels()).toEqual(['PARTICIPATING', 'WATCH', 'WATCH', 'WATCH']);
    });
    expect(await waiting).toBe('WATCH');
    expect(await levels()).toEqual(['WATCH', 'WATCH', 'WATCH', 'WATCH']);
  });

  test('go on for the others where one fails', async () => {
    const [{ id }] = (await gateway.sql<{ id: number }>(`select id from namespaces where full_path = 'demo'`)) as [{ id: number }];
    const inGroup = (person: number, group: number) => database.rows(writeGroupSettings, [person, [group], ['WATCH'], ['{}']]);
    const results = await Promise.allSettled([inGroup(people[0]!, id), inGroup(people[1]!, 2_000_000_000), inGroup(people[2]!, id)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = await gateway.sql<{ user_id: number }>('select user_id from group_notification_settings where user_id = any($1) order by user_id', [people]);
    expect(stored.map(({ user_id }) => user_id)).toEqual([people[0], people[2]]);
  });

  test('stay written where the connection of one that still waits is lost, and only that one is told', async () => {
    const [held] = people as [number];
    await whileHeld(held, async () => {
      const all = Promise.allSettled(people.map((person) => change(person)));
      // By then it waits by itself.
      const [{ pid }] = await vi.waitFor(async () => {
        const found = await gateway.sql<{ pid: number }>(
          `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into global%'
             and now() - query_start > interval '200 milliseconds'`,
        );
        expect(found).toHaveLength(1);
        return found as [{ pid: number }];
      }, { timeout: 20_000, interval: 20 });
      await gateway.sql('select pg_terminate_backend($1)', [pid]);
      expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    });
    expect(await levels()).toEqual(['PARTICIPATING', 'WATCH', 'WATCH', 'WATCH']);
  });
});
