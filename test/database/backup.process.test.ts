import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { migrate } from '../../src/database/migrations/index.ts';
import { backUpDatabase, restoreDatabase } from '../../src/backups.ts';
import { migrateDatabase } from '../../src/maintenance.ts';
import { turnOn, type Authenticator } from '../support/oauth/authenticator.ts';
import { browserSession, signIn } from '../support/pages/browser-session.ts';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { account } from '../support/oauth/oauth.ts';

const quiet = () => undefined;
let place: string;
let gateway: TestGateway;
const databases: string[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'backup-'));
  await chmod(place, 0o755);
  gateway = await testGateway();
});
afterAll(async () => {
  for (const name of databases) await dropDatabase(name);
  await rm(place, { recursive: true, force: true });
});

const given = (url: string, key = secretKey) =>
  readConfig({ DATABASE_URL: url, CAUSEWAY_SECRET_KEY: key, DATA_DIR: join(place, 'files') });

async function empty(): Promise<string> {
  const { name, url } = await makeDatabase('empty');
  databases.push(name);
  return url;
}

const restore = (config: ReturnType<typeof readConfig>, file: string, { otherKey = false, signOut = false } = {}) =>
  restoreDatabase(config, file, { otherKey, signOut, progress: quiet, onNotice: quiet });

/**
 * Every row of every logged table as text, in an order that doesn't depend on storage, and the next values of the
 * sequences.
 */
async function everything(url: string): Promise<Record<string, unknown[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; kind: string }>(
      `select relname as name, relkind as kind from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relpersistence = 'p' and relname <> '_prisma_migrations'`,
    );
    const all: Record<string, unknown[]> = {};
    for (const { name, kind } of rows) {
      all[name] = (
        await client.query(
          kind === 'r'
            ? `select t::text from ${name} t order by 1`
            : `select last_value + is_called::int as next from ${name}`,
        )
      ).rows;
    }
    return all;
  } finally {
    await client.end();
  }
}

