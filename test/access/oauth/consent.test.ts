import { beforeEach, describe, expect, inject, test } from 'vitest';
import { signIn } from '../../support/pages/browser-session.ts';
import {
  account,
  callback,
  codeForm,
  pkce,
  registerApplication,
  statusOf,
  token,
  tokensOf,
  type ApplicationInput,
  type RegisteredApplication,
} from '../../support/oauth/oauth.ts';
import { address, consentPages, expectErrorPage, type Query } from './consent.ts';

const { gateway, browser, owner, application, asks, signedOut } = await consentPages();

// Forget consents, so that each test starts with the consent page.
beforeEach(() => gateway.sql('delete from consents'));

describe('the consent page', () => {
  test('shows the application, its owner and age, the user, the scopes and the redirect URI', async () => {
    const { status, text } = await browser.get(address(asks({ scope: 'read_user email' })));
    expect(status).toBe(200);
    expect(text).toContain('Authorize Weather ?');
    expect(text).toContain('Weather wants to act for you, Mary Maintainer (maintainer)');
    expect(text).toContain('Read your profile with its e-mail addresses, and the profiles of others. read_user');
    expect(text).toContain('Read your primary e-mail address. email');
    expect(text).toContain('Sends you to client.example');
    expect(text).toMatch(/Registered by Mary Maintainer \(maintainer\) Registered on \d+ \w+ 20\d\d/);
    expect(text).not.toContain('You are an administrator');
  });

  test('says who asks, for what, and where it leads, before the button', async () => {
    const { text } = await browser.get(address(asks({ scope: 'read_user email' })));
    const order = [
      'Authorize Weather ?',
      'Weather wants to act for you, Mary Maintainer (maintainer)',
      'read_user',
      'Sends you to client.example',
      'Registered by Mary Maintainer (maintainer)',
      'Registered on',
      'Next time',
      'Authorize it only if you started this yourself',
      'Authorize Weather Cancel',
    ].map((part) => text.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
  });

  test('explains every scope', async () => {
    const { text } = await browser.get(address(asks({ scope: application.scopes.join(' ') })));
    for (const scope of application.scopes) expect(text).toMatch(new RegExp(`[a-z]\\. ${scope}\\b`));
  });

  test('lists the scopes in a fixed order', async () => {
    const listed = async (scope: string) =>
      [...(await browser.get(address(asks({ scope })))).html.matchAll(/<code>([a-z_]+)<\/code>/g)].map(
        ([, name]) => name,
      );
    expect(await listed('email read_user')).toEqual(['read_user', 'email']);
  });

  test('marks only scopes that can change things or act as others', async () => {
    const scopes = 'api read_api read_user sudo';
    expect((await browser.get(address(asks({ scope: scopes })))).html.match(/class="badge caution">[^<]*/g)).toEqual([
      'class="badge caution">Can change things',
      'class="badge caution">Acts as others',
    ]);
  });

  test.each<[string, Partial<ApplicationInput>, Query, string]>([
    ['a confidential application, by code', {}, {}, 'It doesn’t ask again for the same scopes'],
    ['one that wants sudo', {}, { scope: 'sudo' }, 'It asks again.'],
    ['one that takes the token at once', {}, { response_type: 'token' }, 'It asks again.'],
    [
      'a public application',
      { confidential: false },
      { code_challenge: pkce().challenge, code_challenge_method: 'S256' },
      'It asks again.',
    ],
  ])('says whether consent is remembered: %s', async (_name, registered, asked, says) => {
    const one = await registerApplication(owner, registered);
    expect((await browser.get(address(asks(asked, one)))).text).toContain(`Next time ${says}`);
  });

  test('names the administrators if an application has no owner', async () => {
    const one = await registerApplication(owner);
    await gateway.sql('update applications set owner_id = null where id = $1', [one.id]);
    expect((await browser.get(address(asks({}, one)))).text).toContain(
      'Registered by the administrators of this instance',
    );
  });

  test('warns administrators', async () => {
    const root = await signIn(gateway, 'root', inject('passwords').root);
    expect((await root.get(address(asks()))).text).toContain('You are an administrator');
  });

  test.each([
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51234/cb', '127.0.0.1:51234 on this computer'],
    ['http://localhost:3000/cb', 'http://localhost:3000/cb', 'localhost:3000 on this computer'],
    ['http://intranet.example/cb', 'http://intranet.example/cb', 'intranet.example without encryption'],
    ['com.example.weather:/cb', 'com.example.weather:/cb', 'com.example.weather: an application on this device'],
  ])('says where the redirect URI %s leads', async (registered, requested, says) => {
    const native = await registerApplication(owner, { redirectUris: [registered] });
    expect((await browser.get(address(asks({ redirect_uri: requested }, native)))).text).toContain(says);
  });

  test('Authorize redirects to the application with a working code', async () => {
    const proof = pkce();
    const page = await browser.get(address(asks({ code_challenge: proof.challenge, code_challenge_method: 'S256' })));
    const { status, location, headers } = await browser.press(page.form('Authorize Weather'));
    expect(status).toBe(303);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    const answer = new URL(location!);
    expect(answer.origin + answer.pathname).toBe(callback);
    expect(answer.searchParams.get('state')).toBe('a state');
    const form = codeForm(application, answer.searchParams.get('code')!, { code_verifier: proof.verifier });
    const tokens = tokensOf(await token(gateway, form));
    expect(tokens.scope).toBe('read_user');
    expect(await statusOf(gateway, tokens.access_token)).toBe(200);
  });

  test('Cancel redirects to the application with access_denied', async () => {
    const page = await browser.get(address(asks()));
    const { status, location } = await browser.press(page.form('Cancel'));
    expect(status).toBe(303);
    const { searchParams } = new URL(location!);
    expect(Object.fromEntries(searchParams)).toMatchObject({ error: 'access_denied', state: 'a state' });
    expect(searchParams.has('code')).toBe(false);
  });

  test('a state with special characters comes back unchanged', async () => {
    const state = '"><script>&amp;+ %00 ü 💧 </form>\'';
    const page = await browser.get(address(asks({ state })));
    expect(page.html).not.toContain('<script>&amp;');
    const { location } = await browser.press(page.form('Cancel'));
    expect(new URL(location!).searchParams.get('state')).toBe(state);
  });

  test('a state with line breaks is refused, since forms would change it', async () => {
    expectErrorPage(await browser.get(address(asks({ state: 'a\nb' }))));
  });

  test('another user can sign in from it, and returns to it', async () => {
    const shared = await signIn(gateway, 'guest');
    const page = await shared.get(address(asks()));
    const { location } = await shared.press(page.form('Sign out'));
    expect(location).toBe(address(asks()));
    expect((await shared.get(location!)).location).toMatch(/^\/users\/sign_in\?return_to=%2Foauth%2Fauthorize%3F/);
  });
});

describe('before signing in', () => {
  test('a valid request leads to signing in, and back', async () => {
    const visitor = signedOut();
    const { status, location } = await visitor.get(address(asks()));
    expect(status).toBe(303);
    const answer = await visitor.press((await visitor.get(location!)).form('Sign in'), {
      login: 'guest',
      password: inject('passwords').demo,
    });
    expect(answer.location).toBe(address(asks()));
    expect((await visitor.get(answer.location!)).text).toContain('Weather wants to act for you, Guy Guest');
  });

  test('errors aren’t redirected to the application without a session (RFC 9700 §4.11.2)', async () => {
    const wrong = address(asks({ scope: 'everything' }));
    expect((await signedOut().get(wrong)).location).toMatch(/^\/users\/sign_in\?/);
    const { status, location } = await browser.get(wrong);
    expect(status).toBe(303);
    expect(new URL(location!).searchParams.get('error')).toBe('invalid_scope');
  });

  test('a decision without a session is ignored, and leads to signing in', async () => {
    const page = await browser.get(address(asks()));
    const answer = await signedOut().press(page.form('Authorize'));
    expect([answer.status, answer.location]).toEqual([
      303,
      `/users/sign_in?${new URLSearchParams({ return_to: address(asks()) }).toString()}`,
    ]);
  });
});

describe('row 16: only the request shown can be approved', () => {
  test.each([
    ['scope', 'api'],
    ['scope', 'read_user sudo'],
    ['scope', ''],
    ['redirect_uri', 'https://client.example/other'],
    ['response_type', 'token'],
    ['state', 'another'],
    ['code_challenge', pkce().challenge],
    ['response_mode', 'query'],
    ['prompt', 'login'],
  ])('a changed %s (%s) is refused, and issues nothing', async (name, value) => {
    const two = await registerApplication(owner, { redirectUris: [callback, 'https://client.example/other'] });
    const page = await browser.get(address(asks({}, two)));
    const answer = await browser.press(page.form('Authorize'), { [name]: value });
    expect([answer.status, answer.location]).toEqual([403, null]);
    const codes = await gateway.sql('select 1 from authorization_codes where application_id = $1', [two.id]);
    expect(codes).toEqual([]);
  });

  test('the request can’t be replaced by another application’s', async () => {
    const other = await registerApplication(owner, { name: 'Another' });
    const page = await browser.get(address(asks()));
    expect((await browser.press(page.form('Authorize'), { client_id: other.clientId })).status).toBe(403);
  });

  test('a repeated parameter is refused', async () => {
    const page = await browser.get(address(asks()));
    const body = new URLSearchParams(page.form('Authorize').fields);
    body.append('scope', 'api');
    expect((await browser.post('/oauth/authorize', body)).status).toBe(400);
  });

  test('the refusal links to a new start with the form’s request', async () => {
    const page = await browser.get(address(asks()));
    const answer = await browser.press(page.form('Authorize'), { scope: 'api' });
    const again = /href="([^"]*)">Start again/.exec(answer.html)![1]!.replaceAll('&amp;', '&');
    expect((await browser.get(again)).text).toContain('Read and change everything that you can.');
  });

  test('an application deleted in the meantime gets no answer', async () => {
    const gone = await registerApplication(owner);
    const page = await browser.get(address(asks({}, gone)));
    await gateway.sql('delete from applications where id = $1', [gone.id]);
    const answer = await browser.press(page.form('Authorize'));
    expectErrorPage(answer);
    expect(answer.text).toContain('invalid_client');
  });
});

