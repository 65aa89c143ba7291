import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { verifyPassword } from '../../src/auth/index.ts';
import { settings } from '../../src/config/index.ts';
import { startEmbeddedPostgres } from '../../src/database/embedded/index.ts';
import { openDatabase } from '../../src/database/index.ts';
import { dropDatabase, makeDatabase, query } from '../support/databases/database.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { freePort } from '../support/run/ports.ts';
import { killProcesses, repository, startProcess, type GatewayProcess } from '../support/run/process.ts';
import { scratch } from '../support/databases/scratch.ts';

/** Parses the text that a start printed. */
function printed({ output: { stdout } }: GatewayProcess) {
  const lines = stdout.split('\n').filter((line) => !line.startsWith('{'));
  const after = (title: RegExp) => {
    const at = lines.findIndex((line) => title.test(line));
    if (at < 0) return [];
    const rest = lines.slice(at + 2);
    return rest.slice(0, rest.indexOf(''));
  };
  const table = (rows: string[]) => Object.fromEntries(rows.map((row) => row.trim().split(/\s+/) as [string, string]));
  return {
    addresses: Object.fromEntries(
      after(/^Causeway is listening/).map((line) => line.trim().split(/\s{2,}/) as [string, string]),
    ),
    passwords: table(after(/^Accounts/)),
    tokens: table(after(/^Personal access tokens/)),
    commands: after(/^Paste these/).map((line) => line.trim()),
  };
}

/** Runs a printed command. @returns its answer */
function paste(command: string): unknown {
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
}

