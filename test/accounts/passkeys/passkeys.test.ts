import { expect, test } from 'vitest';
import { browserSession, followed, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { mailbox } from '../../support/mail/mailbox.ts';
import {
  account,
  inBody,
  registerApplication,
  session,
  statusOf,
  tokensFor,
  type Account,
} from '../../support/oauth/oauth.ts';
import { device, passkeyOptions, type Device } from '../../support/oauth/passkey.ts';
import { freePort } from '../../support/run/ports.ts';

const mails = await mailbox();
const port = await freePort();
const origin = `http://localhost:${port}`;
const gateway = await testGateway({ ...mails.settings, PORT: String(port), CAUSEWAY_BASE_URL: origin });

const page = '/profile/second_factor';
const isIn = async (browser: BrowserSession) => (await browser.get(page)).status === 200;

/** Adds a passkey over the page. @returns the page that follows */
async function addPasskey(browser: BrowserSession, made: Device, name = 'Phone') {
  const form = await browser.get(`${page}/passkeys/new`);
  const passkey = made.create(passkeyOptions(form.html)!);
  return await followed(browser, await browser.press(form.form('Make a passkey'), { name, passkey }));
}

interface Owner extends Account {
  readonly browser: BrowserSession;
  readonly phone: Device;
  readonly recoveryCodes: string[];
}

async function owner(name: string): Promise<Owner> {
  const made = await account(gateway, name);
  const browser = await signIn(gateway, made.username, made.password);
  const phone = device(origin);
  const { html } = await addPasskey(browser, phone);
  const recoveryCodes = [...html.matchAll(/<code>([a-z0-9]{5}-[a-z0-9]{5})</g)].map(([, code]) => code!);
  return { ...made, browser, phone, recoveryCodes };
}

/** Opens the sign-in page in a new browser, and gives the answer of a passkey. */
async function enter(phone: Device, more: Parameters<Device['get']>[1] = {}, browser = browserSession(gateway)) {
  const form = await browser.get('/users/sign_in');
  const passkey = phone.get(passkeyOptions(form.html)!, more);
  const answer = await browser.press(form.form('Sign in with a passkey'), { passkey });
  return { browser, form, passkey, answer };
}

async function typePassword({ username, password }: Account) {
  const browser = browserSession(gateway);
  const first = await browser.press((await browser.get('/users/sign_in')).form('Sign in'), {
    login: username,
    password,
  });
  return { browser, page: await browser.get(first.location!) };
}

const kinds = async (username: string) =>
  (
    await gateway.sql<{ kind: string }>(
      'select kind from audit_events e join users u on u.id = e.user_id where u.username = $1 order by e.id',
      [username],
    )
  ).map(({ kind }) => kind);

test('the first passkey turns two-factor authentication on: recovery codes, other sessions and OAuth tokens end', async () => {
  const someone = await session(gateway, 'first-passkey');
  const { access_token: access } = await tokensFor(someone, await registerApplication(someone));
  const [here, elsewhere] = [
    await signIn(gateway, 'first-passkey', 'password of first-passkey'),
    await signIn(gateway, 'first-passkey', 'password of first-passkey'),
  ];
  const done = await addPasskey(here, device(origin), 'My <phone>');
  expect(done.html.match(/<code>[a-z0-9]{5}-[a-z0-9]{5}</g)).toHaveLength(10);
  expect([await isIn(here), await isIn(elsewhere), await statusOf(gateway, access)]).toEqual([true, false, 401]);
  const shown = await here.get(page);
  expect(shown.text).toContain('My <phone>');
  expect(shown.text).toContain('10 left');
  expect((await mails.latest('first-passkey@example.com', 'passkey was added')).text).toContain('My <phone>');
  expect(await kinds('first-passkey')).toEqual(expect.arrayContaining(['passkey_added', 'second_factor_enabled']));
  // A second one replaces no codes, and the same device makes none.
  const another = await addPasskey(here, device(origin), 'Key');
  expect(another.text).toContain('The passkey is added');
  expect(another.text).toContain('10 left');
});

test('a passkey signs in without the password, and each answer counts once, in the browser that asked', async () => {
  const { phone, username } = await owner('passenger');
  const { browser, form, passkey, answer } = await enter(phone);
  expect([answer.status, answer.location]).toEqual([303, '/']);
  expect((await browser.get('/')).text).toContain(username);
  const again = browserSession(gateway, new Map([...browser.cookies].filter(([name]) => name === 'causeway_browser')));
  const replayed = await again.press(form.form('Sign in with a passkey'), { passkey });
  expect([replayed.status, await isIn(again)]).toEqual([422, false]);
  expect(replayed.text).toContain('Try again.');
  const other = browserSession(gateway);
  const otherForm = await other.get('/users/sign_in');
  const stolen = await other.press(otherForm.form('Sign in with a passkey'), {
    passkey: phone.get(passkeyOptions(form.html)!),
  });
  expect([stolen.status, await isIn(other)]).toEqual([422, false]);
  expect((await kinds('passenger')).at(-1)).toBe('signed_in');
});

test('a passkey that didn’t check who holds it, came from another site, or counts backwards doesn’t sign in', async () => {
  const { phone } = await owner('careful');
  for (const more of [{ verified: false }, { origin: 'https://evil.example' }, { count: 0 }]) {
    const { browser, answer } = await enter(phone, more);
    expect([answer.status, await isIn(browser)], JSON.stringify(more)).toEqual([422, false]);
  }
  expect(await kinds('careful')).toContain('passkey_refused');
  expect((await enter(device(origin))).answer.text).toContain('isn’t known here');
  for (const passkey of [
    '',
    '{}',
    '[1]',
    'null',
    '{"id":"x","response":{"clientDataJSON":"e30"}}',
    'x'.repeat(30_000),
  ]) {
    const browser = browserSession(gateway);
    const form = await browser.get('/users/sign_in');
    const answer = await browser.press(form.form('Sign in with a passkey'), { passkey });
    expect(answer.status, passkey.slice(0, 40)).toBe(422);
  }
});

test('a blocked person doesn’t get in by a passkey', async () => {
  const { phone, id } = await owner('blocked-passkey');
  await gateway.operator('mutation ($input: BlockUserInput!) { blockUser(input: $input) { user { id } } }', {
    input: { userId: id },
  });
  const { browser, answer } = await enter(phone);
  expect([answer.status, await isIn(browser)]).toEqual([422, false]);
});

test('after the password a passkey of the same person is asked for, or a recovery code', async () => {
  const someone = await owner('two-steps');
  const { phone: foreign } = await owner('two-steps-other');
  const { browser, page: step } = await typePassword(someone);
  const wrong = await browser.press(step.form('Use a passkey'), { passkey: foreign.get(passkeyOptions(step.html)!) });
  expect([wrong.status, await isIn(browser)]).toEqual([422, false]);
  // A security key without a PIN is enough beside the password.
  const passkey = someone.phone.get(passkeyOptions(wrong.html)!, { verified: false });
  const right = await browser.press(wrong.form('Use a passkey'), { passkey });
  expect([right.status, await isIn(browser)]).toEqual([303, true]);
  const later = await typePassword(someone);
  const recovered = await later.browser.press(later.page.form('Verify code'), { code: someone.recoveryCodes[0]! });
  expect([recovered.status, await isIn(later.browser)]).toEqual([303, true]);
});

test('the password grant is refused as with an app (R7), the API says so, and the export has the passkey', async () => {
  const { username, password, browser } = await owner('granted-not');
  const application = await registerApplication(await session(gateway, 'granting'));
  const grant = (secret: string) =>
    gateway.rest('POST', '/oauth/token', {
      form: { grant_type: 'password', username, password: secret, ...inBody(application) },
    });
  const [right, wrong] = [await grant(password), await grant('wrong')];
  expect([right.status, right.body]).toEqual([400, wrong.body]);
  const users = await gateway.rest('GET', `/api/v4/users?username=${username}&two_factor=enabled`, {
    token: gateway.tokens.root,
  });
  expect(users.body).toMatchObject([{ username, two_factor_enabled: true }]);
  const data = await browser.press((await browser.get('/profile/data')).form('Download'));
  expect(JSON.parse(data.html)).toMatchObject({ user: { passkeys: [{ name: 'Phone', transports: ['internal'] }] } });
});

test('a passkey confirms who one is', async () => {
  const { browser, phone } = await owner('confirming');
  const form = await browser.get('/users/confirm_password');
  const answer = await browser.press(form.form('Use a passkey'), { passkey: phone.get(passkeyOptions(form.html)!) });
  expect([answer.status, answer.location]).toEqual([303, '/']);
  expect(await kinds('confirming')).toContain('second_factor_confirmed');
});

test('removing the last passkey turns two-factor authentication off, with the recovery codes', async () => {
  const { browser, username, password, phone } = await owner('leaving');
  await addPasskey(browser, device(origin), 'Key');
  const remove = async (name: string) => {
    const { html } = await browser.get(page);
    const path = new RegExp(`href="([^"]+/remove)">Remove<span class="hidden"> ${name}<`).exec(html)![1]!;
    return await followed(browser, await browser.press((await browser.get(path)).form('Remove')));
  };
  expect((await remove('Key')).text).toContain('The passkey is removed');
  expect((await remove('Phone')).text).toContain('Two-factor authentication is disabled');
  expect((await enter(phone)).answer.status).toBe(422);
  expect(await isIn(await signIn(gateway, username, password))).toBe(true);
  const [left] = await gateway.sql<{ count: number }>(
    'select count(*)::int as count from recovery_codes r join users u on u.id = r.user_id where u.username = $1',
    [username],
  );
  expect(left!.count).toBe(0);
});

test('an administrator who turns two-factor authentication off removes passkeys too: the phone is lost', async () => {
  const { id, username, password } = await owner('lost-phone');
  await gateway.operator(
    'mutation ($input: DisableSecondFactorOfUserInput!) { disableSecondFactorOfUser(input: $input) { user { id } } }',
    { input: { userId: id } },
  );
  const browser = await signIn(gateway, username, password);
  expect((await browser.get(page)).text).not.toContain('Phone');
});

test('where the address is a number or has no https, the page says why there are no passkeys', async () => {
  const numbered = await testGateway({}, gateway);
  const browser = await signIn(numbered, 'maintainer');
  expect((await browser.get(page)).text).toContain('Passkeys need a domain name');
  expect((await browser.get(`${page}/passkeys/new`)).location).toBe(page);
  expect(passkeyOptions((await browserSession(numbered).get('/users/sign_in')).html)).toBeNull();
});
