import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { matchesRegistered, redirectUriProblems } from '../src/oauth/redirect-uri.ts';
import { testGateway, type TestGateway } from './support/gateway.ts';
import {
  asksFor,
  callback,
  decide,
  pkce,
  prospect,
  registerApplication,
  session,
  withChallenge,
  type AuthorizationParameters,
  type RegisteredApplication,
  type Session,
} from './support/oauth.ts';

const lax = true;
const strict = false;
const problem = {
  relative: 'must be an absolute URI.',
  forbidden: 'is forbidden by the server.',
  fragment: 'cannot contain a fragment.',
  userinfo: 'must not contain a user or a password.',
  http: 'must use HTTPS.',
  scheme: 'must specify a scheme.',
} as const;

describe('what can be registered', () => {
  test.each([
    'https://client.example/callback',
    'https://client.example',
    'https://client.example/',
    'https://client.example:8443/cb',
    'https://client.example/cb?a=1&b=%20',
    'https://client.example/cb?next=user@host',
    'https://sub.client.example/a/b/c.d;e=f/(g)',
    'HTTPS://CLIENT.EXAMPLE/CB',
    'https://[2001:db8::1]/cb',
    'https://192.0.2.1/cb',
    'https://xn--bcher-kva.example/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5173/cb',
    'http://127.255.255.254/cb',
    'http://[::1]/cb',
    'http://[::1]:8080/cb',
    'http://localhost/cb',
    'http://localhost:3000/cb',
    'http://LOCALHOST:3000/cb',
    'com.example.app:/callback',
    'com.example.app://callback',
    'myapp://callback',
    `https://client.example/${'x'.repeat(1_977)}`,
  ])('%s, in either profile', (uri) => {
    expect([redirectUriProblems(uri, lax), redirectUriProblems(uri, strict)]).toEqual([[], []]);
  });

  test.each([
    'http://client.example/cb',
    'http://192.0.2.1/cb',
    'http://128.0.0.1/cb',
    'http://localhost.evil.example/cb',
    'http://localhost./cb',
    'http://127.0.0.1.evil.example/cb',
    'http://[::2]/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://0.0.0.0/cb',
  ])('%s, only in development (R5)', (uri) => {
    expect([redirectUriProblems(uri, lax), redirectUriProblems(uri, strict)]).toEqual([[], [problem.http]]);
  });

  test.each<[uri: string, problem: string]>([
    // Schemes that run or show something (row 5).
    ...['javascript:alert(1)', 'JavaScript:alert(1)', 'javascript://client.example/%0aalert(1)', 'data:text/html,x', 'DATA:text/html;base64,eA==',
      'vbscript:x', 'VbScript:x', 'blob:https://client.example/1', 'file:///etc/passwd', 'about:blank', 'view-source:https://client.example',
      'filesystem:https://client.example/x', 'ws://client.example/', 'wss://client.example/', 'ftp://client.example/cb', 'MailTo:someone@client.example', 'tel:+1', 'sms:/+1'].map((uri): [string, string] => [uri, problem.forbidden]),
    // What isn't absolute, or only seems to be.
    ...['', '/cb', 'cb', '//client.example/cb', '?a=1', 'client.example/cb', '://client.example', ':', 'https:', 'https:/client.example/cb', 'https:client.example',
      'https://', 'https:///client.example/cb', 'http:///cb', 'https://?a', 'https://:80/', '1https://client.example/', '-app://x', '127.0.0.1:8080/cb',
      'https://client.example:99999/cb', 'https://[::1', 'https://client%00.example/', 'https://a b.example/'].map((uri): [string, string] => [uri, problem.relative]),
    // Characters that one parser drops, and another doesn't.
    ...[' https://client.example/', 'https://client.example/ ', '\thttps://client.example/', 'ht\ntps://client.example/', 'java\tscript:alert(1)', ' javascript:alert(1)',
      'https://client.example/\r\nSet-Cookie: x', 'https://client.example/\0', 'https://client.example\\@evil.example/', 'https:\\\\client.example', 'https://client.example/é',
      'https://bücher.example/', 'https://client.example/\u202e', 'https://client.example/\u00a0', 'https://client.example/<b>', 'https://client.example/"x"',
      'https://client.example/{id}', 'https://client.example/a|b', 'https://client.example/^', 'https://client.example/`', 'https://ａ.example/'].map((uri): [string, string] => [uri, problem.relative]),
    // People in addresses (row 1, row 4).
    ...['https://user@client.example/', 'https://user:password@client.example/', 'https://@client.example/', 'https://:@client.example/', 'https://client.example@evil.example/cb',
      'https://client.example%2f@evil.example/', 'http://127.0.0.1:80@evil.example/'].map((uri): [string, string] => [uri, problem.userinfo]),
    ['https://client.example/cb#', problem.fragment],
    ['https://client.example/cb#fragment', problem.fragment],
    ['myapp://callback#x', problem.fragment],
    ['localhost:3000/cb', problem.scheme],
    ['myapp:callback', problem.scheme],
    ['urn:ietf:wg:oauth:2.0:oob', problem.scheme],
    [`https://client.example/${'x'.repeat(1_978)}`, 'is too long (maximum is 2000 characters)'],
  ])('not %j: it %s', (uri, why) => {
    expect([redirectUriProblems(uri, lax), redirectUriProblems(uri, strict)]).toEqual([[why], [why]]);
  });

  test('whatever passes is one address to every reader: its own characters, and an origin that WHATWG’s parser agrees with', () => {
    const piece = fc.constantFrom('https', 'http', ':', '/', '//', '\\', '@', '?', '#', '.', '..', '%2f', '%00', '\t', '\n', ' ', 'client.example', 'evil.example', '127.0.0.1', '[::1]', ':80', 'é', ';', '&', 'localhost', 'javascript');
    fc.assert(
      fc.property(fc.constantFrom('https://', 'http://', 'HTTPS://', ''), fc.array(piece, { maxLength: 7 }), (start, pieces) => {
        const uri = start + pieces.join('');
        if (redirectUriProblems(uri, lax).length > 0 || !/^https?:/i.test(uri)) return;
        const byEye = /^https?:\/\/(\[[^\]]*\]|[^/?:]*)/i.exec(uri)![1]!.toLowerCase();
        const { hostname, username, password, hash } = new URL(uri);
        expect({ hostname, username, password, hash }).toEqual({ hostname: new URL(`https://${byEye}/`).hostname, username: '', password: '', hash: '' });
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('which requested address is a registered one', () => {
  const a = 'https://a.example/cb';
  const loopback = 'http://127.0.0.1/cb';

  test.each<[registered: string, requested: string]>([
    [a, a],
    ['https://a.example/cb?x=1', 'https://a.example/cb?x=1'],
    ['https://a.example', 'https://a.example'],
    ['com.example.app:/cb', 'com.example.app:/cb'],
    [loopback, loopback],
    [loopback, 'http://127.0.0.1:1/cb'],
    [loopback, 'http://127.0.0.1:65535/cb'],
    ['http://127.0.0.1:3000/cb', 'http://127.0.0.1:4000/cb'],
    ['http://127.0.0.1:3000/cb', loopback],
    ['http://127.0.0.1', 'http://127.0.0.1:80'],
    ['http://127.0.0.1?x=1', 'http://127.0.0.1:80?x=1'],
    ['http://127.1.2.3/cb', 'http://127.1.2.3:80/cb'],
    ['http://[::1]/cb', 'http://[::1]:51004/cb'],
    ['http://[::1]:1/cb', 'http://[::1]/cb'],
  ])('%s: %s is', (registered, requested) => {
    expect(matchesRegistered(requested, ['https://other.example/', registered], true)).toBe(true);
  });

  test.each<[registered: string, requested: string]>([
    // Row 1: a host that only begins the same.
    ...['https://a.example.evil.com/cb', 'https://a.example@evil/cb', 'https://evil\\@a.example/cb', 'https://evil/https://a.example/cb', '//evil', '//a.example/cb',
      `\t${a}`, `\r${a}`, `\0${a}`, ` ${a}`, `${a} `, `${a}\n`, 'https://a.examplecb', 'https://xa.example/cb', 'https://a.example:443/cb', 'https://a.example:8443/cb',
      'https://a.example./cb', 'http://a.example/cb', 'https:a.example/cb', 'https:/a.example/cb'].map((uri): [string, string] => [a, uri]),
    // Row 2: a path that leads elsewhere.
    ...['https://a.example/cb/../x', 'https://a.example/cb%2f..%2fx', 'https://a.example/cb%252f..%252fx', 'https://a.example/cb/..;/x', 'https://a.example/cb/', 'https://a.example/cb/x',
      'https://a.example/cb?x=1', 'https://a.example/cb?', 'https://a.example/cb#', 'https://a.example/cb#x', 'https://a.example/./cb', 'https://a.example//cb', 'https://a.example/c%62', 'https://a.example/cb;x',
      'https://a.example/cb&x', 'https://a.example', 'https://a.example/', 'https://a.example/c', 'https://a.example/cbx'].map((uri): [string, string] => [a, uri]),
    // Row 3: case and look-alikes.
    ...['HTTPS://A.EXAMPLE/CB', 'https://A.example/cb', 'https://a.example/CB', 'Https://a.example/cb', 'https://aXexample/cb', 'https://a-example/cb', 'https://а.example/cb'].map((uri): [string, string] => [a, uri]),
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/cb?x=1&y=2', 'https://a.example/cb?y=2&x=1'],
    ['https://a.example/cb?x=1', 'https://a.example/cb'],
    ['https://a.example/cb?x=1', 'https://a.example/cb?x=1&y=2'],
    // Row 4: loopback, by its very address and nothing else.
    ...['http://127.0.0.1:80@evil/cb', 'http://127.0.0.1:80@evil:80/cb', 'http://127.0.0.1:/cb', 'http://127.0.0.1:x/cb', 'http://127.0.0.1:65536/cb', 'http://127.0.0.1:123456/cb', 'http://127.0.0.1:-1/cb',
      'http://127.0.0.1:80/other', 'http://127.0.0.1:80/cb/', 'http://127.0.0.1:80/cb?x', 'http://127.0.0.1:80/cb#x', 'http://127.0.0.1:80', 'http://127.0.0.2:80/cb', 'http://127.1:80/cb', 'http://127.000.000.001:80/cb',
      'http://0x7f.0.0.1:80/cb', 'http://2130706433:80/cb', 'http://localhost:80/cb', 'http://localhost/cb', 'https://127.0.0.1:80/cb', 'HTTP://127.0.0.1:80/cb', 'http://127.0.0.1.evil:80/cb', 'http://127.0.0.1evil/cb',
      'http://127.0.0.1:80\\@evil/cb', 'http://127.0.0.1:80/cb\n', 'http://[::1]:80/cb', 'http://[::ffff:127.0.0.1]/cb', 'http://[0:0:0:0:0:0:0:1]/cb'].map((uri): [string, string] => [loopback, uri]),
    ['http://[::1]/cb', 'http://[0:0:0:0:0:0:0:1]:80/cb'],
    ['http://[::1]/cb', 'http://127.0.0.1/cb'],
    // The name may be looked up elsewhere (RFC 8252 §8.3).
    ['http://localhost/cb', 'http://localhost:3000/cb'],
    ['http://localhost:3000/cb', 'http://localhost:3001/cb'],
    ['http://10.0.0.1/cb', 'http://10.0.0.1:80/cb'],
    ['http://128.0.0.1/cb', 'http://128.0.0.1:80/cb'],
    ['https://127.0.0.1/cb', 'https://127.0.0.1:8443/cb'],
  ])('%s: %j is not', (registered, requested) => {
    expect(matchesRegistered(requested, [registered], true)).toBe(false);
    expect(matchesRegistered(requested, [], true)).toBe(false);
  });

  test('for a token in a fragment not even the port may differ (row 4)', () => {
    expect(matchesRegistered('http://127.0.0.1:5173/cb', [loopback], false)).toBe(false);
    expect(matchesRegistered(loopback, [loopback], false)).toBe(true);
  });

  test('only what is equal to the letter matches where there is no loopback', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: 'grapheme', maxLength: 3 }), fc.nat(), (uri, noise, at) => {
        const position = at % (uri.length + 1);
        const changed = uri.slice(0, position) + noise + uri.slice(position);
        expect(matchesRegistered(changed, [uri], true)).toBe(changed === uri);
      }),
    );
  });
});

describe.each(['compatible', 'strict'] as const)('at the authorization endpoint in the profile %s', (profile) => {
  let gateway: TestGateway;
  let person: Session;
  let application: RegisteredApplication;
  beforeAll(async () => {
    gateway = await testGateway({ CAUSEWAY_PROFILE: profile });
    person = await session(gateway, 'person');
    application = await registerApplication(person, { redirectUris: [callback, 'https://client.example/cb?x=1', 'http://127.0.0.1/cb', 'http://localhost/cb'] });
  });

  const ask = (more: AuthorizationParameters) => asksFor(application, { ...withChallenge(pkce()), state: 's', ...more });
  const asked = (more: AuthorizationParameters) => prospect(gateway, person.secret, ask(more));

  test.each([
    'https://client.example.evil.com/callback',
    'https://client.example@evil.example/callback',
    'https://client.example/callback/../x',
    'https://client.example/callback%2f..%2fx',
    'https://client.example/callback?x=1',
    'https://client.example/callback/',
    'HTTPS://client.example/callback',
    'http://client.example/callback',
    '//client.example/callback',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '\thttps://client.example/callback',
    'https://client.example/callback\0',
    'http://127.0.0.1:80@evil.example/cb',
    'http://localhost:5000/cb',
    'x'.repeat(100_000),
    '\ud800',
    '',
  ])('“MUST NOT automatically redirect the user-agent to the invalid redirection URI” (RFC 6749 §4.1.2.1): %.80j', async (redirectUri) => {
    for (const more of [{}, { responseType: 'token' }, { responseType: 'nonsense' }, { scope: 'openid' }, { prompt: 'none' }, { codeChallengeMethod: 'plain' }]) {
      const { error, errorLocation, application: shown } = await asked({ ...more, redirectUri });
      expect({ error, errorLocation, shown }).toEqual({ error: 'invalid_redirect_uri', errorLocation: null, shown: null });
    }
    await expect(decide(person, ask({ redirectUri }))).rejects.toMatchObject({ error: 'invalid_redirect_uri' });
    await expect(decide(person, ask({ redirectUri }), false)).rejects.toMatchObject({ error: 'invalid_redirect_uri' });
  });

  test.each([null, '', 'nobody', 'x'.repeat(100_000), '\ud800'])('nobody is sent anywhere for an unknown client (row 6): %.40j', async (clientId) => {
    const { error, errorLocation } = await asked({ clientId });
    expect([error, errorLocation]).toEqual([clientId ? 'invalid_client' : 'invalid_request', null]);
  });

  test('an address is required even where only one is registered', async () => {
    const single = await registerApplication(person);
    expect(await prospect(gateway, person.secret, asksFor(single, { redirectUri: null }))).toMatchObject({ error: 'invalid_redirect_uri', errorLocation: null });
  });

  test('an application without any address can’t be sent to one', async () => {
    const device = await registerApplication(person, { redirectUris: [], grants: ['client_credentials'] });
    expect(await prospect(gateway, person.secret, asksFor(device, { redirectUri: callback }))).toMatchObject({ error: 'invalid_redirect_uri', errorLocation: null });
  });

  test.each<[more: AuthorizationParameters, error: string]>([
    [{ responseType: 'nonsense' }, 'unsupported_response_type'],
    [{ scope: 'openid' }, 'invalid_scope'],
    [{ codeChallengeMethod: 'plain' }, 'invalid_request'],
    [{ prompt: 'none' }, 'interaction_required'],
  ])('%j is told at the registered address, with state and exactly one iss (RFC 9207 §2)', async (more, error) => {
    const { errorLocation, error: said } = await asked(more);
    const location = new URL(errorLocation!);
    expect([said, `${location.origin}${location.pathname}`]).toEqual([error, callback]);
    expect([location.searchParams.get('error'), location.searchParams.get('state'), location.searchParams.getAll('iss')]).toEqual([error, 's', [gateway.url]]);
  });

  test('a loopback address takes any port, and the answer goes to that very port', async () => {
    const location = await decide(person, ask({ redirectUri: 'http://127.0.0.1:5173/cb' }));
    expect(location.href.startsWith('http://127.0.0.1:5173/cb?code=')).toBe(true);
    const refused = await decide(person, ask({ redirectUri: 'http://127.0.0.1:5173/cb', scope: 'openid' }));
    expect(refused.href.startsWith('http://127.0.0.1:5173/cb?error=')).toBe(true);
  });

  test('the implicit grant has no such exception', async () => {
    const { error, errorLocation } = await asked({ redirectUri: 'http://127.0.0.1:5173/cb', responseType: 'token' });
    expect([error, errorLocation]).toEqual(['invalid_redirect_uri', null]);
    const registered = await asked({ redirectUri: 'http://127.0.0.1/cb', responseType: 'token' });
    expect(registered.error).toBe(profile === 'strict' ? 'unsupported_response_type' : null);
  });

  test('a registered query stays in front, to the letter (RFC 6749 §3.1.2)', async () => {
    const location = await decide(person, ask({ redirectUri: 'https://client.example/cb?x=1' }));
    expect(location.href.startsWith('https://client.example/cb?x=1&code=')).toBe(true);
  });

  test('a private scheme gets its answer too', async () => {
    const native = await registerApplication(person, { confidential: false, redirectUris: ['com.example.app:/cb', 'myapp://cb?x'] });
    for (const redirectUri of native.redirectUris) {
      const location = await decide(person, asksFor(native, { ...withChallenge(pkce()), redirectUri }));
      expect(location.href.startsWith(redirectUri)).toBe(true);
      expect(location.searchParams.get('code')).toMatch(/^cwac_/);
    }
  });

  test(`plain http to another machine ${profile === 'strict' ? 'can’t be registered' : 'may be registered in development'} (R5)`, async () => {
    const registering = registerApplication(person, { redirectUris: [callback, 'http://intranet.example/cb'] });
    if (profile === 'strict') await expect(registering).rejects.toMatchObject({ fields: { redirectUris: ['must use HTTPS.'] } });
    else expect((await decide(person, asksFor(await registering, { redirectUri: 'http://intranet.example/cb' }))).protocol).toBe('http:');
  });

  test('an address that was registered under laxer rules is refused under today’s', async () => {
    const older = await registerApplication(person);
    for (const uri of ['javascript:alert(1)', 'https://user@client.example/', ...(profile === 'strict' ? ['http://intranet.example/cb'] : [])]) {
      await gateway.sql('update applications set redirect_uris = $1 where id = $2', [[uri], older.id]);
      expect(await prospect(gateway, person.secret, asksFor(older, { redirectUri: uri }))).toMatchObject({ error: 'invalid_redirect_uri', errorLocation: null });
    }
  });
});

describe('in production', () => {
  test.each<Record<string, string>>([{ CAUSEWAY_BASE_URL: 'https://causeway.example' }, { NODE_ENV: 'production' }])(
    '%j: http leads to the person’s own machine only (R5), and the issuer is what was configured',
    async (settings) => {
      const gateway = await testGateway(settings);
      const person = await session(gateway, 'person');
      await expect(registerApplication(person, { redirectUris: ['http://intranet.example/cb'] })).rejects.toMatchObject({
        fields: { redirectUris: ['must use HTTPS.'] },
      });
      const application = await registerApplication(person, { redirectUris: ['http://localhost:3000/cb', 'http://[::1]/cb'] });
      const location = await decide(person, asksFor(application));
      expect(location.searchParams.get('iss')).toBe(settings.CAUSEWAY_BASE_URL ?? gateway.url);
    },
  );
});

describe('the rest of a registration', () => {
  let person: Session;
  beforeAll(async () => {
    person = await session(await testGateway(), 'person');
  });
  const refused = (overrides: Parameters<typeof registerApplication>[1]) =>
    registerApplication(person, overrides).then(
      () => undefined,
      (error: { fields: Record<string, string[]> }) => error.fields,
    );

  test('names every field that is wrong, each with all that is wrong with it', async () => {
    const redirectUris = ['javascript:alert(1)', '/cb', 'https://client.example/#x'];
    expect(await refused({ name: ' ', redirectUris, scopes: [], grants: ['telepathy'] })).toEqual({
      name: ["can't be blank"],
      redirectUris: [problem.forbidden, problem.relative, problem.fragment],
      scopes: ["can't be blank"],
      grants: ["doesn't match configured on the server."],
    });
  });

  test.each<[what: string, name: string]>([
    ['turns letters around', 'abc\u202Egnp.exe'],
    ['hides some', 'Caus\u200Beway'],
    ['breaks the line', 'a\nb'],
    ['holds a byte that nobody can store', 'a\0b'],
    ['joins nothing', '\u2060'],
    ['is too long', 'x'.repeat(256)],
    ['is blank in another alphabet', '\u00a0\u3000'],
  ])('refuses a name that %s (row 29)', async (_what, name) => {
    expect(Object.keys((await refused({ name }))!)).toEqual(['name']);
  });

  test.each(['<script>alert(1)</script>', 'Ünïcödé 名前', '"quotes" & \'ticks\'', 'x'.repeat(255)])('takes the name %.40j as it is', async (name) => {
    expect(await refused({ name })).toBeUndefined();
  });

  test('needs an address for grants that lead to one, and for no others', async () => {
    expect(await refused({ redirectUris: [] })).toEqual({ redirectUris: ["can't be blank"] });
    expect(await refused({ redirectUris: [], grants: ['implicit'] })).toEqual({ redirectUris: ["can't be blank"] });
    expect(await refused({ redirectUris: [], grants: ['client_credentials', 'password', 'refresh_token'] })).toBeUndefined();
    expect(await refused({ redirectUris: Array.from({ length: 51 }, (_one, index) => `${callback}/${index}`) })).toEqual({ redirectUris: ['are too many (maximum is 50)'] });
  });

  test('knows the scopes that are offered, and no others', async () => {
    expect(await refused({ scopes: ['api', 'openid'] })).toEqual({ scopes: ["doesn't match configured on the server."] });
    expect(await refused({ scopes: ['API'] })).toEqual({ scopes: ["doesn't match configured on the server."] });
  });

  test('shows the secret once, and never again', async () => {
    const made = await registerApplication(person);
    expect(made.secret).toMatch(/^cwcs_[A-Za-z0-9_-]{43}$/);
    expect(made.clientId).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await registerApplication(person, { confidential: false })).secret).toBe('');
    const seen = await person.run('query ($id: ID!) { application(id: $id) { id name clientId confidential redirectUris scopes grants createdAt } applications { id clientId } }', { id: made.id });
    expect(JSON.stringify(seen)).not.toContain(made.secret);
  });

  test('belongs to who made it: to anyone else it doesn’t exist', async () => {
    const made = await registerApplication(person);
    const other = await session(person.gateway, 'another-person');
    const input = { name: 'x', redirectUris: [callback], scopes: ['api'], grants: ['authorization_code'], confidential: true };
    for (const [source, variables] of [
      ['query ($id: ID!) { application(id: $id) { id } }', {}],
      ['mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', {}],
      ['mutation ($id: ID!) { deleteApplication(id: $id) }', {}],
      ['mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }', { input }],
    ] as const) {
      for (const id of [made.id, '0', '-1', '99999999999999999999', 'x', '']) {
        await expect(other.run(source, { id, ...variables })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    }
    expect((await other.run<{ applications: unknown[] }>('{ applications { id } }')).applications).toEqual([]);
  });

  test('needs a password confirmed of late (fields that grant power)', async () => {
    const made = await registerApplication(person);
    const { gateway } = person;
    const late = await session(gateway, 'late-person');
    await gateway.sql(`update sessions set authenticated_at = now() - interval '16 minutes' where user_id = (select id from users where username = 'late-person')`);
    await expect(registerApplication(late)).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' });
    for (const source of ['mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', 'mutation ($id: ID!) { deleteApplication(id: $id) }']) {
      await expect(late.run(source, { id: made.id })).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' });
    }
    // Consent needs only a live session.
    expect((await decide(late, asksFor(made))).searchParams.has('code')).toBe(true);
  });
});
