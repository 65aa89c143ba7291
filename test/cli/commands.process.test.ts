import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { passwordLink, turnOffSecondFactor } from '../../src/cli/commands/accounts.ts';
import { readConfig } from '../../src/config/index.ts';
import { backUpDatabase, restoreDatabase } from '../../src/backups.ts';
import { withDatabase } from '../../src/maintenance.ts';
import { startGateway } from '../../src/server.ts';
import { afterFile } from '../support/run/after-file.ts';
import { turnOn } from '../support/oauth/authenticator.ts';
import { browserSession, signIn } from '../support/pages/browser-session.ts';
import { makeDatabase } from '../support/databases/database.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { account } from '../support/oauth/oauth.ts';
import { freePort } from '../support/run/ports.ts';
import { killProcesses, startProcess } from '../support/run/process.ts';

/** Runs the work of a command. @returns what it prints */
const run = async (settings: Record<string, string>, command: typeof passwordLink, username: string) =>
  (await withDatabase(readConfig(settings), (application, schema) => command(application, schema, username))).words;

const linkIn = (stdout: string) => /^ {2}(http\S+)$/m.exec(stdout)?.[1] ?? '';

/** Chooses a password by the link that a command printed. */
async function choose(url: string, link: string, password: string): Promise<number> {
  const browser = browserSession({ url });
  expect(link.startsWith(`${url}/users/password/edit?`)).toBe(true);
  const { location } = await browser.get(link.slice(url.length));
  const page = await browser.get(location!);
  return page.status === 200 ? (await browser.press(page.form('Set the password'), { password })).status : page.status;
}

test('reset-password and backup work on an embedded database while its gateway runs, and reset-password while it doesn’t; the backup restores into a shared database', async () => {
  const place = await mkdtemp(join(tmpdir(), 'commands-'));
  afterFile(async () => {
    await killProcesses();
    await rm(place, { recursive: true, force: true });
  });
  await chmod(place, 0o755);
  const settings = {
    DATA_DIR: join(place, 'data'),
    PORT: String(await freePort()),
    CAUSEWAY_DEMO: 'off',
    CAUSEWAY_LOG_LEVEL: 'error',
    CAUSEWAY_ROOT_TOKEN: 'chosen-by-the-operator',
  };
  await expect(run(settings, passwordLink, 'root')).rejects.toMatchObject({
    message: expect.stringMatching(/^There is no database in/),
    remedy: expect.stringMatching(/^Start the gateway first/),
  });

  const gateway = startProcess(settings);
  const url = await gateway.ready();
  const { ended, output } = startProcess(settings, [process.execPath, 'dist/cli.js', 'reset-password', 'Root']);
  expect([await ended(), output.stderr]).toEqual([0, '']);
  expect(await choose(url, linkIn(output.stdout), 'a password of root')).toBe(303);
  expect((await signIn({ url }, 'root', 'a password of root')).cookies.has('causeway_session')).toBe(true);
  expect(await choose(url, linkIn(output.stdout), 'another password')).toBe(404);

  const file = join(place, 'backup.gz');
  await backUpDatabase(readConfig(settings), file, () => undefined);

  await gateway.stop();
  expect(linkIn(await run(settings, passwordLink, 'root'))).toMatch(/^http/);
  // The command stopped the database again.
  expect(existsSync(join(settings.DATA_DIR, 'postgres', 'postmaster.pid'))).toBe(false);

  // The backup of an embedded database restores into a shared one, with the same instance key.
  const { url: DATABASE_URL } = await makeDatabase('empty');
  const DATA_DIR = join(place, 'restored');
  const key = (await readFile(join(settings.DATA_DIR, 'secret.key'), 'utf8')).trim();
  const quiet = { otherKey: false, signOut: false, progress: () => undefined, onNotice: () => undefined };
  await expect(
    restoreDatabase(readConfig({ DATABASE_URL, DATA_DIR, CAUSEWAY_SECRET_KEY: secretKey }), file, quiet),
  ).rejects.toThrow(/another instance key/);
  await restoreDatabase(readConfig({ DATABASE_URL, DATA_DIR, CAUSEWAY_SECRET_KEY: key }), file, quiet);
  const shared = await startGateway(
    readConfig({ DATABASE_URL, CAUSEWAY_SECRET_KEY: key, PORT: '0', CAUSEWAY_LOG_LEVEL: 'error' }),
  );
  try {
    expect(shared.firstStart).toBeUndefined();
    expect((await signIn({ url: shared.baseUrl }, 'root', 'a password of root')).cookies.has('causeway_session')).toBe(
      true,
    );
    const answer = await fetch(`${shared.baseUrl}/api/v4/user`, {
      headers: { 'private-token': settings.CAUSEWAY_ROOT_TOKEN },
    });
    expect(await answer.json()).toMatchObject({ username: 'root' });
  } finally {
    await shared.stop();
  }
});

test('turn-off-second-factor works on a shared database; commands that can’t be done print a remedy', async () => {
  const gateway = await testGateway();
  const settings = { DATABASE_URL: gateway.databaseUrl, CAUSEWAY_SECRET_KEY: secretKey };
  const { username, password } = await account(gateway, 'unlucky');
  await turnOn(gateway, await signIn(gateway, username, password));
  expect(await run(settings, turnOffSecondFactor, username)).toBe('unlucky can now sign in with the password alone.');
  await expect(run(settings, turnOffSecondFactor, username)).rejects.toMatchObject({
    message: 'unlucky has no second factor.',
  });
  expect((await signIn(gateway, username, password)).cookies.has('causeway_session')).toBe(true);
  expect(await gateway.sql(`select actor_id from audit_events where kind = 'second_factor_disabled'`)).toEqual([
    { actor_id: null },
  ]);

  await expect(run(settings, passwordLink, 'missing')).rejects.toMatchObject({
    message: 'No user has the username missing.',
    remedy: expect.stringMatching(/^Check the spelling/),
  });
  await gateway.sql(
    `update emails set verified_at = null where user_id = (select id from users where username = 'guest')`,
  );
  await expect(run(settings, passwordLink, 'guest')).rejects.toMatchObject({
    message: 'guest: The account has no confirmed address.',
    remedy: expect.stringContaining('administrator'),
  });
});
