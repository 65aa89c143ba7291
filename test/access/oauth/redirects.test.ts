import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { browserSession, signIn } from '../../support/pages/browser-session.ts';
import { testGateway } from '../../support/gateway.ts';
import {
  callback,
  codeForm,
  fragment,
  pkce,
  registerApplication,
  statusOf,
  token,
  type RegisteredApplication,
} from '../../support/oauth/oauth.ts';
import { address, consentPages, expectErrorPage, type Query } from './consent.ts';

/** Where an authorization request leads: to the application, to an error page, or to a code that the person copies. */

const { gateway, browser, owner, asks, signedOut } = await consentPages();

// Forget consents, so that each test starts with the consent page.
beforeEach(() => gateway.sql('delete from consents'));

describe('requests that must not redirect', () => {
  test.each([
    ['no client_id', { client_id: '' }, 'client_id is missing.', 'invalid_request'],
    [
      'an unknown client_id',
      { client_id: 'nobody' },
      'client_id belongs to no application of this instance.',
      'invalid_client',
    ],
    ['no redirect_uri', { redirect_uri: '' }, 'redirect_uri is missing.', 'invalid_redirect_uri'],
    [
      'another redirect_uri',
      { redirect_uri: 'https://other.example/cb' },
      'Sent https://other.example/cb',
      'invalid_redirect_uri',
    ],
  ])('%s: the page names the wrong value, signed in or not', async (_name, more, says, error) => {
    for (const visitor of [browser, signedOut()]) {
      const page = await visitor.get(address(asks(more)));
      expectErrorPage(page);
      expect(page.status).toBe(400);
      expect(page.text).toContain(says);
      expect(page.text).toContain(error);
    }
  });

  test('registered and sent URI are both shown, to the application’s owner only', async () => {
    const request = address(asks({ redirect_uri: `${callback}/` }));
    const own = await browser.get(request);
    expect(own.text).toContain(`Sent ${callback}/ Registered ${callback} Error invalid_redirect_uri`);
    const root = await signIn(gateway, 'root', inject('passwords').root);
    expect((await root.get(request)).text).toContain(`Registered ${callback} `);
    for (const visitor of [await signIn(gateway, 'guest'), signedOut()]) {
      const { text } = await visitor.get(request);
      expect(text).not.toContain(`Registered ${callback}`);
      expect(text).toContain('The owner of the application sees its registered redirect URIs here after signing in.');
    }
  });

  test('a registered URI that today’s rules refuse is named with the rule, not as an unknown one', async () => {
    const older = await registerApplication(owner, { name: 'Older' });
    for (const [uri, rule] of [
      ['https://user@client.example/', 'it must not contain a user or a password.'],
      ['javascript:alert(1)', 'it is forbidden by the server.'],
    ] as const) {
      await gateway.sql('update applications set redirect_uris = $1 where id = $2', [[uri], older.id]);
      for (const visitor of [browser, signedOut()]) {
        const page = await visitor.get(address(asks({ redirect_uri: uri }, older)));
        expectErrorPage(page);
        expect(page.text).toContain('uses an address that this server used to allow and refuses now');
        expect(page.text).toContain(`redirect_uri is registered, but the rules of this server refuse it now: ${rule}`);
        expect(page.text).not.toContain('isn’t registered');
      }
    }
  });

  test('the sent URI is shown shortened, with invisible characters escaped', async () => {
    const page = await browser.get(
      address(asks({ redirect_uri: `https://x.example/\u202e<img src=x onerror=alert(1)>${'y'.repeat(3_000)}` })),
    );
    expect(page.html).toContain('\\u{202e}&lt;img src=x onerror=alert(1)>yyy');
    expect(page.html).not.toContain('<img src=x');
    expect(page.html.length).toBeLessThan(4_000);
  });

  const registered = 'https://a.example/cb';
  const vectors: Record<string, string[]> = {
    'row 1: another host with the same prefix': [
      'https://a.example.evil.com/cb',
      'https://a.example@evil.example/cb',
      'https://a.example:443@evil.example/cb',
      'https://evil.example\\@a.example/cb',
      '//evil.example',
      '//a.example/cb',
      '\thttps://a.example/cb',
      '\rhttps://a.example/cb',
      ' https://a.example/cb',
      'https://a.example/cb\t',
      'https:/a.example/cb',
      'https:a.example/cb',
      'https://a.example/cb#x',
      'https://a.example/cb#',
    ],
    'row 2: another path': [
      'https://a.example/cb/../x',
      'https://a.example/cb/..',
      'https://a.example/x/../cb',
      'https://a.example/cb%2f..%2fx',
      'https://a.example/cb%252f..%252fx',
      'https://a.example/cb/..;/x',
      'https://a.example/cb;x',
      'https://a.example/cb?x=1',
      'https://a.example/cb?',
      'https://a.example/cb/',
      'https://a.example//cb',
      'https://a.example/./cb',
      'https://a.example/%63b',
      'https://a.example/cbx',
      'https://a.example',
    ],
    'row 3: another case or form': [
      'HTTPS://A.EXAMPLE/CB',
      'https://A.example/cb',
      'Https://a.example/cb',
      'https://a.example/CB',
      'https://a.example:443/cb',
      'https://aaexample/cb',
      'https://a.example./cb',
      'http://a.example/cb',
    ],
    'row 5: an executable scheme': [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      'javascript://a.example/%0aalert(1)',
      'data:text/html,x',
      'DATA:text/html;base64,eA==',
      'vbscript:x',
      'blob:https://a.example/x',
      'file:///etc/passwd',
      'about:blank',
      'view-source:https://a.example/cb',
    ],
  };
  let strict: RegisteredApplication;
  beforeAll(async () => {
    strict = await registerApplication(owner, { redirectUris: [registered] });
  });

  test('the registered URI is accepted', async () => {
    expect((await browser.get(address(asks({}, strict)))).status).toBe(200);
  });

  test.each(Object.entries(vectors).flatMap(([row, uris]) => uris.map((uri) => [row, uri] as const)))(
    '%s: %j',
    async (_row, uri) => {
      expectErrorPage(await browser.get(address(asks({ redirect_uri: uri }, strict))));
      expectErrorPage(await browser.get(address(asks({ redirect_uri: uri, response_type: 'token' }, strict))));
    },
  );

  test('row 1: a URI that begins with NUL is refused as unreadable', async () => {
    expectErrorPage(await browser.get(`${address(asks({}, strict)).replace('https', '%00https')}`));
  });

  describe('row 4: loopback addresses', () => {
    let native: RegisteredApplication;
    beforeAll(async () => {
      native = await registerApplication(owner, { redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb'] });
    });

    test.each(['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb', 'http://127.0.0.1:65535/cb', 'http://[::1]:5173/cb'])(
      '%s is accepted',
      async (uri) => {
        expect((await browser.get(address(asks({ redirect_uri: uri }, native)))).status).toBe(200);
      },
    );

    test.each([
      'http://127.0.0.1:80@evil.example/cb',
      'http://127.0.0.1:@evil.example/cb',
      'http://user@127.0.0.1/cb',
      'http://127.0.0.1:5173/other',
      'http://127.0.0.1:5173/cb?x=1',
      'http://127.0.0.1:5173/cb/',
      'http://localhost/cb',
      'http://localhost:5173/cb',
      'https://127.0.0.1/cb',
      'http://127.0.0.2/cb',
      'http://127.1/cb',
      'http://2130706433/cb',
      'http://127.0.0.1:65536/cb',
      'http://127.0.0.1:-1/cb',
      'http://127.0.0.1.evil.example/cb',
      'http://0177.0.0.1/cb',
      'HTTP://127.0.0.1/cb',
    ])('%s is refused', async (uri) => {
      expectErrorPage(await browser.get(address(asks({ redirect_uri: uri }, native))));
    });

    test('the implicit grant requires the registered port', async () => {
      expectErrorPage(
        await browser.get(address(asks({ redirect_uri: 'http://127.0.0.1:5173/cb', response_type: 'token' }, native))),
      );
    });

    test('the token request must repeat the same port', async () => {
      const uri = 'http://127.0.0.1:5173/cb';
      const page = await browser.get(address(asks({ redirect_uri: uri }, native)));
      const code = new URL((await browser.press(page.form('Authorize'))).location!).searchParams.get('code')!;
      const other = await token(gateway, codeForm(native, code, { redirect_uri: 'http://127.0.0.1:5174/cb' }));
      expect([other.status, other.body]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
      expect((await token(gateway, codeForm(native, code, { redirect_uri: uri }))).status).toBe(200);
    });
  });

  test.each([
    ['an unknown client', { client_id: 'x' }],
    ['prompt=none', { prompt: 'none' }],
    ['an unknown response_type', { response_type: 'code id_token' }],
    ['an unknown scope', { scope: 'everything' }],
    ['an invalid challenge', { code_challenge: 'short', code_challenge_method: 'S256' }],
  ])('row 6: with an unregistered redirect URI, %s doesn’t redirect', async (_name, more) => {
    for (const visitor of [browser, signedOut()]) {
      expectErrorPage(await visitor.get(address(asks({ redirect_uri: 'https://evil.example/cb', ...more }))));
    }
  });

  test.each(['client_id', 'redirect_uri', 'scope', 'state', 'response_type', 'anything'])(
    '%s sent twice is an error page, even with the same value',
    async (name) => {
      const query = new URLSearchParams(asks({ anything: 'x' }));
      query.append(name, query.get(name)!);
      for (const visitor of [browser, signedOut()]) {
        const page = await visitor.get(`/oauth/authorize?${query.toString()}`);
        expectErrorPage(page);
        expect(page.text).toContain(`The parameter ${name} is repeated.`);
      }
    },
  );

  test.each([
    '%zz',
    'client_id=%ff',
    'client_id[]=x',
    'client_id[a]=x',
    'redirect_uri[]=x&redirect_uri=y',
    '&&=',
    'client_id=%00',
  ])('?%s is an error page', async (query) => {
    expectErrorPage(await browser.get(`/oauth/authorize?${query}`));
  });
});

describe('rows 31 and 35: in the profile strict the answer has iss, and the browser keeps no fragment', async () => {
  const strict = await testGateway({ CAUSEWAY_PROFILE: 'strict' }, gateway);
  const proof = pkce();
  const withProof = (more: Query = {}) =>
    asks({ code_challenge: proof.challenge, code_challenge_method: 'S256', ...more });
  const there = () => browserSession(strict, browser.cookies);

  test.each(['Authorize', 'Cancel'])('after %s: one iss, and its own fragment', async (button) => {
    const visitor = there();
    const page = await visitor.get(address(withProof()));
    const location = new URL((await visitor.press(page.form(button))).location!);
    expect([location.searchParams.getAll('iss'), location.hash]).toEqual([[strict.url], '#_']);
  });

  test('an error before the page', async () => {
    const location = new URL((await there().get(address(withProof({ scope: '' })))).location!);
    expect([location.searchParams.getAll('iss'), location.searchParams.get('error'), location.hash]).toEqual([
      [strict.url],
      'invalid_scope',
      '#_',
    ]);
  });

  test('an error in the fragment', async () => {
    const { location } = await there().get(address(withProof({ response_type: 'token' })));
    expect([fragment(new URL(location!)).getAll('iss'), fragment(new URL(location!)).get('error')]).toEqual([
      [strict.url],
      'unsupported_response_type',
    ]);
  });
});

describe('in the profile compatible the answer has neither: clients refuse an unknown issuer, and read `#` as a token', () => {
  test.each(['Authorize', 'Cancel'])('after %s', async (button) => {
    const page = await browser.get(address(asks()));
    const { location } = await browser.press(page.form(button));
    expect([new URL(location!).searchParams.has('iss'), location!.includes('#')]).toEqual([false, false]);
  });

  test('a token is in the fragment only, without a refresh token', async () => {
    const page = await browser.get(address(asks({ response_type: 'token' })));
    const location = new URL((await browser.press(page.form('Authorize'))).location!);
    expect(location.search).toBe('');
    expect([...fragment(location).keys()]).toEqual(['access_token', 'token_type', 'expires_in', 'state']);
    expect(await statusOf(gateway, fragment(location).get('access_token')!)).toBe(200);
  });
});

describe('a code that the user copies (out of band)', () => {
  const oob = 'urn:ietf:wg:oauth:2.0:oob';
  let byHand: RegisteredApplication;
  beforeAll(async () => {
    byHand = await registerApplication(owner, { name: 'Console', redirectUris: [oob, callback] });
  });
  const proof = pkce();
  const withProof = (more: Query = {}) =>
    asks({ code_challenge: proof.challenge, code_challenge_method: 'S256', ...more }, byHand);

  test('is shown on a page with no-store, and requires PKCE', async () => {
    const page = await browser.get(address(withProof()));
    expect(page.text).toContain('Sends you to a page with a code to copy into the application');
    expect(page.text).toContain('It asks again.');
    const answer = await browser.press(page.form('Authorize'));
    expect([answer.status, answer.location, answer.headers.get('cache-control')]).toEqual([200, null, 'no-store']);
    const [code] = /cwac_[A-Za-z0-9_-]{43}/.exec(answer.text)!;
    const redeem = (form: Query) => token(gateway, codeForm(byHand, code, form));
    expect((await redeem({})).body).toMatchObject({ error: 'invalid_request' });
    expect((await redeem({ code_verifier: proof.verifier, redirect_uri: callback })).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await redeem({ code_verifier: proof.verifier })).status).toBe(200);
  });

  test('requires consent every time', async () => {
    for (const _time of ['first', 'second']) {
      const page = await browser.get(address(withProof()));
      await browser.press(page.form('Authorize'));
    }
    expect(await gateway.sql('select 1 from consents where application_id = $1', [byHand.id])).toEqual([]);
  });

  test.each<[what: string, more: Query, says: string]>([
    ['no proof', { code_challenge: '', code_challenge_method: '' }, 'Missing required parameter: code_challenge.'],
    ['a token', { response_type: 'token' }, 'The authorization server does not support this response type.'],
    ['an unknown scope', { scope: 'openid' }, 'The requested scope is invalid, unknown, or malformed.'],
  ])('with %s is an error page, since there is no redirect URI', async (_what, more, says) => {
    const page = await browser.get(address(withProof(more)));
    expectErrorPage(page);
    expect(page.text).toContain(says);
  });

  test('isn’t issued if the user refuses', async () => {
    const page = await browser.get(address(withProof()));
    const answer = await browser.press(page.form('Cancel'));
    expect([
      answer.status,
      answer.text.includes('The application gets no code'),
      answer.text.includes('cwac_'),
    ]).toEqual([200, true, false]);
  });

  test.each([`${oob}:auto`, 'urn:ietf:wg:oauth:2.0:oob2', oob.toUpperCase()])(
    'isn’t available as %s',
    async (redirectUri) => {
      expectErrorPage(await browser.get(address(withProof({ redirect_uri: redirectUri }))));
    },
  );
});
