import { type ChildProcess, execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Account, chooseAccount, runAs } from '../../src/database/embedded/account.ts';
import { locatePackage, provideBinaries } from '../../src/database/embedded/binaries.ts';
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  startEmbeddedPostgres,
} from '../../src/database/embedded/index.ts';
import { psLines } from '../support/run/programs.ts';

type Server = Pick<EmbeddedPostgres, 'connection' | 'origin' | 'pid'>;

const isRoot = process.getuid?.() === 0;
const repository = fileURLToPath(new URL('../..', import.meta.url));
const settings = { fsync: 'off' };

/** The database of another gateway, in a process of its own. */
const gatewayProgram = `
import { startEmbeddedPostgres } from './src/database/embedded/index.ts';
import pg from 'pg';
const [dataDir, then] = process.argv.slice(2);
try {
  const { stop, ...server } = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
  process.on('SIGINT', async () => {
    const client = new pg.Client(server.connection);
    await client.connect();
    await pause(200);
    const { rows } = await client.query("SELECT 'drained' AS state");
    await client.end();
    await stop();
    process.send(rows[0], () => process.disconnect());
  });
  // Listening to its parent keeps it alive.
  if (then === 'stay') process.on('disconnect', () => process.exit());
  process.send(server);
} catch ({ name, message, remedy }) {
  process.send({ name, message, remedy }, () => process.disconnect());
}
`;

/** A folder for all of them, with a name that breaks splitting at spaces and ASCII assumptions. */
let place: string;
let dataDir: string;
const servers: EmbeddedPostgres[] = [];
const processes: ChildProcess[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'embedded postgres ü '));
  await chmod(place, 0o755);
  await build({
    stdin: {
      contents: `import { setTimeout as pause } from 'node:timers/promises';${gatewayProgram}`,
      resolveDir: repository,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: join(place, 'gateway.mjs'),
  });
  await symlink(join(repository, 'node_modules'), join(place, 'node_modules'));
  await (await startEmbeddedPostgres({ dataDir: join(place, 'existing'), settings })).stop();
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** For tests that need no new data folder: one made before, which they leave usable. */
const useExisting = () => void (dataDir = join(place, 'existing'));

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(place, 'home ')), 'data');
  await chmod(dirname(dataDir), 0o755);
});
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  // A child left its server running on this test's data folder.
  if (existsSync(join(dataDir, 'postgres', 'postmaster.pid')))
    await (await startEmbeddedPostgres({ dataDir, settings })).stop();
});

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: folder, settings });
  servers.push(server);
  return server;
}

function spawnGateway(then: 'stay' | 'leave' = 'stay', options: { detached?: boolean } = {}): ChildProcess {
  const child = fork(join(place, 'gateway.mjs'), [dataDir, then], options);
  processes.push(child);
  return child;
}

async function message<T = Server>(child: ChildProcess): Promise<T> {
  const [said] = (await once(child, 'message')) as [T];
  return said;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function sql<Row extends object>(
  { connection }: Server,
  text: string,
  other: pg.ClientConfig = {},
): Promise<Row[]> {
  const client = new pg.Client({ ...connection, ...other });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Commits a new value and returns it. */
async function write(server: Server): Promise<string> {
  const text = randomUUID();
  await sql(server, `DROP TABLE IF EXISTS note; CREATE TABLE note AS SELECT '${text}' AS text`);
  return text;
}

const read = async (server: Server) => (await sql<{ text: string }>(server, 'SELECT text FROM note'))[0]?.text;

/** Z: a zombie, not reaped yet. */
const isRunning = (pid: number): boolean =>
  psLines('-o', 'stat=', '-p', String(pid)).some((state) => !state.trim().startsWith('Z'));

async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await pause(10);
}

/** A package with only the programs that print their version. */
async function copyPrograms(from: string, to: string): Promise<void> {
  await cp(join(from, 'native'), join(to, 'native'), {
    recursive: true,
    filter: (path) => !/native\/(share|lib\/postgresql)$/.test(path),
  });
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it started'),
    (error: EmbeddedPostgresError) => error,
  );

describe('the first start', () => {
  test('creates the database, and later starts find what was written', async () => {
    const first = await start();
    expect(first.origin).toBe('created');
    const text = await write(first);
    await first.stop();
    const second = await start();
    expect(second.origin).toBe('started');
    expect(await read(second)).toBe(text);
  });

  test('killed half-way leaves nothing that the next one would trust', async () => {
    const child = spawnGateway();
    const drafts = async () => (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('.postgres-'));
    while (!existsSync(join(dataDir, (await drafts())[0] ?? 'none', 'cluster', 'PG_VERSION'))) await pause(5);
    await kill(child);
    expect(await drafts()).toHaveLength(1);
    const server = await start();
    expect(server.origin).toBe('created');
    expect(await drafts()).toEqual([]);
  });

  test('refuses a folder with other content in the database’s place', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'thesis.doc'), '');
    const error = await failure(start());
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect(error.message).toMatch(/postgres is not a PostgreSQL data folder/);
    expect(error.remedy).toMatch(/DATA_DIR/);
  });
});

