import { beforeAll, describe, expect, inject, test } from 'vitest';
import { browserSession, signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import {
  account,
  age,
  deviceGrant,
  inBody,
  post,
  registerApplication,
  sessionOf,
  statusOf,
  token,
  tokensOf,
  type RegisteredApplication,
} from '../../support/oauth/oauth.ts';

const gateway = await testGateway();

let browser: BrowserSession;
let application: RegisteredApplication;

beforeAll(async () => {
  browser = await signIn(gateway, 'maintainer');
  const owner = sessionOf(gateway, 'maintainer', browser.cookies.get('causeway_session')!);
  application = await registerApplication(owner, { name: 'Television' });
});

interface Device {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

async function device(scope = 'read_user email'): Promise<Device> {
  const { status, body, text } = await post(gateway, '/oauth/authorize_device', { ...inBody(application), scope });
  if (status !== 200) throw new Error(`No device: ${text}`);
  return body as Device;
}

/** The answer to the device's poll, at any time. */
async function polled({ device_code: code }: Device) {
  await age(gateway, 'device_codes', ['polled_at'], 3_600);
  return await token(gateway, { grant_type: deviceGrant, device_code: code, ...inBody(application) });
}

const errorOf = async (one: Device) => ((await polled(one)).body as { error: string }).error;

/** The page to approve or deny a device. */
async function deciding(one: Device, by = browser) {
  const page = await by.get('/oauth/device');
  return await by.press(page.form('Continue'), { user_code: one.user_code });
}

describe('connecting a device', () => {
  test('the device’s link opens the page with the code filled in but not sent', async () => {
    const one = await device();
    expect(one.verification_uri).toBe(`${gateway.url}/oauth/device`);
    const page = await browser.get(one.verification_uri_complete.slice(gateway.url.length));
    expect(page.form('Continue').fields.user_code).toBe(one.user_code);
    expect(page.text).not.toContain('Television');
    expect(page.forms.map(({ button }) => button)).not.toContain('Approve');
  });

  test('the code leads to a page with the application, the user and the scopes', async () => {
    const one = await device();
    const { status, text } = await deciding(one);
    expect(status).toBe(200);
    expect(text).toContain('Connect Television ?');
    expect(text).toContain(`shows the code ${one.user_code}`);
    expect(text).toContain('act for you, Mary Maintainer (maintainer)');
    expect(text).toContain('Read your primary e-mail address. email');
    expect(text).toContain('If another person sent you this code, deny it');
  });

  test('Approve issues tokens to the device', async () => {
    const one = await device();
    expect(await errorOf(one)).toBe('authorization_pending');
    const answer = await browser.press((await deciding(one)).form('Approve'));
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('The device is connected')]);
    const tokens = tokensOf(await polled(one));
    expect(tokens.scope).toBe('read_user email');
    expect(await statusOf(gateway, tokens.access_token)).toBe(200);
  });

  test('Deny refuses the device', async () => {
    const one = await device();
    const answer = await browser.press((await deciding(one)).form('Deny'));
    expect(answer.text).toContain('The device was denied');
    expect(await errorOf(one)).toBe('access_denied');
  });

  test.each(['lower', 'spaced', 'joined'])('the code works however it is typed: %s', async (way) => {
    const one = await device();
    const typed = {
      lower: one.user_code.toLowerCase(),
      spaced: ` ${[...one.user_code].join(' ')} `,
      joined: one.user_code.replace('-', ''),
    }[way]!;
    const page = await browser.press((await browser.get('/oauth/device')).form('Continue'), { user_code: typed });
    expect(page.text).toContain(`shows the code ${one.user_code}`);
  });

  test('requires signing in', async () => {
    const { status, location } = await browserSession(gateway).get('/oauth/device');
    expect([status, location]).toEqual([303, '/users/sign_in?return_to=%2Foauth%2Fdevice']);
  });

  test('warns administrators', async () => {
    const root = await signIn(gateway, 'root', inject('passwords').root);
    expect((await deciding(await device(), root)).text).toContain('You are an administrator');
  });

  test('a decision is possible only once', async () => {
    const one = await device();
    const page = await deciding(one);
    await browser.press(page.form('Deny'));
    const late = await browser.press(page.form('Approve'));
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('No device is waiting with this code')]);
    expect(await errorOf(one)).toBe('access_denied');
  });
});

describe('invalid codes', () => {
  test.each([
    ['unknown', 'BCDF-BCDF', 'No device is waiting with this code.'],
    ['empty', ' - ', 'The code is missing.'],
    ['markup', '<script>alert(1)</script>', 'No device is waiting with this code.'],
  ])('%s: the page shows the error next to the field', async (_name, typed, says) => {
    const { username, password } = await account(gateway, `typist-${_name}`);
    const typist = await signIn(gateway, username, password);
    const page = await typist.press((await typist.get('/oauth/device')).form('Continue'), { user_code: typed });
    expect([page.status, page.text]).toEqual([422, expect.stringContaining(says)]);
    expect(page.html).toContain('id="user_code-error"');
    expect(page.html).not.toContain('<script>alert');
  });

  test('an expired one', async () => {
    const one = await device();
    await age(gateway, 'device_codes', ['expires_at'], 301);
    expect((await deciding(one)).status).toBe(422);
  });

  test('after ten wrong codes even the right one is refused, for this session and this address', async () => {
    await gateway.sql('delete from attempt_counters');
    const one = await device();
    const form = (await browser.get('/oauth/device')).form('Continue');
    for (let attempt = 0; attempt < 10; attempt++)
      expect((await browser.press(form, { user_code: 'BCDF-BCDF' })).status).toBe(422);
    const throttled = await browser.press(form, { user_code: one.user_code });
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(500);
    const again = await signIn(gateway, 'maintainer');
    expect((await deciding(one, again)).status).toBe(429);
    await gateway.sql('delete from attempt_counters');
    expect((await deciding(one)).status).toBe(200);
  });

  test('right ones don’t count', async () => {
    await gateway.sql('delete from attempt_counters');
    const one = await device();
    for (let attempt = 0; attempt < 12; attempt++) expect((await deciding(one)).status).toBe(200);
  });
});

describe('row 25, row 16: only the page shown can decide', () => {
  test('not without its CSRF token, with one of another session, or for another code', async () => {
    await gateway.sql('delete from attempt_counters');
    const [one, other] = [await device(), await device()];
    const form = (await deciding(one)).form('Approve');
    const foreign = (await deciding(one, await signIn(gateway, 'guest'))).form('Approve');
    const tries = [
      browser.press(form, { form_token: '' }),
      browser.press(form, { form_token: foreign.fields.form_token! }),
      browser.press(form, { user_code: other.user_code }),
      browser.press(form, {}, { 'sec-fetch-site': 'cross-site' }),
      browser.press(form, {}, { origin: 'null' }),
    ];
    for (const answer of await Promise.all(tries)) expect(answer.status).toBe(403);
    expect([await errorOf(one), await errorOf(other)]).toEqual(['authorization_pending', 'authorization_pending']);
  });

  test('an unknown decision denies', async () => {
    const one = await device();
    await browser.press((await deciding(one)).form('Approve'), { decision: 'perhaps' });
    expect(await errorOf(one)).toBe('access_denied');
  });

  test('row 27: nothing on it gets focus from a fragment or autofocus', async () => {
    for (const page of [await browser.get('/oauth/device?user_code=BCDF-GHJK'), await deciding(await device())]) {
      expect(page.html).not.toMatch(/<(button|input|textarea|a|main)[^>]*\sid=|\sautofocus|\stabindex/);
    }
  });
});
