import { randomUUID } from 'node:crypto';
import { Secret } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { aWhileLater, turnOn, type Authenticator } from '../support/oauth/authenticator.ts';
import { browserSession, signIn, type BrowserSession } from '../support/pages/browser-session.ts';
import { testGateway } from '../support/gateway.ts';
import { secretKey } from '../support/run/global-setup.ts';
import { mailbox } from '../support/mail/mailbox.ts';
import { account, type Account } from '../support/oauth/oauth.ts';
import { killProcesses, startProcess, type GatewayProcess } from '../support/run/process.ts';
import { everyRow, secretKeeper } from '../support/oauth/secrets.ts';

/**
 * Secrets of accounts, in a gateway that runs in a process of its
 * own with verbose logging (row 34).
 */
const mails = await mailbox();
const gateway = await testGateway();
const { keep, kinds, found } = secretKeeper();
const canary = (what: string) => keep(what, `canary-${randomUUID()}`);

let process: GatewayProcess;
let url: string;
let person: Account;
let app: Authenticator;
let recoveryCodes: string[];
/** A pending sign-in. */
let waiting: BrowserSession;
/** The token of a live link. */
let token: string;

const tokenOf = (link: string) => [...new URL(link).searchParams.values()][0]!;

beforeAll(async () => {
  process = startProcess({
    DATABASE_URL: gateway.databaseUrl,
    CAUSEWAY_SECRET_KEY: keep('instance key', secretKey),
    CAUSEWAY_LOG_LEVEL: 'debug',
    CAUSEWAY_ACCESS_LOG: 'on',
    CAUSEWAY_SIGN_UP: 'on',
    ...mails.settings,
    CAUSEWAY_SMTP_URL: mails.settings.CAUSEWAY_SMTP_URL.replace('//', '//sender@'),
  });
  url = await process.ready();
  person = await account(gateway, 'keeper');
  keep('password', person.password);
  const at = { url };
  const browser = await signIn(at, person.username, person.password);
  ({ app, recoveryCodes } = await turnOn(gateway, browser));
  keep('seed', app.seed);
  keep('seed', Buffer.from(Secret.fromBase32(app.seed).bytes).toString('latin1'));
  keep('seed', Buffer.from(Secret.fromBase32(app.seed).bytes).toString('hex'));
  for (const code of recoveryCodes) {
    keep('recovery code', code);
    keep('recovery code', code.replace('-', ''));
  }

  const step = async (code: string) => {
    const other = browserSession(at);
    const first = await other.press((await other.get('/users/sign_in')).form('Sign in'), {
      login: person.username,
      password: person.password,
    });
    keep('pending sign-in', other.cookies.get('causeway_pending')!);
    await other.press((await other.get(first.location!)).form('Verify code'), { code });
    return other;
  };
  await step(recoveryCodes[0]!);
  await step(canary('wrong code'));
  await step(app.code());
  await aWhileLater(gateway);

  // Links: followed, used, and left alone.
  const stranger = browserSession(at);
  const ask = async (login: string) =>
    await stranger.press((await stranger.get('/users/password/new')).form('Send the link'), { login });
  await ask(canary('mistaken for a name'));
  await ask(person.username);
  const { link } = await mails.latest(person.email, 'Choose a new password');
  keep('mailed token', tokenOf(link));
  const opened = await stranger.get(link.slice(url.length));
  await stranger.press((await stranger.get(opened.location!)).form('Set the password'), {
    password: canary('password'),
  });
  await stranger.press((await stranger.get('/users/sign_up')).form('Register'), {
    username: 'fresh',
    name: 'Fresh',
    email: 'fresh@example.com',
    password: canary('password'),
  });
  keep('mailed token', tokenOf((await mails.latest('fresh@example.com', 'Confirm')).link));
  await gateway.operator('mutation ($input: ResetPasswordInput!) { resetPassword(input: $input) { __typename } }', {
    input: { userId: person.id, password: person.password },
  });
  // Sent a little later, so that what the log might have said of it is known by then.
  mails.refusals.push(451);
  await ask(person.username);
  await ask(person.username);
  const links = () => mails.to(person.email).filter(({ subject }) => subject === 'Choose a new password');
  await vi.waitFor(() => expect(links()).toHaveLength(3), { timeout: 20_000, interval: 20 });
  for (const one of links()) token = keep('mailed token', tokenOf(one.link));
  waiting = await step(canary('wrong code'));
});
afterAll(killProcesses);

test('every kind of secret was there to be found', () => {
  expect([...kinds()].sort()).toEqual([
    'instance key',
    'mailed token',
    'mistaken for a name',
    'password',
    'pending sign-in',
    'recovery code',
    'seed',
    'wrong code',
  ]);
});

test('none is in the database, as it is or encoded', async () => {
  const everything = await everyRow(gateway);
  expect(everything).toContain('fresh@example.com');
  expect(found(everything)).toEqual([]);
});

test('a stored digest or sealed seed isn’t accepted as a secret', async () => {
  const stored = await gateway.sql<{ value: Buffer }>(
    `select digest as value from mailed_tokens union all select digest from recovery_codes union all select digest from pending_sign_ins
     union all select sealed_seed from second_factors`,
  );
  expect(stored.length).toBeGreaterThan(11);
  const page = await waiting.get('/users/sign_in/second_factor');
  for (const { value } of stored) {
    for (const spelling of [value.toString('hex'), value.toString('base64url')]) {
      for (const presented of [spelling, `cwmt_${spelling}`]) {
        const browser = browserSession({ url });
        const { location } = await browser.get(`/users/password/edit?reset_password_token=${presented}`);
        expect((await browser.get(location!)).status).toBe(404);
      }
      const thief = browserSession(
        { url },
        new Map([...waiting.cookies, ['causeway_pending', `cwps_${spelling}`.slice(0, 100)]]),
      );
      expect((await thief.press(page.form('Verify code'), { code: app.code() })).location).toBe('/users/sign_in');
    }
  }
});

test('and the real ones work all the same, afterwards', async () => {
  const page = await waiting.get('/users/sign_in/second_factor');
  expect((await waiting.press(page.form('Verify code'), { code: app.code() })).status).toBe(303);
  expect(waiting.cookies.has('causeway_session')).toBe(true);
  const browser = browserSession({ url });
  const { location } = await browser.get(`/users/password/edit?reset_password_token=${token}`);
  expect((await browser.get(location!)).status).toBe(200);
});

test('none is in what the process wrote, though it wrote down every request and every message', async () => {
  await process.stop();
  const { stdout, stderr } = process.output;
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ message }) => message === 'mail sent').length).toBeGreaterThan(3);
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'mail not sent',
      mail: 'reset password',
      tries: 1,
      answered: 451,
    }),
  );
  expect(lines.some(({ route }) => route === 'page new password')).toBe(true);
  expect(found(stdout + stderr)).toEqual([]);
  expect(stdout).not.toContain('fresh@example.com');
});