describe('a running database', () => {
  let folder: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    folder = join(place, 'existing');
    server = await startEmbeddedPostgres({ dataDir: folder, settings });
  });
  afterAll(() => server.stop());

  test('is in a folder that only its account can read', async () => {
    expect((await stat(folder)).mode & 0o067).toBe(0);
    for (const name of await readdir(folder))
      expect([name, (await stat(join(folder, name))).mode & 0o077]).toEqual([name, 0]);
    expect((await stat(join(folder, 'postgres', 'causeway-passwords.json'))).mode & 0o777).toBe(0o600);
  });

  test('has the gateway as owner, not as superuser', async () => {
    const [role] = await sql(
      server,
      'SELECT rolsuper, rolcreaterole, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user',
    );
    expect(role).toEqual({ rolsuper: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false });
    const [owner] = await sql(
      server,
      'SELECT pg_get_userbyid(datdba) AS owner, datname FROM pg_database WHERE datname = current_database()',
    );
    expect(owner).toEqual({ owner: 'causeway', datname: 'causeway' });
  });

  test('requires the password, even on this machine', async () => {
    const hba = await readFile(join(folder, 'postgres', 'pg_hba.conf'), 'utf8');
    const methods = hba
      .split('\n')
      .filter((line) => line.trim() && !line.startsWith('#'))
      .map((line) => line.trim().split(/\s+/).at(-1));
    expect(new Set(methods)).toEqual(new Set(['scram-sha-256']));
    for (const user of ['causeway', 'postgres']) {
      await expect(sql(server, 'SELECT', { user, password: 'guess' })).rejects.toMatchObject({ code: '28P01' });
    }
  });

  test('listens only on a socket in a folder of mode 0700', async () => {
    expect(await sql(server, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }]);
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
    expect(Buffer.byteLength(join(server.connection.host, '.s.PGSQL.5432'))).toBeLessThan(104);
  });

  test('can be cloned while the gateway runs', async () => {
    await sql(server, 'CREATE DATABASE clone TEMPLATE causeway', { database: 'postgres' });
    expect(await sql(server, 'SELECT current_database()', { database: 'clone' })).toEqual([
      { current_database: 'clone' },
    ]);
  });

  test('sorts and folds text the same on every system', async () => {
    const [row] = await sql(
      server,
      `SELECT datlocprovider, datlocale, pg_encoding_to_char(encoding) AS encoding, upper('straße ü') AS upper FROM pg_database WHERE datname = current_database()`,
    );
    expect(row).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8', encoding: 'UTF8', upper: 'STRAßE Ü' });
  });
});

describe('stopping', () => {
  beforeEach(useExisting);

  test('may be called twice, and resolves when PostgreSQL and its socket are gone', async () => {
    const server = await start();
    expect(existsSync(server.connection.host)).toBe(true);
    await Promise.all([server.stop(), server.stop()]);
    expect(isRunning(server.pid)).toBe(false);
    expect(existsSync(server.connection.host)).toBe(false);
    await server.stop();
  });

  test('also resolves when PostgreSQL has already died', async () => {
    const server = await start();
    process.kill(server.pid, 'SIGKILL');
    await gone(server.pid);
    await server.stop();
    expect(existsSync(server.connection.host)).toBe(false);
  });

  test('Ctrl-C in the terminal leaves the database running for the gateway that drains', async () => {
    const child = spawnGateway('stay', { detached: true });
    const server = await message(child);
    const last = message<{ state: string }>(child);
    // The terminal signals the whole process group.
    process.kill(-(child.pid as number), 'SIGINT');
    expect(await last).toEqual({ state: 'drained' });
    expect(isRunning(server.pid)).toBe(false);
  });

  test('the database doesn’t keep an idle process alive', async () => {
    const child = spawnGateway('leave');
    const server = await message(child);
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(isRunning(server.pid)).toBe(true);
  });
});