describe('row 25: no other site can decide', () => {
  test.each([
    ['without a token', { form_token: '' }, {}],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['from the same site, another host', {}, { 'sec-fetch-site': 'same-site' }],
    ['with a foreign origin', {}, { origin: 'https://evil.example' }],
    ['with a hidden origin', {}, { origin: 'null' }],
  ])('%s a decision is refused', async (_name, fields, headers) => {
    const page = await browser.get(address(asks()));
    const answer = await browser.press(page.form('Authorize'), fields, headers);
    expect([answer.status, answer.location]).toEqual([403, null]);
  });

  test('the CSRF token of another session, of any user, doesn’t work', async () => {
    for (const login of ['maintainer', 'guest']) {
      const page = await (await signIn(gateway, login)).get(address(asks()));
      expect((await browser.press(page.form('Authorize'))).status).toBe(403);
    }
  });

  test('the CSRF token of another form in the same session doesn’t work', async () => {
    const { form_token: signOut } = (await browser.get('/')).form('Sign out').fields;
    expect((await browser.post('/oauth/authorize', { ...asks(), form_token: signOut! })).status).toBe(403);
  });
});

describe('a remembered consent', () => {
  async function approved(more: Query = {}, overrides: Partial<ApplicationInput> = {}): Promise<RegisteredApplication> {
    const made = await registerApplication(owner, overrides);
    const page = await browser.get(address(asks(more, made)));
    await browser.press(page.form('Authorize'));
    return made;
  }

  test('redirects at once, uncached and without a referrer (row 30)', async () => {
    const known = await approved();
    const { status, location, headers } = await browser.get(address(asks({ state: 'second' }, known)));
    expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      303,
      'no-store',
      'no-referrer',
    ]);
    const { searchParams } = new URL(location!);
    expect(searchParams.get('state')).toBe('second');
    expect((await token(gateway, codeForm(known, searchParams.get('code')!))).status).toBe(200);
  });

  test('counts for narrower scopes, but not for wider ones', async () => {
    const known = await approved({ scope: 'read_user email' });
    expect((await browser.get(address(asks({ scope: 'email' }, known)))).status).toBe(303);
    expect((await browser.get(address(asks({ scope: 'email api' }, known)))).form('Authorize')).toBeDefined();
  });

  test('HEAD issues no code', async () => {
    const known = await approved();
    const count = async () =>
      (
        await gateway.sql<{ n: number }>(
          'select count(*)::int as n from authorization_codes where application_id = $1',
          [known.id],
        )
      )[0]!.n;
    const before = await count();
    const cookie = `causeway_session=${browser.cookies.get('causeway_session')}`;
    expect((await fetch(gateway.url + address(asks({}, known)), { method: 'HEAD', headers: { cookie } })).status).toBe(
      200,
    );
    expect(await count()).toBe(before);
  });

  test('row 26: a public application requires consent every time', async () => {
    const { challenge } = pkce();
    const more = { code_challenge: challenge, code_challenge_method: 'S256' };
    const known = await approved(more, { confidential: false });
    expect((await browser.get(address(asks(more, known)))).form('Authorize')).toBeDefined();
  });

  test.each([
    ['the implicit grant', { response_type: 'token' }],
    ['sudo', { scope: 'read_user sudo' }],
  ])('%s requires consent every time', async (_name, more) => {
    const known = await approved(more);
    expect((await browser.get(address(asks(more, known)))).form('Authorize')).toBeDefined();
  });

  test('counts only for the user who gave it', async () => {
    const known = await approved();
    const guest = await signIn(gateway, 'guest');
    expect((await guest.get(address(asks({}, known)))).form('Authorize')).toBeDefined();
  });
});

