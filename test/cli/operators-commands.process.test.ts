import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { passwordLink, type CommandResult } from '../../src/cli/commands/accounts.ts';
import { effective } from '../../src/cli/commands/configuration.ts';
import { examine } from '../../src/cli/doctor/index.ts';
import { listJobs, retryJobs } from '../../src/cli/commands/jobs.ts';
import { createToken, listTokens, revokeToken } from '../../src/cli/commands/tokens.ts';
import { createUser, listUsers, setState } from '../../src/cli/commands/users.ts';
import { readConfig } from '../../src/config/index.ts';
import { statusOfMigrations, withDatabase } from '../../src/maintenance.ts';
import { signIn } from '../support/pages/browser-session.ts';
import { dropDatabase, makeDatabase } from '../support/databases/database.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { session } from '../support/oauth/oauth.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';

const gateway = await testGateway();
const settings = { DATABASE_URL: gateway.databaseUrl, CAUSEWAY_SECRET_KEY: secretKey, CAUSEWAY_BASE_URL: gateway.url };
afterAll(killProcesses);

type Work<Arguments extends unknown[]> = (
  application: never,
  schema: never,
  ...given: Arguments
) => Promise<CommandResult>;

/** Runs the work of a command. */
const run = <Arguments extends unknown[]>(work: Work<Arguments>, ...given: Arguments) =>
  withDatabase(readConfig(settings), (application, schema) => work(application as never, schema as never, ...given));

/** Runs a command in a process, as an operator does. */
async function typed(args: readonly string[], environment: Record<string, string> = settings, input?: string) {
  const { ended, output } = startProcess(environment, [process.execPath, 'dist/cli.js', ...args], input);
  return { code: await ended(), ...output };
}