async function get(
  address: string,
  path: string,
  token: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(address + path, { headers: { 'private-token': token } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

afterEach(killProcesses);

describe('with an embedded database', () => {
  /** A folder that everyone may enter, like most home folders. */
  let place: string;
  let dataDir: string;
  let first: { stdout: string; tokens: Record<string, string>; passwords: Record<string, string> };
  beforeAll(async () => {
    place = await mkdtemp(join(scratch(), 'first start '));
    await chmod(place, 0o755);
    dataDir = join(place, 'data');
  });
  afterAll(async () => {
    // If a test failed in the middle, its PostgreSQL still runs.
    await (await startEmbeddedPostgres({ dataDir })).stop();
    await rm(place, { recursive: true, force: true });
  });

  /** PostgreSQL's processes on the data folder, children included. */
  async function postgres(): Promise<string[]> {
    const folder = await realpath(join(dataDir, 'postgres'));
    const rows = execFileSync('ps', ['-axo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
      .split('\n')
      .map((row) => row.trim().split(/\s+/));
    const living = rows.filter(([, , state]) => state !== undefined && !state.startsWith('Z'));
    const masters = living.filter((row) => row.slice(3).join(' ').includes(`-D ${folder} `)).map(([pid]) => pid!);
    return living.filter(([pid, parent]) => masters.includes(pid!) || masters.includes(parent!)).map(([pid]) => pid!);
  }
  const postmaster = async () =>
    Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

  const ownSettings = () => ({ DATA_DIR: dataDir });
  const globalLevel = async (address: string) =>
    (await get(address, '/api/v4/notification_settings', first.tokens.maintainer!)).body.level;
  async function setGlobalLevel(address: string, level: string): Promise<void> {
    const response = await fetch(`${address}/api/v4/notification_settings?level=${level}`, {
      method: 'PUT',
      headers: { 'private-token': first.tokens.maintainer! },
    });
    expect(response.status).toBe(200);
  }

  // These tests run in order on one data folder.

  test('the first start prints addresses, accounts, tokens, and three commands that work as printed', async () => {
    const gateway = startProcess(ownSettings());
    const address = await gateway.ready();
    const { addresses, passwords, tokens, commands } = printed(gateway);
    first = { stdout: gateway.output.stdout, tokens, passwords };
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(gateway.output.stderr).toBe('');

    expect(addresses).toEqual({
      'Start page': `${address}/`,
      'Sign in': `${address}/users/sign_in`,
      GraphiQL: `${address}/graphql`,
      'API reference': `${address}/docs`,
    });
    for (const url of Object.values(addresses)) {
      const page = await fetch(url, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    }

    expect(Object.keys(passwords)).toEqual(['root', 'maintainer', 'developer', 'guest']);
    expect(new Set(Object.values(passwords)).size).toBe(2);
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[A-Za-z0-9]{20}$/);
    expect(Object.keys(tokens)).toEqual(['root', 'maintainer']);
    expect(await get(address, '/api/v4/user', tokens.root!)).toMatchObject({
      status: 200,
      body: { username: 'root', is_admin: true },
    });

    expect(commands).toHaveLength(3);
    const [read, write, track] = commands.map(paste);
    expect(read).toEqual({ level: 'participating', notification_email: 'maintainer@example.com' });
    expect(write).toMatchObject({
      level: 'custom',
      events: { new_note: true, new_issue: false, moved_project: true, new_epic: false },
    });
    expect(track).toEqual({
      active: true,
      project_name: 'Storefront',
      tracker_external_url: 'https://tracker.example.com/demo/storefront',
      sentry_external_url: 'https://tracker.example.com/demo/storefront',
      api_url: 'https://tracker.example.com/api/0/projects/demo/storefront',
    });

    const { mode } = await stat(join(dataDir, 'secret.key'));
    expect(mode & 0o777).toBe(0o600);
    expect((await readFile(join(dataDir, 'secret.key'), 'utf8')).trim()).toMatch(/^[0-9a-f]{64}$/);

    expect(await postgres()).not.toEqual([]);
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(await postgres()).toEqual([]);
  });

  test('the second start prints no secrets and serves the same data; a second gateway beside it is refused', async () => {
    const gateway = startProcess(ownSettings());
    const address = await gateway.ready();
    const { passwords, tokens, commands } = printed(gateway);
    expect({ passwords, tokens, commands }).toEqual({ passwords: {}, tokens: {}, commands: [] });
    for (const secret of [...Object.values(first.tokens), ...Object.values(first.passwords)])
      expect(gateway.output.stdout).not.toContain(secret);
    expect(
      await get(address, '/api/v4/projects/demo%2Fstorefront/error_tracking/settings', first.tokens.maintainer!),
    ).toMatchObject({ body: { active: true } });
    expect(
      await get(address, '/api/v4/projects/demo%2Fstorefront/notification_settings', first.tokens.maintainer!),
    ).toMatchObject({ body: { level: 'custom' } });

    const other = startProcess(ownSettings());
    expect(await other.ended()).toBe(1);
    expect(other.output.stdout).not.toContain('listening');
    expect(other.output.stderr.split('\n')).toEqual([
      `Another gateway (process ${gateway.child.pid}) is running on the data folder ${dataDir}.`,
      'Stop it first, or set DATA_DIR to another folder, or set DATABASE_URL to a PostgreSQL that several gateways share.',
      '',
    ]);

    await setGlobalLevel(address, 'mention');
    await gateway.stop('SIGKILL');
    expect(await postgres()).not.toEqual([]);
  });

  test('after kill -9 the next start takes over the running PostgreSQL; after a crash of both it recovers', async () => {
    const left = await postmaster();
    const next = startProcess(ownSettings());
    const address = await next.ready();
    expect(await postmaster()).toBe(left);
    expect(await globalLevel(address)).toBe('mention');

    await setGlobalLevel(address, 'disabled');
    process.kill(left, 'SIGKILL');
    await next.stop('SIGKILL');
    await vi.waitFor(async () => expect(await postgres()).toEqual([]), { timeout: 10_000 });

    const last = startProcess(ownSettings());
    expect(await globalLevel(await last.ready())).toBe('disabled');
    // Ctrl-C under npm: one signal from the terminal, one from npm.
    last.child.kill('SIGINT');
    expect(await last.stop('SIGINT')).toBe(0);
    expect(last.output.stdout.match(/Stopping…\n/g)).toHaveLength(1);
    expect(last.output.stderr).toBe('');
    expect(await postgres()).toEqual([]);
  });

  test('as npm starts it, a signal to the shell stops the gateway and its database', async () => {
    expect(manifest.scripts.start).toMatch(/&& exec node dist\/cli\.js start$/);
    const gateway = startProcess(ownSettings(), ['sh', '-c', manifest.scripts.start]);
    const address = await gateway.ready();
    expect(await globalLevel(address)).toBe('disabled');
    expect(await gateway.stop('SIGTERM')).toBe(0);
    expect(await postgres()).toEqual([]);
    await expect(fetch(address)).rejects.toThrow();
  });
});

describe('with a given database', () => {
  let name: string;
  let url: string;
  beforeEach(async () => {
    ({ name, url } = await makeDatabase('migrated'));
  });
  afterEach(async () => {
    await killProcesses();
    await dropDatabase(name);
  });

  const shared = (more: Record<string, string> = {}) => ({
    DATABASE_URL: url,
    CAUSEWAY_SECRET_KEY: secretKey,
    CAUSEWAY_LOG_LEVEL: 'warn',
    ...more,
  });
  const rows = <Row extends object>(text: string) => query<Row & Record<string, unknown>>(url, text);
  const counts = async () => {
    const [counted] = await rows<Record<string, string>>(
      `select (select count(*) from users) as users, (select count(*) from emails) as emails,
              (select count(*) from namespaces where kind = 'GROUP') as groups, (select count(*) from projects) as projects,
              (select count(*) from group_members) as members, (select count(*) from error_tracking_settings) as trackers,
              (select count(*) from instance) as instance`,
    );
    return Object.fromEntries(Object.entries(counted!).map(([what, count]) => [what, Number(count)]));
  };
  const demo = { users: 4, emails: 5, groups: 2, projects: 2, members: 3, trackers: 1, instance: 1 };

  /** Checks that the printed passwords match the stored Argon2id hashes. */
  async function checkPasswords(passwords: Record<string, string>): Promise<void> {
    const stored = await rows<{ username: string; password_hash: string }>('select username, password_hash from users');
    expect(stored.map(({ username }) => username).sort()).toEqual(Object.keys(passwords).sort());
    for (const { username, password_hash: hash } of stored) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$/);
      expect(await verifyPassword(hash, passwords[username]!)).toBe(true);
    }
  }

  /** Runs work while a lock holds up the set-up near its end. */
  async function whileSetUpWaits(
    gateway: () => GatewayProcess,
    work: (gateway: GatewayProcess) => Promise<void>,
  ): Promise<GatewayProcess> {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query('begin; lock table error_tracking_settings in share mode');
      const started = gateway();
      await vi.waitFor(
        async () =>
          expect(
            await rows(
              `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%error_tracking_settings%'`,
            ),
          ).toHaveLength(1),
        { timeout: 20_000 },
      );
      await work(started);
      return started;
    } finally {
      await client.end();
    }
  }

  test('takes the administrator’s chosen password and token, and without the demo prints commands that fit and work', async () => {
    const token = `it's-a-"$HOME"-\`token\`-\\of-mine!`;
    const password = 'correct horse battery staple, and then some more';
    const gateway = startProcess(shared({ CAUSEWAY_ROOT_TOKEN: token, CAUSEWAY_ROOT_PASSWORD: password }));
    await gateway.ready();
    const { tokens, commands } = printed(gateway);
    expect(tokens).toEqual({ root: token });
    expect(gateway.output.stdout).toContain(`  root        ${password}  administrator\n`);
    await checkPasswords({ root: password });

    expect(commands.map(paste)).toEqual([
      expect.objectContaining({ username: 'root', is_admin: true }),
      { level: 'participating', notification_email: 'root@example.com' },
      { level: 'watch', notification_email: 'root@example.com' },
    ]);

    // A chosen token may be guessable: a plain hash could be attacked offline.
    const [{ digest }] = (await rows<{ digest: Buffer }>('select digest from personal_access_tokens')) as [
      { digest: Buffer },
    ];
    expect(digest).not.toEqual(createHash('sha256').update(token).digest());
    expect(await gateway.stop()).toBe(0);
  });

  test('isn’t ready before its set-up is done; once it is, the chosen token works', async () => {
    const port = await freePort();
    const [token, asks] = ['a-token-chosen-by-the-operator', () => fetch(`http://127.0.0.1:${port}/-/readiness`)];
    const gateway = await whileSetUpWaits(
      () => startProcess(shared({ CAUSEWAY_DEMO: 'on', CAUSEWAY_ROOT_TOKEN: token, PORT: String(port) })),
      async () => {
        const answer = await asks();
        expect([answer.status, await answer.json()]).toEqual([
          503,
          expect.objectContaining({
            status: 'failed',
            db_check: [{ status: 'ok' }],
            set_up_check: [{ status: 'failed', message: 'The first set-up isn’t done.' }],
          }),
        ]);
      },
    );
    await vi.waitFor(async () => expect((await asks()).status).toBe(200), { timeout: 20_000, interval: 5 });
    expect(await get(`http://127.0.0.1:${port}`, '/api/v4/user', token)).toMatchObject({
      status: 200,
      body: { username: 'root' },
    });
    expect(await counts()).toEqual(demo);
    await gateway.stop();
  });

  test('continues a set-up that was killed in the middle: the printed secrets work, and nothing exists twice', async () => {
    // The token exists already when the set-up continues.
    const settingsOfBoth = shared({ CAUSEWAY_DEMO: 'on', CAUSEWAY_ROOT_TOKEN: 'a-token-chosen-by-the-operator' });
    await whileSetUpWaits(
      () => startProcess(settingsOfBoth),
      async (killed) => {
        expect(await killed.stop('SIGKILL')).toBe('SIGKILL');
        expect(printed(killed)).toMatchObject({ passwords: {}, tokens: {} });
        expect(await counts()).toMatchObject({ users: 4, instance: 0, trackers: 0 });
      },
    );
    const next = startProcess(settingsOfBoth);
    const address = await next.ready();
    const { passwords, tokens, commands } = printed(next);
    await checkPasswords(passwords);
    expect(await get(address, '/api/v4/user', tokens.root!)).toMatchObject({ status: 200, body: { username: 'root' } });
    expect(tokens.root).toBe('a-token-chosen-by-the-operator');
    expect(paste(commands[0]!)).toEqual({ level: 'participating', notification_email: 'maintainer@example.com' });
    expect(await counts()).toEqual(demo);
    expect(await rows('select id from personal_access_tokens')).toHaveLength(2);
  });

  test('prints the secrets of a first start even when it is stopped meanwhile', async () => {
    const gateway = await whileSetUpWaits(
      () => startProcess(shared({ CAUSEWAY_DEMO: 'on' })),
      async ({ child }) => void child.kill('SIGTERM'),
    );
    expect(await gateway.ended()).toBe(0);
    const { passwords, tokens } = printed(gateway);
    expect(await counts()).toEqual(demo);
    expect(tokens).toEqual({ root: expect.stringMatching(/^cwpat_/), maintainer: expect.stringMatching(/^cwpat_/) });
    await checkPasswords(passwords);
  });

  test('three gateways that start at once migrate and set up once, and all serve it', async () => {
    ({ name, url } = await makeDatabase('empty'));
    const gateways = [1, 2, 3].map(() =>
      startProcess(shared({ CAUSEWAY_DEMO: 'on', CAUSEWAY_DEMO_PASSWORD: 'chosen-by-me' })),
    );
    const addresses = await Promise.all(gateways.map((gateway) => gateway.ready()));
    const announced = gateways.map(printed).filter(({ tokens }) => tokens.root !== undefined);
    expect(announced).toHaveLength(1);
    expect(announced[0]!.passwords).toMatchObject({
      maintainer: 'chosen-by-me',
      developer: 'chosen-by-me',
      guest: 'chosen-by-me',
    });
    await checkPasswords(announced[0]!.passwords);
    for (const address of addresses)
      expect(await get(address, '/api/v4/user', announced[0]!.tokens.maintainer!)).toMatchObject({
        status: 200,
        body: { username: 'maintainer' },
      });
    expect(await counts()).toEqual(demo);
    const migrations = await rows<{ migration_name: string }>('select migration_name from _prisma_migrations');
    expect(new Set(migrations.map((row) => row.migration_name)).size).toBe(migrations.length);
    expect(await Promise.all(gateways.map((gateway) => gateway.stop()))).toEqual([0, 0, 0]);
  });

  test('a gateway waits for another’s set-up longer than the statement timeout', async () => {
    const connection = { connectionString: url };
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const [one, other] = [1, 2].map(() => openDatabase({ connection, connections: 2, statementTimeout: 500, log })) as [
      ReturnType<typeof openDatabase>,
      ReturnType<typeof openDatabase>,
    ];
    const order: string[] = [];
    let first: Promise<void>;
    await new Promise<void>((entered) => {
      first = one.exclusively(1, async () => {
        entered();
        await pause(1_000);
        order.push('first');
      });
    });
    await other.exclusively(1, async () => void order.push('second'));
    await first!;
    expect(order).toEqual(['first', 'second']);
    await Promise.all([one.close(), other.close()]);
  });

  test('finishes requests in progress when it is stopped (graceful shutdown)', async () => {
    ({ name, url } = await makeDatabase('demo'));
    const gateway = startProcess(shared({ CAUSEWAY_DRAIN_TIMEOUT: '600000' }));
    const address = await gateway.ready();
    const client = new pg.Client(url);
    await client.connect();
    await client.query('begin; lock table global_notification_settings in access exclusive mode');
    const answer = get(address, '/api/v4/notification_settings', inject('tokens').maintainer);
    await vi.waitFor(
      async () =>
        expect(
          await rows(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
        ).toHaveLength(1),
      { timeout: 10_000 },
    );
    gateway.child.kill('SIGTERM');
    await vi.waitFor(() => expect(fetch(address)).rejects.toThrow(), { timeout: 10_000 });
    await client.end();
    expect(await answer).toMatchObject({ status: 200, body: { level: 'participating' } });
    expect(await gateway.ended()).toBe(0);
  });
});

describe('a start that fails', () => {
  const failed = async (gateway: GatewayProcess) => {
    expect(await gateway.ended()).toBe(1);
    expect(gateway.output.stdout).not.toContain('listening');
    return gateway.output.stderr.trimEnd().split('\n');
  };
  test('with bad settings names every problem with its remedy, and nothing else', async () => {
    const gateway = startProcess({
      PORT: '99999',
      CAUSEWAY_DEMO: 'maybe',
      CAUSEWAY_ROOT_TOKEN: 'too-short',
      CAUSEWAY_SURPRISE: '1',
      DATABASE_URL: 'postgres://a/b',
    });
    expect(await failed(gateway)).toEqual([
      "The gateway can't start with these settings:",
      `  - PORT: it must be ${settings.PORT.remedy}.`,
      `  - CAUSEWAY_ROOT_TOKEN: it must be ${settings.CAUSEWAY_ROOT_TOKEN.remedy}.`,
      `  - CAUSEWAY_DEMO: it must be ${settings.CAUSEWAY_DEMO.remedy}.`,
      expect.stringMatching(/^ {2}- CAUSEWAY_SECRET_KEY: it is needed with DATABASE_URL/),
      '  - CAUSEWAY_SURPRISE: there is no such setting; see the table of settings in docs/configuration.md.',
    ]);
  });

  test('on a port in use says so with a remedy, and leaves the set-up to the start that works', async () => {
    const { name, url } = await makeDatabase('empty');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const shared = { DATABASE_URL: url, CAUSEWAY_SECRET_KEY: secretKey };
      expect(await failed(startProcess({ ...shared, PORT: String(port) }))).toEqual([
        `listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
        'Another program listens on this port. Stop it, or set PORT to another port (0 picks a free one).',
      ]);
      const next = startProcess(shared);
      const address = await next.ready();
      expect(await get(address, '/api/v4/user', printed(next).tokens.root!)).toMatchObject({ status: 200 });
    } finally {
      server.close();
      await killProcesses();
      await dropDatabase(name);
    }
  });

  test.each([
    [
      'without a PostgreSQL',
      async () => `postgres://causeway:hunter22@localhost:${await freePort()}/causeway`,
      /PostgreSQL isn’t reachable under DATABASE_URL/,
    ],
    [
      'with an unknown host',
      async () => 'postgres://causeway:hunter22@nowhere.invalid/causeway',
      /^The host in DATABASE_URL, DATABASE_DIRECT_URL or HOST is not known/,
    ],
    [
      'with a wrong password',
      async () => {
        const { url } = await empty();
        const wrong = new URL(url);
        wrong.password = 'hunter22';
        return wrong.href;
      },
      /^PostgreSQL refuses the user or the password/,
    ],
    [
      'with a missing database',
      async () => {
        const { url } = await empty();
        return url.replace(/\/test_\w+/, '/nothing');
      },
      /^Create the database first/,
    ],
  ])('%s prints the problem and its remedy, without the password', async (_where, url, remedy) => {
    const lines = await failed(startProcess({ DATABASE_URL: await url(), CAUSEWAY_SECRET_KEY: secretKey }));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/\w/);
    expect(lines[1]).toMatch(remedy);
    expect(lines.join('\n')).not.toContain('hunter22');
  });

  test('migrates through DATABASE_DIRECT_URL, and says so when it isn’t reachable', async () => {
    const closed = { DATABASE_DIRECT_URL: `postgres://causeway:hunter22@localhost:${await freePort()}/causeway` };
    const lines = await failed(
      startProcess({ DATABASE_URL: (await empty()).url, CAUSEWAY_SECRET_KEY: secretKey, ...closed }),
    );
    expect(lines[1]).toMatch(/^PostgreSQL isn’t reachable under DATABASE_URL, or DATABASE_DIRECT_URL if that is set\./);
  });

  const made: string[] = [];
  const empty = async () => {
    const database = await makeDatabase('empty');
    made.push(database.name);
    return database;
  };
  afterAll(async () => {
    for (const name of made) await dropDatabase(name);
  });
});

describe('causeway', () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['dist/cli.js', ...args], { cwd: repository, encoding: 'utf8' });

  test('--version prints the version', () => {
    expect(run('--version')).toBe(`${manifest.version}\n`);
  });

  test('start --help describes every setting', () => {
    const help = run('start', '--help');
    for (const [name, { meaning, otherwise }] of Object.entries(settings))
      expect(help).toContain(`  ${name}\n      ${meaning} Default: ${otherwise}.`);
  });
});