describe('row 29: an application’s name is escaped', () => {
  test.each([
    ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&'],
    ['a right-to-left override', 'Harm\u202eless\u202c\u2066'],
    ['non-breaking spaces', '\u00a0\u00a0Causeway\u00a0itself\u00a0'],
    ['ten thousand letters', 'W'.repeat(10_000)],
  ])('%s in its name', async (_name, name) => {
    // Written to the database directly: registration refuses most of these.
    const odd = await registerApplication(owner);
    await gateway.sql('update applications set name = $2 where id = $1', [odd.id, name]);
    const { html } = await browser.get(address(asks({}, odd)));
    const escaped = name.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    const [body] = /<body.*/s.exec(html)!;
    for (const [, shown] of body.matchAll(/<bdi>([^<]*)<\/bdi>/g))
      expect([escaped, 'Mary Maintainer']).toContain(shown!.replace(/&quot;/g, '"'));
    // Isolated (bdi), so that its letters don't change the direction of other text.
    expect(body.replace(/<bdi>[^<]*<\/bdi>/g, '')).not.toContain(escaped.slice(0, 12));
    expect(html).not.toMatch(/<script>|<img src=x/);
  });

  test('a scope with spaces is never shown', async () => {
    const { location } = await browser.get(address(asks({ scope: 'read_user (approved by your administrator)' })));
    expect(new URL(location!).searchParams.get('error')).toBe('invalid_scope');
  });

  test('the CSP allows no inline code, and only own scripts', async () => {
    const page = await browser.get(address(asks()));
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(page.html).not.toMatch(/\son\w+=|<style|\sstyle=|<script(?! src="\/assets\/approve-[0-9a-f]{12}\.js">)/);
  });

  test.each([
    ['http://127.0.0.1/cb', "form-action 'self' https: http:"],
    ['com.example.app:/cb', "form-action 'self' https: com.example.app:"],
  ])('the form may also lead to %s', async (uri, policy) => {
    const native = await registerApplication(owner, { redirectUris: [uri] });
    expect((await browser.get(address(asks({}, native)))).headers.get('content-security-policy')).toContain(
      `; ${policy};`,
    );
    // Also on the sign-in page: the redirect may follow its form.
    const { location } = await signedOut().get(address(asks({ scope: 'x' }, native)));
    expect((await signedOut().get(location!)).headers.get('content-security-policy')).toContain(`; ${policy};`);
  });
});