describe('background jobs', () => {
  const dead = (name: string, key: string, error: string) =>
    gateway.sql(
      `insert into jobs (name, key, payload, max_attempts, attempts, last_error, dead_at, run_at)
       values ($1, $2, '{"userId": 0}', 8, 8, $3, now(), now())`,
      [name, key, error],
    );

  test('failures are listed, warned of, and run again', async () => {
    await dead('remove_user', 'first', 'Error: no disk');
    await dead('of_another_version', 'second', 'Error: no network');
    const { words, result } = await run(listJobs);
    expect(words).toContain('Error: no disk');
    expect((result as { kinds: object[] }).kinds).toContainEqual(
      expect.objectContaining({ name: 'remove_user', waiting: 0, dead: 1 }),
    );
    expect(await examine(settings)).toContainEqual(
      expect.objectContaining({ name: 'background jobs', status: 'warning', says: '2 failed for good' }),
    );
    const [{ id }] = (await gateway.sql(`select id from jobs where key = 'first'`)) as [{ id: string }];
    expect((await run(retryJobs, id)).result).toEqual({ retried: 1 });
    expect((await run(retryJobs, undefined)).result).toEqual({ retried: 1 });
    expect(await gateway.sql('select 1 from jobs where dead_at is not null')).toEqual([]);
    await gateway.sql(`delete from jobs where key in ('first', 'second')`);
  });

  test('only administrators see them, and no token does', async () => {
    const query = '{ backgroundJobs { kinds { name } } }';
    expect((await gateway.graphql(query, { token: gateway.tokens.root })).errors).toHaveLength(1);
    const { schema } = await import('../../src/schema/index.ts');
    const person = await session(gateway, 'no-administrator');
    await expect(person.run(query)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(Object.keys(schema.getMutationType()!.getFields())).toContain('retryBackgroundJobs');
  });

  test('one that runs by the clock runs now, in the process of the command', async () => {
    await gateway.sql(
      `insert into events (kind, subject_kind, subject_id, at) values ('group.created', 'Group', 1, now() - interval '20 years')`,
    );
    expect(await typed(['jobs', 'run', 'sweep'])).toMatchObject({ code: 0, stdout: 'sweep is done.\n' });
    expect(await gateway.sql(`select 1 from events where at < now() - interval '19 years'`)).toEqual([]);
    expect(await typed(['jobs', 'run', 'remove_user'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No job by the clock is named remove_user.'),
    });
  });
});

describe('a job whose process is killed', () => {
  test('runs again, in a gateway, after its lease', async () => {
    const holder = new pg.Client({ connectionString: gateway.databaseUrl });
    await holder.connect();
    const job = async () =>
      (
        await gateway.sql<{ lease: string | null; due: number }>(
          `select lease, extract(epoch from run_at - now())::float8 as due from jobs where name = 'sweep' and lease is not null`,
        )
      )[0];
    // The gateway begins no sweep of its own meanwhile.
    await gateway.sql(
      `insert into job_periods values ('sweep', now() + interval '1 day') on conflict (name) do update set period = excluded.period`,
    );
    await vi.waitFor(async () => expect(await job()).toBeUndefined(), { timeout: 20_000, interval: 50 });
    try {
      // The sweep waits for this lock.
      await holder.query('begin; lock table events in access exclusive mode');
      const command = startProcess(settings, [process.execPath, 'dist/cli.js', 'jobs', 'run', 'sweep']);
      await vi.waitFor(async () => expect(await job()).toBeDefined(), { timeout: 20_000, interval: 50 });
      expect(await command.stop('SIGKILL')).toBe('SIGKILL');
      expect((await job())!.due).toBeGreaterThan(30);
    } finally {
      await holder.end();
    }
    await gateway.sql(`update jobs set run_at = now() where name = 'sweep'`);
    await vi.waitFor(async () => expect(await job()).toBeUndefined(), { timeout: 20_000, interval: 50 });
  });
});

describe('people', () => {
  test('an account is created with a password link or with a password', async () => {
    const { result, words } = await run(createUser, 'linked', { email: 'Linked@example.com', name: 'Lin Ked' });
    const { passwordLink: link, user } = result as { passwordLink: string; user: object };
    expect(user).toMatchObject({
      username: 'linked',
      name: 'Lin Ked',
      email: 'linked@example.com',
      isAdministrator: false,
      tier: 'FREE',
    });
    expect(link.startsWith(`${gateway.url}/users/password/edit?reset_password_token=`)).toBe(true);
    expect(words).toContain(`  ${link}\n`);

    await run(
      createUser,
      'chosen',
      { email: 'chosen@example.com', administrator: true, premium: true },
      'a password of an operator',
    );
    expect((await signIn(gateway, 'chosen', 'a password of an operator')).cookies.has('causeway_session')).toBe(true);
    expect(await gateway.sql(`select administrator, tier from users where username = 'chosen'`)).toEqual([
      { administrator: true, tier: 'PREMIUM' },
    ]);
    expect(
      await gateway.sql(`select kind, actor_id from audit_events where kind = 'user_created' order by id desc limit 1`),
    ).toEqual([{ kind: 'user_created', actor_id: null }]);

    await expect(run(createUser, 'chosen', { email: 'other@example.com' })).rejects.toThrow(
      'Username has already been taken',
    );
    await expect(run(createUser, 'short', { email: 'short@example.com' }, 'short')).rejects.toThrow(
      /password is too short/,
    );
  });

  test('a blocked person is locked out until unblocked; a second block changes nothing and says so', async () => {
    await run(createUser, 'rowdy', { email: 'rowdy@example.com' }, 'password of rowdy');
    const token = await gateway.personalToken('rowdy', ['api']);
    expect((await run(setState, 'block', 'Rowdy')).words).toBe('Rowdy is blocked.');
    expect((await gateway.rest('GET', '/api/v4/user', { token })).status).toBe(403);
    expect((await run(setState, 'block', 'rowdy')).words).toBe('Nothing to do: rowdy is blocked already.');
    expect(((await run(listUsers, { blocked: true, limit: 10 })).result as { users: object[] }).users).toMatchObject([
      { username: 'rowdy', state: 'blocked' },
    ]);
    await run(setState, 'unblock', 'rowdy');
    expect((await gateway.rest('GET', '/api/v4/user', { token })).status).toBe(200);
  });

  test('the list reads pages until its limit', async () => {
    await gateway.sql(`insert into users (username, name) select 'many-' || n, 'Many' from generate_series(1, 130) n`);
    const { result, words } = await run(listUsers, { search: 'many', limit: 120 });
    const { users, total } = result as { users: { id: string }[]; total: number };
    expect([new Set(users.map(({ id }) => id)).size, total]).toEqual([120, 130]);
    expect(words).toMatch(/^ID +USERNAME +NAME +ADDRESS +NOTES +SINCE\n[^]*\n120 of 130$/);
  });
});

describe('tokens', () => {
  test('a token is shown once, works with its scopes only, is listed without its secret, and stops working when revoked', async () => {
    const { result, words } = await run(createToken, 'developer', { name: 'ci', scopes: 'read_api, read_user' });
    const { token, personalAccessToken } = result as { token: string; personalAccessToken: { id: number } };
    expect(words).toContain(token);
    expect(personalAccessToken).toMatchObject({ id: expect.any(Number), userId: expect.any(Number) });
    expect((await gateway.rest('GET', '/api/v4/user', { token })).body.username).toBe('developer');
    expect(
      (await gateway.rest('PUT', '/api/v4/notification_settings', { token, json: { level: 'watch' } })).status,
    ).toBe(403);

    const listed = await run(listTokens, 'developer', { active: true, limit: 100 });
    expect(JSON.stringify(listed)).not.toContain(token);
    expect(listed.words).toMatch(
      new RegExp(`^${personalAccessToken.id} +developer +ci +read_api read_user +works`, 'm'),
    );

    expect((await run(revokeToken, String(personalAccessToken.id))).words).toBe(
      `Revoked the token ${personalAccessToken.id} (ci).`,
    );
    expect((await gateway.rest('GET', '/api/v4/user', { token })).status).toBe(401);
    await expect(run(revokeToken, '999999')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(run(createToken, 'developer', { name: 'x', scopes: 'api,everything' })).rejects.toMatchObject({
      message: 'There is no scope everything.',
      remedy: expect.stringMatching(/^Choose among api, read_api, .*sudo\.$/),
    });
    await expect(run(createToken, 'developer', { name: 'x', scopes: 'sudo' })).resolves.toBeDefined();
  });
});

describe('on the command line', () => {
  test('--json prints JSON, and a password comes from standard input, never from an argument', async () => {
    const { code, stdout, stderr } = await typed(
      ['user', 'create', 'piped', '--email', 'piped@example.com', '--password', '--json'],
      settings,
      'password of piped\nmore\n',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ user: { username: 'piped', email: 'piped@example.com' } });
    expect(stdout).not.toContain('password of piped');
    expect((await signIn(gateway, 'piped', 'password of piped')).cookies.has('causeway_session')).toBe(true);
  });

  test('a failure exits with 1 and a remedy, wrong usage with 2', async () => {
    expect(await typed(['token', 'create', 'missing', '--scopes', 'api'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'No user has the username missing.\nCheck the spelling; causeway user list shows the names.\n',
    });
    const { code, stderr } = await typed(['user', 'list', '--limit', '0']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('A whole number from 1 to 999999.')]);
  });

  test('all settings are checked at once; values are shown with secrets masked', async () => {
    const { code, stdout } = await typed(['config', 'check'], { PORT: 'many', CAUSEWAY_SIGNUP: 'on' });
    expect(code).toBe(1);
    expect(stdout).toContain('PORT: it must be a whole number');
    expect(stdout).toContain('CAUSEWAY_SIGNUP: there is no such setting');

    const secrets = {
      CAUSEWAY_SECRET_KEY: `${'hidden'.repeat(6)},${'unseen'.repeat(6)}`,
      CAUSEWAY_ROOT_PASSWORD: 'hidden password',
      CAUSEWAY_ROOT_TOKEN: 'hidden'.repeat(4),
    };
    const addresses = {
      DATABASE_URL: 'postgres://causeway:hid@den@db/causeway?sslmode=require',
      CAUSEWAY_SMTP_URL: 'smtps://m:hidden@mail.example:465',
    };
    const shown = Object.fromEntries(
      effective({ ...secrets, ...addresses, PORT: '8080' }).map(({ name, value }) => [name, value]),
    );
    expect(JSON.stringify(shown)).not.toMatch(/hid|unseen|den@/);
    expect(shown).toMatchObject({
      PORT: '8080',
      HOST: '127.0.0.1',
      CAUSEWAY_SECRET_KEY: '****,****',
      DATABASE_URL: 'postgres://causeway:****@db/causeway?sslmode=require',
    });
  });

  test('migrations, backups and restores use DATABASE_DIRECT_URL, past a pooler', async () => {
    const { name, url } = await makeDatabase('empty');
    const folder = await mkdtemp(join(tmpdir(), 'causeway-direct-'));
    try {
      // Nothing listens at DATABASE_URL: using it fails.
      const past = (direct: string) => ({
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        DATABASE_DIRECT_URL: direct,
        CAUSEWAY_SECRET_KEY: secretKey,
      });
      const file = join(folder, 'backup.gz');
      expect(await typed(['backup', file], past(gateway.databaseUrl))).toMatchObject({ code: 0 });
      expect(await typed(['restore', file], past(url))).toMatchObject({ code: 0 });
      expect((await typed(['migrate'], past(url))).stdout).toMatch(
        /^Nothing to do: all \d+ migrations were applied before.\n$/,
      );
      expect(await typed(['migrate', '--status'], past(url))).toMatchObject({ code: 0 });
    } finally {
      await dropDatabase(name);
      await rm(folder, { recursive: true });
    }
  });

  test('causeway migrate migrates an empty database; --status shows what is pending', async () => {
    const { name, url } = await makeDatabase('empty');
    try {
      const empty = { DATABASE_URL: url, CAUSEWAY_SECRET_KEY: secretKey };
      const status = await typed(['migrate', '--status', '--json'], empty);
      expect(status.code).toBe(1);
      const { pending, applied } = JSON.parse(status.stdout) as { pending: string[]; applied: string[] };
      expect(applied).toEqual([]);
      expect((await typed(['migrate'], empty)).stdout).toBe(`${pending.length} migrations applied.\n`);
      expect(await statusOfMigrations(readConfig(empty))).toMatchObject({ applied: pending, pending: [] });
    } finally {
      await dropDatabase(name);
    }
  });
});

test('a password link is a path when the gateway picks its port', async () => {
  const { DATABASE_URL, CAUSEWAY_SECRET_KEY } = settings;
  const { words } = await withDatabase(
    readConfig({ DATABASE_URL, CAUSEWAY_SECRET_KEY, PORT: '0' }),
    (application, schema) => passwordLink(application, schema, 'developer'),
  );
  expect(words).toMatch(/at the address that the gateway printed when it started:\n\n {2}\/users\/password\/edit\?/);
});