describe('a backup', () => {
  let file: string;
  let before: Record<string, unknown[]>;
  let careful: { password: string; app: Authenticator };

  beforeAll(async () => {
    const { username, password } = await account(gateway, 'careful');
    careful = { password, ...(await turnOn(gateway, await signIn(gateway, username, password))) };
    // What the text format must escape: its own markers, line feeds, non-ASCII, empty values, bytes.
    await gateway.sql(
      `update projects set description = E'a\\tb\\nc\\\\.\\n\\\\N "q" ''s'' ☃ 💡', topics = array['', 'a,b', '{x}', 'NULL', E'\\n'] where path = 'storefront'`,
    );
    await gateway.sql(
      `insert into known_places (user_id, place) select id, '\\x00ff0a5c' from users where username = 'guest'`,
    );
    // A child older than its parent, and a row longer than any chunk.
    await gateway.sql(
      `update projects set forked_from_id = (select max(id) from projects) where id = (select min(id) from projects)`,
    );
    await gateway.sql(
      `insert into audit_events (kind, address, request_id, detail) values ('test', '', '', repeat('long ', 50000))`,
    );
    // A table of many chunks, with rows of every length: chunks never end at a row's end.
    await gateway.sql(
      `insert into attempt_counters (key, started_at, count) select n || ' ' || repeat(md5(n::text), n % 17), now(), n from generate_series(1, 8000) n`,
    );
    // Removed, and its id must not be used again.
    await gateway.sql(`insert into users (username, name) values ('gone', 'Gone')`);
    await gateway.sql(`delete from users where username = 'gone'`);
    file = join(place, 'quiet.gz');
    before = await everything(gateway.databaseUrl);
    await backUpDatabase(given(gateway.databaseUrl), file, quiet);
  });

  test('restores every row and the next ids; people sign in, second factors and tokens work', async () => {
    const url = await empty();
    const header = await restore(given(url), file);
    expect(await everything(url)).toEqual(before);
    expect(Object.keys(before)).toHaveLength(header.tables.length + header.sequences.length);
    expect(header.tables.find(({ name }) => name === 'second_factors')?.rows).toBe(1);

    const restored = await testGateway({}, { ...gateway, databaseUrl: url });
    expect((await restored.rest('GET', '/api/v4/user', { token: gateway.tokens.maintainer })).body.username).toBe(
      'maintainer',
    );
    const browser = await signIn(restored, 'careful', careful.password);
    expect(browser.cookies.has('causeway_session')).toBe(false);
    await browser.press((await browser.get('/users/sign_in/second_factor')).form('Verify code'), {
      code: careful.app.code(),
    });
    expect(browser.cookies.has('causeway_session')).toBe(true);
  });

  test('revokes sessions and OAuth tokens on request; personal access tokens and passwords stay', async () => {
    const url = await empty();
    const bearer = await gateway.accessToken('developer', ['api']);
    const session = await signIn(gateway, 'developer');
    const later = join(place, 'later.gz');
    await backUpDatabase(given(gateway.databaseUrl), later, quiet);
    await restore(given(url), later, { signOut: true });
    const restored = await testGateway({}, { ...gateway, databaseUrl: url });
    const asks = async (token: string) =>
      (await restored.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await asks(bearer), await asks(gateway.tokens.maintainer)]).toEqual([401, 200]);
    expect((await browserSession(restored, session.cookies).get('/profile')).status).toBe(303);
    expect((await signIn(restored, 'developer')).cookies.has('causeway_session')).toBe(true);
  });

  test('is readable by its owner only, and never overwrites a file', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
    await expect(backUpDatabase(given(gateway.databaseUrl), file, quiet)).rejects.toMatchObject({
      message: `${file} exists already.`,
    });
  });

  test('contains no password, token or instance key', async () => {
    const text = gunzipSync(await readFile(file)).toString();
    for (const secret of [secretKey, gateway.tokens.root, gateway.tokens.maintainer, careful.password])
      expect(text).not.toContain(secret);
  });

  test('shows one moment, while writes continue', async () => {
    let written = 0;
    let stop = false;
    const writing = (async () => {
      for (; !stop; written++) {
        await gateway.sql(
          `with one as (insert into attempt_counters (key, started_at, count) values ($1, now(), 1)) insert into audit_events (kind, address, request_id, detail) values ('pair', '', '', $1)`,
          [`pair ${written}`],
        );
      }
    })();
    const busy = join(place, 'busy.gz');
    while (written < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    await backUpDatabase(given(gateway.databaseUrl), busy, quiet);
    stop = true;
    await writing;
    const url = await empty();
    await restore(given(url), busy);
    const [counts] = await query<{ counters: number; events: number }>(
      url,
      `select (select count(*)::int from attempt_counters where key like 'pair %') as counters, (select count(*)::int from audit_events where kind = 'pair') as events`,
    );
    expect(counts!.counters).toBe(counts!.events);
    expect(counts!.counters).toBeGreaterThanOrEqual(20);
  });

  test('of an older version is restored into this one, which migrates it', async () => {
    const old = await empty();
    await migrate({
      connection: { connectionString: old },
      migrationsDir: 'prisma/migrations',
      through: '20261120060000_foundation',
    });
    await query(old, `insert into users (username, name) values ('veteran', 'Veteran')`);
    const oldFile = join(place, 'old.gz');
    expect((await backUpDatabase(given(old), oldFile, quiet)).migrations).toHaveLength(1);
    const url = await empty();
    await restore(given(url), oldFile);
    expect(await query(url, 'select username, deleting_since from users')).toEqual([
      { username: 'veteran', deleting_since: null },
    ]);
    expect((await migrateDatabase(given(url), quiet)).applied).toEqual([]);

    // The changes that later migrations make to these rows would be missing.
    const ahead = await empty();
    await migrateDatabase(given(ahead), quiet);
    await expect(restore(given(ahead), oldFile)).rejects.toMatchObject({
      message: expect.stringMatching(/^The database was migrated further/),
    });
    expect(await query(ahead, 'select 1 from users')).toEqual([]);
  });

  describe('changes nothing if it doesn’t fit:', () => {
    const refused = async (url: string, from: string, message: RegExp, config = given(url)) => {
      const was = await everything(url);
      await expect(restore(config, from)).rejects.toMatchObject({
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(/./),
      });
      expect(await everything(url)).toEqual(was);
    };

    /** The backup with other content, and on request with a valid checksum. */
    async function changed(change: (text: string) => string, seal = true): Promise<string> {
      const text = gunzipSync(await readFile(file)).toString();
      const body = change(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
      const made = join(place, randomBytes(6).toString('hex'));
      await writeFile(
        made,
        gzipSync(
          `${body}{"sha256":"${createHash('sha256')
            .update(seal ? body : text)
            .digest('hex')}"}\n`,
        ),
      );
      return made;
    }

    test('a truncated or changed file, or no backup', async () => {
      const url = await empty();
      const bytes = await readFile(file);
      const cases: [bytes: Buffer, message: RegExp][] = [
        [bytes.subarray(0, bytes.length - 9), /ends too soon/],
        [bytes.subarray(0, 1_000), /ends too soon/],
        [Buffer.alloc(0), /ends too soon/],
        [Buffer.from('-- PostgreSQL database dump\n'), /no backup/],
        [gzipSync('{"format":"another"}\n'), /no backup of Causeway/],
        [gzipSync(randomBytes(2_000_000).toString('hex')), /no backup/],
      ];
      for (const [index, [content, message]] of cases.entries()) {
        const broken = join(place, `broken-${index}`);
        await writeFile(broken, content);
        await refused(url, broken, message);
      }
      await refused(url, await changed((text) => text.replace('Guy Guest', 'Bad Guest'), false), /was changed/);
      await refused(url, await changed((text) => text.replace('"version":2', '"version":3')), /has the format 3/);
      await expect(restore(given(url), join(place, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' });
    });

    test('rows that the database refuses, with the database’s own message', async () => {
      const url = await empty();
      await migrateDatabase(given(url), quiet);
      await refused(
        url,
        await changed((text) => text.replace(/^(\d+\tguest\tGuy Guest\t)ACTIVE/m, '$1ASLEEP')),
        /users: invalid input value for enum/,
      );
    });

    test('a database that isn’t empty', async () => {
      await refused(gateway.databaseUrl, file, /isn't empty: there are rows in/);
    });

    test('a version that doesn’t know its migrations', async () => {
      const later = (text: string) =>
        text.replace(/("migrations":\[.*?)\]/, '$1,{"name":"20991231000000_later","checksum":"0"}]');
      await refused(await empty(), await changed(later), /has the migration 20991231000000_later/);
    });

    test('another instance key, unless that is confirmed', async () => {
      const url = await empty();
      const other = given(url, 'another instance key, of 32 characters or more'.replaceAll(/[ ,]/g, '-'));
      await refused(url, file, /another instance key.* second factors of 1 people/, other);
      await restore(other, file, { otherKey: true });
      // All keys except the one that the database knows and continues with.
      expect({ ...(await everything(url)), instance_key: before.instance_key }).toEqual(before);
    });
  });
});
