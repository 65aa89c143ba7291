import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { copyOut } from '../../src/database/backup/copy.ts';
import { backUpDatabase, restoreDatabase } from '../../src/backups.ts';
import { migrateDatabase } from '../../src/maintenance.ts';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { relayTo, type Relay } from '../support/databases/relay.ts';
import { runs } from '../support/run/runs.ts';

/** A backup and a restore end, whatever the sizes of tables and whatever stops responding. */

let gateway: TestGateway;
let client: pg.Client;
let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'backup-ends-'));
  gateway = await testGateway();
  client = new pg.Client({ connectionString: gateway.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await rm(place, { recursive: true, force: true });
});

/** Sizes around which a buffer fills: the chunk, the stream's buffer, one read of a socket. */
const bounds = [16_384, 65_536, 131_072, 196_608];

/** Rows of `width` bytes including the line feed, at least `size` bytes in all. @returns the bytes received */
async function copied(size: number, width: number, consume: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const rows = Math.ceil(size / width);
  for await (const chunk of copyOut(
    client,
    `COPY (SELECT repeat('x', ${width - 1}) FROM generate_series(1, ${rows})) TO STDOUT`,
  )) {
    bytes += (chunk as Buffer).length;
    await consume();
  }
  // The result of the next statement comes over the same socket.
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  return bytes - rows * width;
}

test.each([
  ['at once', () => Promise.resolve()],
  ['a turn later', () => turn()],
])(
  'tables of every size around the buffers’ limits are read to the end, each chunk taken %s',
  async (_when, consume) => {
    for (const bound of bounds) {
      for (const width of [16, 64, 1_000, 8_192, 65_536]) {
        for (let size = bound - 3 * width; size <= bound + 3 * width; size += width) {
          if (size > 0)
            expect([bound, width, size, await copied(size, width, consume)]).toEqual([bound, width, size, 0]);
        }
      }
    }
  },
);

test('rows that aren’t read to the end don’t block the next statement', async () => {
  for await (const _ of copyOut(client, `COPY (SELECT repeat('x', 1000) FROM generate_series(1, 2000)) TO STDOUT`))
    break;
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

test('a failure in the middle of rows fails the stream, and doesn’t block the next statement', async () => {
  const read = async () => {
    for await (const _ of copyOut(
      client,
      `COPY (SELECT repeat('x', 1000) || 1 / (70 - n) FROM generate_series(1, 2000) n) TO STDOUT`,
    ))
      void _;
  };
  await expect(read()).rejects.toMatchObject({ code: '22012' });
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

const given = (url: string) => readConfig({ DATABASE_URL: url, CAUSEWAY_SECRET_KEY: secretKey });
const quiet = () => undefined;

test('repeated backups end while tables grow', { timeout: 60_000 * runs }, async () => {
  for (let nth = 0; nth < Math.min(100, 12 * runs); nth++) {
    await gateway.sql(
      `insert into attempt_counters (key, started_at, count) select $1 || n || repeat('x', $2::int), now(), 1 from generate_series(1, 250) n`,
      [`${nth} `, (nth * 131) % 500],
    );
    const file = join(place, `${nth}.gz`);
    const { tables } = await backUpDatabase(given(gateway.databaseUrl), file, quiet);
    expect(tables.find(({ name }) => name === 'attempt_counters')?.rows).toBe(250 * (nth + 1));
    await rm(file);
  }
});

describe('without progress the command fails, and names the step', () => {
  let relay: Relay;
  beforeAll(async () => {
    relay = await relayTo(gateway.databaseUrl);
  });
  afterEach(() => relay.thaw());
  afterAll(() => relay.close());

  const stalled = (step: RegExp) => ({
    name: 'BackupError',
    message: expect.stringMatching(new RegExp(`^No progress for 1 seconds while ${step.source}\\.$`)),
    remedy: expect.stringContaining('--stall-timeout'),
  });

  test('a backup behind another session’s lock; it leaves nothing behind', async () => {
    const file = join(place, 'locked.gz');
    await client.query('begin; lock table users in access exclusive mode');
    try {
      await expect(
        backUpDatabase(given(gateway.databaseUrl), file, quiet, { stallTimeout: 1_000 }),
      ).rejects.toMatchObject(stalled(/waiting for the locks of the tables/));
    } finally {
      await client.query('rollback');
    }
    expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, false]);
    // The server learns that its client is gone when it has the lock and answers.
    await vi.waitFor(async () => {
      const sessions = `select from pg_stat_activity where application_name = 'causeway backup' and datname = current_database()`;
      expect(await gateway.sql(sessions)).toEqual([]);
    }, 20_000);
  });

  test('a backup whose server hangs in the middle', async () => {
    const file = join(place, 'frozen.gz');
    // The header was sent, and the first row about the progress.
    const freeze = () => relay.freeze();
    await expect(backUpDatabase(given(relay.url), file, freeze, { stallTimeout: 1_000 })).rejects.toMatchObject(
      stalled(/copying \w+/),
    );
    expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, false]);
  });

  test('a restore whose server hangs in the middle; nothing is kept', async () => {
    const file = join(place, 'whole.gz');
    await backUpDatabase(given(gateway.databaseUrl), file, quiet);
    const { name, url } = await makeDatabase('empty');
    const way = await relayTo(url);
    try {
      const progress = (label: string) => (label === 'rows restored' ? way.freeze() : undefined);
      await expect(
        restoreDatabase(given(way.url), file, {
          otherKey: false,
          signOut: false,
          progress,
          onNotice: quiet,
          stallTimeout: 1_000,
        }),
      ).rejects.toMatchObject(stalled(/copying \w+/));
      // The server notices that the session has ended.
      way.thaw();
      expect(await query(url, 'select from users')).toEqual([]);
    } finally {
      await way.close();
      await dropDatabase(name);
    }
  });

  test('a restore goes on while the server works longer than that by itself', async () => {
    const file = join(place, 'slow.gz');
    await backUpDatabase(given(gateway.databaseUrl), file, quiet);
    const { name, url } = await makeDatabase('empty');
    try {
      await migrateDatabase(given(url), quiet);
      // Work after the last row, such as checking foreign keys; the test ends it.
      await query(url, 'create sequence steps');
      await query(
        url,
        `create function slow() returns trigger language plpgsql as $$ begin while nextval('steps') < 100 loop perform pg_sleep(0.02); end loop; return null; end $$`,
      );
      await query(url, 'create trigger slow after insert on users for each statement execute function slow()');
      await restoreDatabase(given(url), file, {
        otherKey: false,
        signOut: false,
        progress: quiet,
        onNotice: quiet,
        stallTimeout: 500,
      });
      expect(await query(url, 'select from users')).toHaveLength(4);
    } finally {
      await dropDatabase(name);
    }
  });

  test('a server that accepts connections and never answers', async () => {
    relay.freeze();
    await expect(
      backUpDatabase(given(relay.url), join(place, 'mute.gz'), quiet, { stallTimeout: 1_000 }),
    ).rejects.toThrow(/timeout expired/);
  });
});
