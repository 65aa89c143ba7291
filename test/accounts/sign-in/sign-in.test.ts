import { beforeAll, describe, expect, inject, test } from 'vitest';
import { browserSession, signIn, type BrowserSession, type WebPage } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import { account, age, digestOf } from '../../support/oauth/oauth.ts';
import { freePort } from '../../support/run/ports.ts';
import { rawClient } from '../../support/requests/raw-client.ts';

const gateway = await testGateway();
const password = inject('passwords').demo;

const sessionCookie = 'causeway_session';
const setCookies = ({ headers }: WebPage) => headers.getSetCookie();

/** The sign-in page in a new browser, and a function that fills it in. */
async function atSignIn(query = ''): Promise<{ browser: BrowserSession; page: WebPage }> {
  const browser = browserSession(gateway);
  return { browser, page: await browser.get(`/users/sign_in${query}`) };
}

/** The username that pages show to this browser. */
async function whoIs(browser: BrowserSession): Promise<string | null> {
  return /popovertarget="account">([^<]*)</.exec((await browser.get('/')).html)?.[1] ?? null;
}

const asIf = (browser: BrowserSession, secret: string) =>
  browserSession(gateway, new Map([...browser.cookies, [sessionCookie, secret]]));

describe('signing in', () => {
  test('with name and password leads to the start page, which shows the username', async () => {
    const { browser, page } = await atSignIn();
    const answer = await browser.press(page.form('Sign in'), { login: 'maintainer', password });
    expect([answer.status, answer.location]).toEqual([303, '/']);
    expect(await whoIs(browser)).toBe('maintainer');
  });

  test('with an address instead of the name works too', async () => {
    expect(await whoIs(await signIn(gateway, 'Maintainer@work.example.com'))).toBe('maintainer');
  });

  test('the session cookie is hidden from scripts and other sites', async () => {
    const { browser, page } = await atSignIn();
    const [session, known] = setCookies(await browser.press(page.form('Sign in'), { login: 'guest', password }));
    expect(session).toMatch(/^causeway_session=cwss_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(known).toMatch(/^causeway_browser=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
  });

  test('a wrong password is reported next to its field, and the typed name stays', async () => {
    const { browser, page } = await atSignIn('?return_to=/docs');
    const answer = await browser.press(page.form('Sign in'), {
      login: 'another "person"',
      password: 'not the password',
    });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('aria-describedby="password-error"');
    expect(answer.html).toMatch(/<ul class="mistakes" id="password-error"><li>Name or password is wrong\.<\/li>/);
    expect(answer.form('Sign in').fields).toMatchObject({
      login: 'another "person"',
      password: '',
      return_to: '/docs',
    });
    expect(answer.html).not.toContain('not the password');
    expect(browser.cookies.has(sessionCookie)).toBe(false);
  });

  test('a known name with a wrong password and an unknown name are the same page', async () => {
    const texts = await Promise.all(
      ['guest', 'no-such-user'].map(async (login) => {
        const { browser, page } = await atSignIn();
        return (await browser.press(page.form('Sign in'), { login, password: 'wrong' })).text;
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  test.each([
    [{ login: ' ', password: 'x' }, 'login-error'],
    [{ login: 'guest', password: '' }, 'password-error'],
  ])('a missing field is reported: %j', async (fields, id) => {
    const { browser, page } = await atSignIn();
    const answer = await browser.press(page.form('Sign in'), fields);
    expect(answer.status).toBe(422);
    expect(answer.html).toContain(`id="${id}"`);
  });

  test('after ten wrong passwords the right one is refused too, with the time to wait', async () => {
    const { username, password: own } = await account(gateway, 'forgetful');
    const { browser, page } = await atSignIn();
    const form = page.form('Sign in');
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await browser.press(form, { login: username, password: `guess ${attempt}` })).status).toBe(422);
    }
    const answer = await browser.press(form, { login: username, password: own });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500);
    expect(answer.text).toContain('Wait 10 minutes');
  });

  test('/login redirects to it, and a signed-in person is redirected further', async () => {
    expect((await browserSession(gateway).get('/login?return_to=%2Fdocs')).location).toBe(
      '/users/sign_in?return_to=%2Fdocs',
    );
    const browser = await signIn(gateway, 'guest');
    expect((await browser.get('/users/sign_in?return_to=/docs')).location).toBe('/docs');
  });

  test('a page for people who are signed in leads to it, and from there back', async () => {
    const browser = browserSession(gateway);
    const { status, location } = await browser.get('/oauth/device?user_code=BCDF-GHJK');
    expect([status, location]).toEqual([303, '/users/sign_in?return_to=%2Foauth%2Fdevice%3Fuser_code%3DBCDF-GHJK']);
    const answer = await browser.press((await browser.get(location!)).form('Sign in'), { login: 'guest', password });
    expect(answer.location).toBe('/oauth/device?user_code=BCDF-GHJK');
  });
});

describe('row 43: signing in never redirects to another host', () => {
  const elsewhere = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example',
    'https:evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/\r\n/evil.example',
    'javascript:alert(1)',
    'evil.example',
    '@evil.example',
    '',
    '/docs\\..\\evil',
    '/docs\u0000',
    '/\u2028/evil.example',
    '/%0d%0aset-cookie:x=y\r\nx: y',
    'http:///evil.example',
  ];

  test.each(elsewhere)('%j is not followed', async (to) => {
    const { browser, page } = await atSignIn();
    const answer = await browser.press(page.form('Sign in'), { login: 'guest', password, return_to: to });
    // A NUL is refused earlier.
    if (to.includes('\0')) return expect([answer.status, answer.location]).toEqual([400, null]);
    expect([answer.status, answer.location]).toEqual([303, '/']);
    const again = await browser.get(`/users/sign_in?${new URLSearchParams({ return_to: to }).toString()}`);
    expect([again.status, again.location]).toEqual([303, '/']);
  });

  test.each([
    '/docs',
    '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fa.example%2F%2Fcb',
    '/a//b',
    '/groups/demo?x=//y#z',
    '/%2F/evil',
  ])('%s is, and stays on the gateway', async (to) => {
    const { browser, page } = await atSignIn();
    const answer = await browser.press(page.form('Sign in'), { login: 'guest', password, return_to: to });
    expect(answer.location).toBe(to);
    expect(new URL(answer.location!, gateway.url).origin).toBe(gateway.url);
  });
});

describe('row 39: the session has another id after each change of what it may do', () => {
  const secretOf = (browser: BrowserSession) => browser.cookies.get(sessionCookie)!;

  test('a planted cookie is never adopted (session fixation)', async () => {
    const planted = `cwss_${'x'.repeat(43)}`;
    const browser = await signIn(gateway, 'guest', password, new Map([[sessionCookie, planted]]));
    expect(secretOf(browser)).not.toBe(planted);
    expect(await whoIs(asIf(browser, planted))).toBeNull();
  });

  test('signing in again ends the previous session of this browser', async () => {
    const browser = browserSession(gateway);
    const form = (await browser.get('/users/sign_in')).form('Sign in');
    await browser.press(form, { login: 'guest', password });
    const before = secretOf(browser);
    // The page is still open in another tab.
    expect((await browser.press(form, { login: 'developer', password })).status).toBe(303);
    expect(await whoIs(browser)).toBe('developer');
    expect(await whoIs(asIf(browser, before))).toBeNull();
  });

  test('confirming the password replaces it', async () => {
    const browser = await signIn(gateway, 'guest');
    const before = secretOf(browser);
    const page = await browser.get('/users/confirm_password');
    expect((await browser.press(page.form('Confirm'), { password })).status).toBe(303);
    expect(secretOf(browser)).not.toBe(before);
    expect(secretOf(browser)).toMatch(/^cwss_[\w-]{43}$/);
    expect(await whoIs(asIf(browser, before))).toBeNull();
    expect(await whoIs(browser)).toBe('guest');
  });

  test('signing out ends it', async () => {
    const browser = await signIn(gateway, 'guest');
    const before = secretOf(browser);
    const answer = await browser.press((await browser.get('/')).form('Sign out'));
    expect([answer.status, answer.location]).toEqual([303, '/']);
    expect(browser.cookies.has(sessionCookie)).toBe(false);
    expect(await whoIs(asIf(browser, before))).toBeNull();
    const after = await browser.get('/');
    expect(after.text).toContain('You are signed out.');
    expect((await browser.get('/')).text).not.toContain('You are signed out.');
  });
});

describe('confirming the password', () => {
  const before = (seconds: number, secret: string) =>
    age(gateway, 'sessions', ['authenticated_at'], seconds, `digest = '\\x${digestOf(secret).toString('hex')}'`);

  test('is required for sensitive actions some time after signing in, and redirects back', async () => {
    const browser = await signIn(gateway, 'developer');
    expect((await browser.get('/profile/applications/new')).status).toBe(200);
    await before(16 * 60, browser.cookies.get(sessionCookie)!);
    const { status, location } = await browser.get('/profile/applications/new');
    expect([status, location]).toEqual([303, '/users/confirm_password?return_to=%2Fprofile%2Fapplications%2Fnew']);
    const page = await browser.get(location!);
    const wrong = await browser.press(page.form('Confirm'), { password: 'wrong' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('The password is wrong.')]);
    const answer = await browser.press(wrong.form('Confirm'), { password });
    expect([answer.status, answer.location]).toEqual([303, '/profile/applications/new']);
    expect((await browser.get('/profile/applications/new')).status).toBe(200);
  });

  test('refuses another person’s password', async () => {
    const other = await account(gateway, 'other-person');
    const browser = await signIn(gateway, 'developer');
    const page = await browser.get('/users/confirm_password');
    expect(
      (await browser.press(page.form('Confirm'), { password: other.password, username: other.username })).status,
    ).toBe(422);
  });

  test('shares the count of wrong passwords with signing in', async () => {
    const { username, password: own } = await account(gateway, 'careless');
    const browser = await signIn(gateway, username, own);
    const form = (await browser.get('/users/confirm_password')).form('Confirm');
    for (let attempt = 0; attempt < 10; attempt++) await browser.press(form, { password: `guess ${attempt}` });
    expect((await browser.press(form, { password: own })).status).toBe(429);
    const { browser: another, page } = await atSignIn();
    expect((await another.press(page.form('Sign in'), { login: username, password: own })).status).toBe(429);
  });

  test('needs a session', async () => {
    expect((await browserSession(gateway).get('/users/confirm_password')).location).toMatch(/^\/users\/sign_in\?/);
  });
});

describe('CSRF protection accepts forms from the gateway’s own pages only', () => {
  const fields = { login: 'guest', password };

  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['with a foreign origin', { origin: 'https://evil.example' }],
    ['with a hidden origin', { origin: 'null' }],
    ['with the origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['with our origin in front of another', { origin: `${gateway.url}.evil.example` }],
  ])('not %s', async (_name, headers) => {
    const { browser, page } = await atSignIn();
    const answer = await browser.press(page.form('Sign in'), fields, headers);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(gateway.url);
    expect(browser.cookies.has(sessionCookie)).toBe(false);
  });

  test('the headers of a same-origin form are accepted', async () => {
    const { browser, page } = await atSignIn();
    const answer = await browser.press(page.form('Sign in'), fields, {
      'sec-fetch-site': 'same-origin',
      origin: gateway.url,
    });
    expect(answer.status).toBe(303);
  });

  test('not without the CSRF token, nor with one of another browser or form, or a broken one', async () => {
    const { browser, page } = await atSignIn();
    const other = (await atSignIn()).page.form('Sign in').fields.form_token!;
    const ours = page.form('Sign in').fields.form_token!;
    for (const token of ['', other, `${ours}x`, ours.slice(1), 'ü'.repeat(43)]) {
      const answer = await browser.post('/users/sign_in', { ...fields, form_token: token });
      expect(answer.status, token).toBe(403);
    }
    expect((await browser.post('/users/sign_in', fields)).status).toBe(403);
    const signedIn = await signIn(gateway, 'guest');
    const signOut = (await signedIn.get('/')).form('Sign out').fields.form_token!;
    expect((await signedIn.post('/users/confirm_password', { password, form_token: signOut })).status).toBe(403);
    expect(browser.cookies.has(sessionCookie)).toBe(false);
  });

  test('not if the browser blocks cookies', async () => {
    const { page } = await atSignIn();
    expect((await browserSession(gateway).press(page.form('Sign in'), fields)).status).toBe(403);
  });

  test('signing out needs the CSRF token too', async () => {
    const browser = await signIn(gateway, 'guest');
    expect((await browser.post('/users/sign_out', {})).status).toBe(403);
    expect(await whoIs(browser)).toBe('guest');
    expect((await browser.get('/users/sign_out')).status).toBe(405);
  });

  test.each([
    ['as JSON', 'application/json', (token: string) => JSON.stringify({ ...fields, form_token: token }), 415],
    [
      'as plain text',
      'text/plain',
      (token: string) => new URLSearchParams({ ...fields, form_token: token }).toString(),
      415,
    ],
    ['without a kind', '', (token: string) => new URLSearchParams({ ...fields, form_token: token }).toString(), 415],
    [
      'with a field twice',
      'application/x-www-form-urlencoded',
      (token: string) => `login=a&login=guest&form_token=${token}&password=x`,
      400,
    ],
    [
      'with broken escapes',
      'application/x-www-form-urlencoded',
      (token: string) => `login=%zz&form_token=${token}&password=x`,
      400,
    ],
    [
      'with NUL',
      'application/x-www-form-urlencoded',
      (token: string) => `login=a%00&form_token=${token}&password=x`,
      400,
    ],
    [
      'with a list',
      'application/x-www-form-urlencoded',
      (token: string) => `login[]=guest&form_token=${token}&password=x`,
      422,
    ],
  ])('not %s', async (_name, type, body, status) => {
    const { browser, page } = await atSignIn();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${gateway.url}/users/sign_in`, {
      method: 'POST',
      headers: { cookie, 'content-type': type },
      body: Buffer.from(body(page.form('Sign in').fields.form_token!)),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('row 38: host headers of a request change nothing', () => {
  const forged = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example;proto=https',
  };

  test('cookies and links stay those of the configured address', async () => {
    const send = rawClient(gateway.url);
    const page = await send({ path: '/users/sign_in?return_to=/docs', headers: forged });
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('evil.example');
    expect(page.headers['set-cookie']).toEqual([
      expect.stringMatching(/^causeway_browser=[\w-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/),
    ]);
    const away = await send({ path: '/profile/applications', headers: forged });
    expect(away.headers.location).toBe('/users/sign_in?return_to=%2Fprofile%2Fapplications');
  });

  test('an origin that matches the forged host is still refused', async () => {
    const { browser, page } = await atSignIn();
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await rawClient(gateway.url)({
      method: 'POST',
      path: '/users/sign_in',
      headers: {
        ...forged,
        origin: 'http://evil.example',
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ ...page.form('Sign in').fields, login: 'guest', password }).toString(),
    });
    expect(answer.status).toBe(403);
  });
});

describe('under an address with https', () => {
  let browser: BrowserSession;
  let answer: WebPage;
  beforeAll(async () => {
    const port = await freePort();
    await testGateway({ CAUSEWAY_BASE_URL: 'https://causeway.example', PORT: String(port) }, gateway);
    // Behind its proxy the gateway itself speaks http.
    browser = browserSession({ url: `http://127.0.0.1:${port}` });
    const page = await browser.get('/users/sign_in');
    answer = await browser.press(
      page.form('Sign in'),
      { login: 'guest', password },
      { origin: 'https://causeway.example' },
    );
  });

  test('the prefix __Host- binds every cookie to its host and to https', () => {
    expect(answer.status).toBe(303);
    const [session, known] = setCookies(answer);
    expect(session).toMatch(/^__Host-causeway_session=cwss_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    expect(known).toMatch(
      /^__Host-causeway_browser=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  test('a session cookie without the prefix is ignored', async () => {
    const secret = browser.cookies.get('__Host-causeway_session')!;
    expect((await browser.get('/profile/applications')).status).toBe(200);
    browser.cookies.delete('__Host-causeway_session');
    browser.cookies.set('causeway_session', secret);
    expect((await browser.get('/profile/applications')).status).toBe(303);
  });
});

describe('pages show who is signed in', () => {
  test('anonymous visitors can sign in, and return to the same page', async () => {
    expect((await browserSession(gateway).get('/groups/demo?x=1')).html).toContain(
      'href="/users/sign_in?return_to=%2Fgroups%2Fdemo%3Fx%3D1"',
    );
  });

  test('a private group is shown to its members only', async () => {
    const member = await signIn(gateway, 'developer');
    expect((await member.get('/groups/demo/platform')).text).toContain('Shared services.');
    expect((await member.get('/demo/platform/api')).text).toContain('The service behind the shop.');
    const { username, password: own } = await account(gateway, 'stranger');
    const stranger = await signIn(gateway, username, own);
    for (const browser of [stranger, browserSession(gateway)]) {
      const hidden = await browser.get('/groups/demo/platform');
      expect(hidden.status).toBe(404);
      expect(hidden.text).toBe((await browser.get('/groups/demo/no-such-group')).text);
    }
  });

  test('a profile is shown to signed-in people; others can’t see whether it exists', async () => {
    const browser = await signIn(gateway, 'guest');
    const mary = await browser.get('/Maintainer');
    expect([mary.status, mary.text]).toEqual([200, expect.stringContaining('Mary Maintainer')]);
    expect(mary.text).not.toContain('maintainer@example.com');
    expect((await browser.get('/no-such-user')).status).toBe(404);
    expect((await browserSession(gateway).get('/maintainer')).text).not.toContain('Mary');
  });

  test('a session ends at once when its person is blocked, or has no confirmed address left (row 32)', async () => {
    const { username, password: own, id } = await account(gateway, 'leaver');
    const browser = await signIn(gateway, username, own);
    await gateway.sql('update emails set verified_at = null where user_id = $1', [id]);
    expect(await whoIs(browser)).toBeNull();
    await gateway.sql('update emails set verified_at = now() where user_id = $1', [id]);
    expect(await whoIs(browser)).toBe(username);
    await gateway.operator('mutation ($userId: ID!) { blockUser(input: { userId: $userId }) { changed } }', {
      userId: id,
    });
    expect(await whoIs(browser)).toBeNull();
  });

  test('a session cookie opens neither the API nor GraphQL', async () => {
    const browser = await signIn(gateway, 'guest');
    expect((await browser.get('/api/v4/user', { accept: '*/*' })).status).toBe(401);
    const cookie = `${sessionCookie}=${browser.cookies.get(sessionCookie)}`;
    const { data } = await gateway.graphql('{ currentUser { username } }', { headers: { cookie } });
    expect(data).toEqual({ currentUser: null });
    const { errors } = await gateway.graphql('{ notificationSettings { level } }', { headers: { cookie } });
    expect(errors?.[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });
});