describe('after kill -9', () => {
  beforeEach(useExisting);

  test('of PostgreSQL alone, it is restarted at the same address with all that was committed', async () => {
    const server = await start();
    const former = server.pid;
    const text = await write(server);
    process.kill(former, 'SIGKILL');
    await vi.waitFor(async () => expect(await read(server)).toBe(text), { timeout: 30_000, interval: 100 });
    await vi.waitFor(() => expect(server.pid).not.toBe(former), { timeout: 30_000 });
    // And again, after the restart.
    process.kill(server.pid, 'SIGKILL');
    await vi.waitFor(async () => expect(await read(server)).toBe(text), { timeout: 30_000, interval: 100 });
    await server.stop();
    await gone(server.pid);
    expect(existsSync(server.connection.host)).toBe(false);
  });

  test('of the gateway, the next start adopts PostgreSQL with all that was committed', async () => {
    const child = spawnGateway();
    const before = await message(child);
    const text = await write(before);
    await kill(child);
    const after = await start();
    expect(after).toMatchObject({ origin: 'adopted', pid: before.pid });
    expect(await read(after)).toBe(text);
    await after.stop();
    // It has ended; its parent is gone, and who takes its place may need a moment to notice.
    await gone(before.pid);
    expect(existsSync(before.connection.host)).toBe(false);
  });

  test('of both, the next start recovers what was committed, and removes the old socket', async () => {
    const child = spawnGateway();
    const before = await message(child);
    const text = await write(before);
    await kill(child);
    process.kill(before.pid, 'SIGKILL');
    await gone(before.pid);
    expect(existsSync(before.connection.host)).toBe(true);
    const after = await start();
    expect(after.origin).toBe('started');
    expect(await read(after)).toBe(text);
    expect(existsSync(before.connection.host)).toBe(false);
  });

  test('of both, another program may have PostgreSQL’s old process id', async () => {
    const { uid, gid } = await stat(join(dataDir, 'postgres', 'PG_VERSION'));
    const other = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...(isRoot && { uid, gid }) });
    processes.push(other);
    await writeFile(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${other.pid}\n${await realpath(join(dataDir, 'postgres'))}\n0\n5432\n/tmp/none\n\n1 1\nready   \n`,
    );
    expect((await start()).origin).toBe('started');
    expect(other.exitCode).toBeNull();
  });

  test('a copy of the data folder is not mistaken for the database that it was copied from', async () => {
    const copy = join(place, 'copy');
    execFileSync('cp', ['-a', dataDir, copy]);
    const original = await start();
    for (const file of ['postmaster.pid', 'postmaster.opts']) {
      execFileSync('cp', ['-a', join(dataDir, 'postgres', file), join(copy, 'postgres', file)]);
    }
    const other = await start(copy);
    expect(other.origin).toBe('started');
    expect(other.pid).not.toBe(original.pid);
    await write(original);
  });
});

describe('a second gateway on the same data folder', () => {
  test('gets an error that names the process and the remedy, and the first goes on', async () => {
    useExisting();
    const child = spawnGateway();
    const first = await message(child);
    const error = await failure(start());
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect(error.message).toContain(`Another gateway (process ${child.pid}) is running on the data folder ${dataDir}.`);
    expect(error.remedy).toMatch(/Stop it .* DATA_DIR .* DATABASE_URL/);
    await write(first);
  });

  test('started at the same moment on an empty folder: one wins, the other gets an error', async () => {
    const rivals = [spawnGateway(), spawnGateway()];
    const outcomes = await Promise.all(rivals.map((child) => message<Server | EmbeddedPostgresError>(child)));
    const winner = outcomes.find((outcome) => 'pid' in outcome);
    const loser = outcomes.find((outcome) => 'remedy' in outcome);
    expect(loser).toMatchObject({ name: 'EmbeddedPostgresError', message: expect.stringContaining('Another gateway') });
    await write(winner as Server);
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log']);
    expect((await lstat(join(dataDir, 'postgres'))).isDirectory()).toBe(true);
  });
});

describe('binaries', () => {
  test('of another major version are refused with a remedy', async () => {
    useExisting();
    const versionFile = join(dataDir, 'postgres', 'PG_VERSION');
    const version = await readFile(versionFile);
    await writeFile(versionFile, '15\n');
    const error = await failure(start());
    await writeFile(versionFile, version);
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect(error.message).toMatch(/made by PostgreSQL 15; this gateway brings PostgreSQL \d+/);
    expect(error.remedy).toMatch(/pg_dump.*DATABASE_URL.*DATA_DIR/);
  });

  test('get the library links that npm ci --ignore-scripts leaves out', async () => {
    const found = await locatePackage();
    const root = join(dirname(dataDir), 'package');
    const links = JSON.parse(await readFile(join(found.root, 'native', 'pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    await copyPrograms(found.root, root);
    for (const { target } of links) await rm(join(root, target), { force: true });
    const account = await chooseAccount(undefined);
    // Two concurrent starts, as can happen anywhere.
    const provide = () => provideBinaries({ root, version: found.version }, account, dataDir);
    const [binaries] = await Promise.all([provide(), provide()]);
    expect(binaries.postgres).toBe(join(root, 'native', 'bin', 'postgres'));
    expect((await runAs(account, binaries.initdb, ['--version'])).output).toMatch(
      `initdb (PostgreSQL) ${binaries.major}`,
    );
    for (const { target } of links) expect(existsSync(join(root, target))).toBe(true);
  });

  test('that don’t run here end in the advice to set DATABASE_URL', async () => {
    const root = join(dirname(dataDir), 'empty');
    const account: Account = { name: 'the account of the gateway' };
    const error = await failure(provideBinaries({ root, version: '0' }, account, dataDir));
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect(error.remedy).toMatch(/DATABASE_URL/);
  });
});

test('a log that has grown large is moved aside at the next start, up to its maximum size', async () => {
  useExisting();
  await writeFile(join(dataDir, 'postgres.log'), 'x'.repeat(6_000_000));
  await start();
  expect((await stat(join(dataDir, 'postgres.log'))).size).toBeLessThan(10_000);
  expect((await stat(join(dataDir, 'postgres.log.1'))).size).toBe(5_000_000);
});

/** Runs commands as a root that can't become another account, as in containers. */
const bound = ['setpriv', '--bounding-set=-setuid,-setgid', '--'];
const canMap =
  isRoot &&
  spawnSync(bound[0] as string, [...bound.slice(1), 'unshare', '--user', '--map-user=1000', 'true']).status === 0;

describe.skipIf(!isRoot || process.platform !== 'linux')(
  'as root on Linux (skipped otherwise: only root can switch accounts)',
  () => {
    test("PostgreSQL runs as an unprivileged account, without root's groups", async () => {
      useExisting();
      const { pid } = await start();
      const [uid, groups = ''] = execFileSync('ps', ['-o', 'uid=,supgid=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/);
      expect(uid).toBe(String((await stat(join(dataDir, 'postgres'))).uid));
      expect(uid).not.toBe('0');
      expect(groups.split(',')).not.toContain('0');
    });

    test.skipIf(!canMap)(
      "that can't switch accounts, PostgreSQL runs in a user namespace (skipped where there are none)",
      async () => {
        const child = spawn(
          bound[0] as string,
          [...bound.slice(1), process.execPath, join(place, 'gateway.mjs'), dataDir, 'stay'],
          {
            stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
          },
        );
        processes.push(child);
        const first = await message(child);
        expect(first.origin).toBe('created');
        expect((await stat(join(dataDir, 'postgres'))).uid).toBe(0);
        const text = await write(first);
        await kill(child);
        // A root that can switch accounts again still finds its database there.
        const second = await start();
        expect(await read(second)).toBe(text);
      },
    );

    test('in a closed home, the database is put where its account can reach it', async () => {
      await chmod(dirname(dataDir), 0o700);
      const first = await start();
      expect(first.origin).toBe('created');
      const text = await write(first);
      const elsewhere = await realpath(join(dataDir, 'postgres'));
      try {
        expect(elsewhere).toMatch(/^\/var\/lib\/causeway\//);
        await first.stop();
        const second = await start();
        expect(second.origin).toBe('started');
        expect(await read(second)).toBe(text);
        await second.stop();
      } finally {
        await rm(dirname(elsewhere), { recursive: true, force: true });
      }
    });

    test('binaries in a closed home are copied to where the account can reach them', async () => {
      const found = await locatePackage();
      const home = dirname(dataDir);
      await copyPrograms(found.root, join(home, 'package'));
      await chmod(home, 0o700);
      const account = await chooseAccount(undefined);
      const version = `test-${process.pid}`;
      const provide = () => provideBinaries({ root: join(home, 'package'), version }, account, dataDir);
      try {
        const [one, other] = await Promise.all([provide(), provide()]);
        expect(one).toEqual(other);
        expect(one.postgres).toBe(`/var/lib/causeway/postgres-${version}/native/bin/postgres`);
        expect((await runAs(account, one.initdb, ['--version'])).code).toBe(0);
      } finally {
        await rm(`/var/lib/causeway/postgres-${version}`, { recursive: true, force: true });
      }
    });
  },
);
