import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { turnOn } from './support/authenticator.ts';
import { browserSession, signIn } from './support/browser-session.ts';
import { testGateway } from './support/gateway.ts';
import { secretKey } from './support/global-setup.ts';
import { account } from './support/oauth.ts';
import { freePort } from './support/ports.ts';
import { killProcesses, startProcess } from './support/process.ts';

/** Runs a command of the command line to its end. */
async function causeway(settings: Record<string, string>, ...args: string[]) {
  const { ended, output } = startProcess(settings, [process.execPath, 'dist/cli.js', ...args]);
  return { code: await ended(), ...output };
}

const linkIn = (stdout: string) => /^ {2}(http\S+)$/m.exec(stdout)?.[1] ?? '';

/** Chooses a password by the link that a command printed. */
async function choose(url: string, link: string, password: string): Promise<number> {
  const browser = browserSession({ url });
  expect(link.startsWith(`${url}/users/password/edit?`)).toBe(true);
  const { location } = await browser.get(link.slice(url.length));
  const page = await browser.get(location!);
  return page.status === 200 ? (await browser.press(page.form('Set the password'), { password })).status : page.status;
}

afterAll(killProcesses);

describe('with the embedded database', () => {
  let place: string;
  let settings: Record<string, string>;
  beforeAll(async () => {
    place = await mkdtemp(join(tmpdir(), 'commands-'));
    await chmod(place, 0o755);
    settings = { DATA_DIR: join(place, 'data'), PORT: String(await freePort()), CAUSEWAY_DEMO: 'off', CAUSEWAY_LOG_LEVEL: 'error' };
  });
  afterAll(async () => {
    await killProcesses();
    await rm(place, { recursive: true, force: true });
  });

  test('a password is reset while the gateway runs, and while it doesn’t', async () => {
    const none = await causeway(settings, 'reset-password', 'root');
    expect([none.code, none.stderr]).toEqual([1, expect.stringMatching(/There is no database in .*\nStart the gateway first/)]);
    const gateway = startProcess(settings);
    const url = await gateway.ready();
    const running = await causeway(settings, 'reset-password', 'Root');
    expect([running.code, running.stderr]).toEqual([0, '']);
    expect(await choose(url, linkIn(running.stdout), 'a password of root')).toBe(303);
    expect((await signIn({ url }, 'root', 'a password of root')).cookies.has('causeway_session')).toBe(true);
    expect(await choose(url, linkIn(running.stdout), 'another password')).toBe(404);
    await gateway.stop();
    const stopped = await causeway(settings, 'reset-password', 'root');
    expect([stopped.code, stopped.stderr, linkIn(stopped.stdout)]).toEqual([0, '', expect.stringMatching(/^http/)]);
    // It was left as it was found.
    expect(existsSync(join(settings.DATA_DIR!, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});

describe('with a database that others share', () => {
  test('the second factor is turned off, and whoever isn’t there is told', async () => {
    const gateway = await testGateway();
    const settings = { DATABASE_URL: gateway.databaseUrl, CAUSEWAY_SECRET_KEY: secretKey };
    const { username, password } = await account(gateway, 'unlucky');
    await turnOn(gateway, await signIn(gateway, username, password));
    const done = await causeway(settings, 'turn-off-second-factor', username);
    expect([done.code, done.stdout]).toEqual([0, 'The password of unlucky is enough to sign in now.\n']);
    expect((await signIn(gateway, username, password)).cookies.has('causeway_session')).toBe(true);
    expect(await gateway.sql(`select actor_id from audit_events where kind = 'second_factor_disabled'`)).toEqual([{ actor_id: null }]);

    await gateway.sql(`update emails set verified_at = null where user_id = (select id from users where username = 'guest')`);
    const [nobody, unconfirmed] = await Promise.all(['nobody', 'guest'].map((name) => causeway(settings, 'reset-password', name)));
    expect([nobody!.code, nobody!.stderr]).toEqual([1, 'Nobody has the username nobody.\nCheck the name for a slip.\n']);
    expect([unconfirmed!.code, unconfirmed!.stderr]).toEqual([1, expect.stringContaining('guest: The account has no confirmed address.')]);
  });
});