test('row 27: nothing on the page gets focus from a fragment or autofocus', async () => {
  const { html } = await browser.get(address(asks()));
  expect(/<main.*<\/main>/s.exec(html)![0]).not.toMatch(/\sid=|<a [^>]*name=/);
  expect(html).not.toMatch(/\sautofocus|\stabindex/);
});

describe('row 28: pages can’t be framed (clickjacking)', () => {
  test.each([
    ['the start page', 200, () => browser.get('/')],
    ['signing in', 200, () => signedOut().get('/users/sign_in')],
    ['consent', 200, () => browser.get(address(asks()))],
    ['the device page', 200, () => browser.get('/oauth/device')],
    ['an unreadable request', 400, () => browser.get('/oauth/authorize?client_id=%zz')],
    ['a refused request', 400, () => browser.get('/oauth/authorize')],
    ['a form without its token', 403, () => browser.post('/oauth/authorize', asks())],
    ['a foreign form', 403, () => browser.post('/oauth/authorize', asks(), { origin: 'null' })],
    ['an unknown page', 404, () => browser.get('/demo/nothing')],
    ['a wrong method', 405, () => browser.post('/docs', {})],
    ['a wrong kind of form', 415, () => browser.post('/users/sign_in', {}, { 'content-type': 'text/plain' })],
    [
      'a wrong value',
      422,
      async () => browser.press((await browser.get('/oauth/device')).form('Continue'), { user_code: '' }),
    ],
  ])('%s', async (_name, status, open) => {
    const page = await open();
    expect(page.status).toBe(status);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('row 32: users with an unconfirmed address get no code', () => {
  test('they can’t sign in', async () => {
    const { username, password } = await account(gateway, 'unconfirmed', { emailVerified: false });
    expect((await signIn(gateway, username, password)).cookies.has('causeway_session')).toBe(false);
  });

  test('users who lose the confirmation are signed out', async () => {
    const { username, password, id } = await account(gateway, 'doubtful');
    const doubtful = await signIn(gateway, username, password);
    const page = await doubtful.get(address(asks()));
    await gateway.sql('update emails set verified_at = null where user_id = $1', [id]);
    expect((await doubtful.press(page.form('Authorize'))).location).toMatch(/^\/users\/sign_in\?/);
    expect(await gateway.sql('select 1 from authorization_codes where user_id = $1', [id])).toEqual([]);
  });
});

test('row 42: a decision is answered with 303', async () => {
  const page = await browser.get(address(asks()));
  for (const button of ['Authorize', 'Cancel']) expect((await browser.press(page.form(button))).status).toBe(303);
});
