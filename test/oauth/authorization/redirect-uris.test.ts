import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  callback,
  codeForm,
  codeRequest,
  decide,
  pkce,
  prospect,
  registerApplication,
  session,
  token,
  withChallenge,
  type AuthorizationParameters,
  type RegisteredApplication,
  type Session,
} from '../../support/oauth/oauth.ts';

describe.each(['compatible', 'strict'] as const)('at the authorization endpoint in the profile %s', (profile) => {
  let gateway: TestGateway;
  let person: Session;
  let application: RegisteredApplication;
  beforeAll(async () => {
    gateway = await testGateway({ CAUSEWAY_PROFILE: profile });
    person = await session(gateway, 'person');
    application = await registerApplication(person, {
      redirectUris: [callback, 'https://client.example/cb?x=1', 'http://127.0.0.1/cb', 'http://localhost/cb'],
    });
  });

  const ask = (more: AuthorizationParameters) =>
    codeRequest(application, { ...withChallenge(pkce()), state: 's', ...more });
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
  ])(
    '“MUST NOT automatically redirect the user-agent to the invalid redirection URI” (RFC 6749 §4.1.2.1): %.80j',
    async (redirectUri) => {
      for (const more of [
        {},
        { responseType: 'token' },
        { responseType: 'nonsense' },
        { scope: 'openid' },
        { prompt: 'none' },
        { codeChallengeMethod: 'plain' },
      ]) {
        const { error, errorLocation, application: shown } = await asked({ ...more, redirectUri });
        expect({ error, errorLocation, shown }).toEqual({
          error: 'invalid_redirect_uri',
          errorLocation: null,
          shown: null,
        });
      }
      await expect(decide(person, ask({ redirectUri }))).rejects.toMatchObject({ error: 'invalid_redirect_uri' });
      await expect(decide(person, ask({ redirectUri }), false)).rejects.toMatchObject({
        error: 'invalid_redirect_uri',
      });
    },
  );

  test.each([null, '', 'nobody', 'x'.repeat(100_000), '\ud800'])(
    'an unknown client gets no redirect (row 6): %.40j',
    async (clientId) => {
      const { error, errorLocation } = await asked({ clientId });
      expect([error, errorLocation]).toEqual([clientId ? 'invalid_client' : 'invalid_request', null]);
    },
  );

  test('an address is required even where only one is registered', async () => {
    const single = await registerApplication(person);
    expect(await prospect(gateway, person.secret, codeRequest(single, { redirectUri: null }))).toMatchObject({
      error: 'invalid_redirect_uri',
      errorLocation: null,
    });
  });

  test('an application without any address can’t be sent to one', async () => {
    const device = await registerApplication(person, { redirectUris: [], grants: ['client_credentials'] });
    expect(await prospect(gateway, person.secret, codeRequest(device, { redirectUri: callback }))).toMatchObject({
      error: 'invalid_redirect_uri',
      errorLocation: null,
    });
  });

  test.each<[more: AuthorizationParameters, error: string]>([
    [{ responseType: 'nonsense' }, 'unsupported_response_type'],
    [{ scope: 'openid' }, 'invalid_scope'],
    [{ codeChallengeMethod: 'plain' }, 'invalid_request'],
    [{ prompt: 'none' }, 'interaction_required'],
  ])(
    'the error of %j goes to the registered address, with state and in strict exactly one iss (RFC 9207 §2)',
    async (more, error) => {
      const { errorLocation, error: said } = await asked(more);
      const location = new URL(errorLocation!);
      expect([said, `${location.origin}${location.pathname}`]).toEqual([error, callback]);
      expect([
        location.searchParams.get('error'),
        location.searchParams.get('state'),
        location.searchParams.getAll('iss'),
      ]).toEqual([error, 's', profile === 'strict' ? [gateway.url] : []]);
    },
  );

  test('a loopback address takes any port, and the answer goes to that very port', async () => {
    const location = await decide(person, ask({ redirectUri: 'http://127.0.0.1:5173/cb' }));
    expect(location.href.startsWith('http://127.0.0.1:5173/cb?code=')).toBe(true);
    const refused = await decide(person, ask({ redirectUri: 'http://127.0.0.1:5173/cb', scope: 'openid' }));
    expect(refused.href.startsWith('http://127.0.0.1:5173/cb?error=')).toBe(true);
  });

  test('a loopback address without a path is one with `/`, and the token request repeats what was asked', async () => {
    const native = await registerApplication(person, { redirectUris: ['http://127.0.0.1/'] });
    const proof = pkce();
    const redirectUri = 'http://127.0.0.1:51004';
    const location = await decide(person, codeRequest(native, { ...withChallenge(proof), redirectUri }));
    expect(location.href.startsWith(`${redirectUri}/?code=`)).toBe(true);
    const redeem = (redirect_uri: string) =>
      token(
        gateway,
        codeForm(native, location.searchParams.get('code')!, { redirect_uri, code_verifier: proof.verifier }),
      );
    expect((await redeem(`${redirectUri}/`)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await redeem(redirectUri)).status).toBe(200);
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
    const native = await registerApplication(person, {
      confidential: false,
      redirectUris: ['com.example.app:/cb', profile === 'strict' ? 'com.example.app://cb?x' : 'myapp://cb?x'],
    });
    for (const redirectUri of native.redirectUris) {
      const location = await decide(person, codeRequest(native, { ...withChallenge(pkce()), redirectUri }));
      expect(location.href.startsWith(redirectUri)).toBe(true);
      expect(location.searchParams.get('code')).toMatch(/^cwac_/);
    }
  });

  test(`plain http to another machine ${profile === 'strict' ? 'can’t be registered' : 'may be registered in development'} (R5)`, async () => {
    const registering = registerApplication(person, { redirectUris: [callback, 'http://intranet.example/cb'] });
    if (profile === 'strict')
      await expect(registering).rejects.toMatchObject({
        fields: {
          redirectUris: ['must use HTTPS, since http is only for loopback addresses: http://intranet.example/cb'],
        },
      });
    else
      expect(
        (await decide(person, codeRequest(await registering, { redirectUri: 'http://intranet.example/cb' }))).protocol,
      ).toBe('http:');
  });

  test('an address that was registered under laxer rules is refused where it is dangerous today', async () => {
    const older = await registerApplication(person);
    const onlyCompatible = ['http://intranet.example/cb', 'urn:ietf:wg:oauth:2.0:oob'];
    for (const uri of [
      'javascript:alert(1)',
      'https://user@client.example/',
      ...(profile === 'strict' ? onlyCompatible : []),
    ]) {
      await gateway.sql('update applications set redirect_uris = $1 where id = $2', [[uri], older.id]);
      expect(await prospect(gateway, person.secret, codeRequest(older, { redirectUri: uri }))).toMatchObject({
        error: 'invalid_redirect_uri',
        errorLocation: null,
      });
    }
  });
});

test('an address that was registered before the list of schemes grew stays, through changes of the application too', async () => {
  const gateway = await testGateway();
  const person = await session(gateway, 'person');
  const older = await registerApplication(person);
  const uris = ['feed:/cb', 'ms-tools://cb'];
  await gateway.sql('update applications set redirect_uris = $1 where id = $2', [uris, older.id]);
  for (const redirectUri of uris)
    expect((await decide(person, codeRequest(older, { redirectUri }))).searchParams.get('code')).toMatch(/^cwac_/);
  const change = (redirectUris: string[]) =>
    person.run(
      'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
      {
        id: older.id,
        input: { name: 'Renamed', redirectUris, scopes: older.scopes, grants: older.grants, confidential: true },
      },
    );
  await change(uris);
  await expect(change([...uris, 'feed:/other'])).rejects.toMatchObject({
    fields: { redirectUris: ['is forbidden by the server: feed:/other'] },
  });
});

describe('in production', () => {
  test.each<Record<string, string>>([{ CAUSEWAY_BASE_URL: 'https://causeway.example' }, { NODE_ENV: 'production' }])(
    '%j: http leads to the person’s own machine only (R5)',
    async (settings) => {
      const gateway = await testGateway(settings);
      const person = await session(gateway, 'person');
      await expect(registerApplication(person, { redirectUris: ['http://intranet.example/cb'] })).rejects.toMatchObject(
        {
          fields: { redirectUris: ['must use HTTPS, since http is only for loopback addresses.'] },
        },
      );
      const application = await registerApplication(person, {
        redirectUris: ['http://localhost:3000/cb', 'http://[::1]/cb'],
      });
      expect((await decide(person, codeRequest(application))).searchParams.get('code')).toMatch(/^cwac_/);
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
      redirectUris: [
        'is forbidden by the server: javascript:alert(1)',
        'must be an absolute URI: /cb',
        'cannot contain a fragment: https://client.example/#x',
      ],
      scopes: ["can't be blank"],
      grants: ["doesn't match configured on the server."],
    });
  });

  test.each<[what: string, name: string]>([
    ['turns letters around', 'abc\u202Egnp.exe'],
    ['hides some', 'Caus\u200Beway'],
    ['breaks the line', 'a\nb'],
    ['holds a byte that can’t be stored', 'a\0b'],
    ['joins nothing', '\u2060'],
    ['is too long', 'x'.repeat(256)],
    ['is blank in another alphabet', '\u00a0\u3000'],
  ])('refuses a name that %s (row 29)', async (_what, name) => {
    expect(Object.keys((await refused({ name }))!)).toEqual(['name']);
  });

  test.each(['<script>alert(1)</script>', 'Ünïcödé 名前', '"quotes" & \'ticks\'', 'x'.repeat(255)])(
    'takes the name %.40j as it is',
    async (name) => {
      expect(await refused({ name })).toBeUndefined();
    },
  );

  test('needs an address for grants that lead to one, and for no others', async () => {
    expect(await refused({ redirectUris: [] })).toEqual({ redirectUris: ["can't be blank"] });
    expect(await refused({ redirectUris: [], grants: ['implicit'] })).toEqual({ redirectUris: ["can't be blank"] });
    expect(
      await refused({ redirectUris: [], grants: ['client_credentials', 'password', 'refresh_token'] }),
    ).toBeUndefined();
    expect(
      await refused({ redirectUris: Array.from({ length: 51 }, (_one, index) => `${callback}/${index}`) }),
    ).toEqual({ redirectUris: ['are too many (maximum is 50)'] });
  });

  test('knows the scopes that are offered, and no others', async () => {
    expect(await refused({ scopes: ['api', 'openid'] })).toEqual({
      scopes: ["doesn't match configured on the server."],
    });
    expect(await refused({ scopes: ['API'] })).toEqual({ scopes: ["doesn't match configured on the server."] });
  });

  test('shows the secret once, and never again', async () => {
    const made = await registerApplication(person);
    expect(made.secret).toMatch(/^cwcs_[A-Za-z0-9_-]{43}$/);
    expect(made.clientId).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await registerApplication(person, { confidential: false })).secret).toBe('');
    const seen = await person.run(
      'query ($id: ID!) { application(id: $id) { id name clientId confidential redirectUris scopes grants createdAt } applications { id clientId } }',
      { id: made.id },
    );
    expect(JSON.stringify(seen)).not.toContain(made.secret);
    expect(seen).toMatchObject({ application: { id: `gid://gitlab/Application/${made.id}` } });
  });

  test('belongs to who made it: to anyone else it doesn’t exist', async () => {
    const made = await registerApplication(person);
    const other = await session(person.gateway, 'another-person');
    const input = {
      name: 'x',
      redirectUris: [callback],
      scopes: ['api'],
      grants: ['authorization_code'],
      confidential: true,
    };
    for (const [source, variables] of [
      ['query ($id: ID!) { application(id: $id) { id } }', {}],
      ['mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }', {}],
      ['mutation ($id: ID!) { deleteApplication(id: $id) }', {}],
      [
        'mutation ($id: ID!, $input: ApplicationInput!) { updateApplication(id: $id, input: $input) { secret } }',
        { input },
      ],
    ] as const) {
      for (const id of [made.id, `gid://gitlab/Application/${made.id}`, '0', '-1', '99999999999999999999', 'x', '']) {
        await expect(other.run(source, { id, ...variables })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      }
    }
    for (const [id, found] of [
      [`gid://gitlab/Application/${made.id}`, { databaseId: Number(made.id) }],
      [`gid://gitlab/User/${made.id}`, null],
    ])
      await expect(
        person.run<{ application: object }>('query ($id: ID!) { application(id: $id) { databaseId } }', { id }).then(
          ({ application }) => application,
          () => null,
        ),
      ).resolves.toEqual(found);
    expect((await other.run<{ applications: unknown[] }>('{ applications { id } }')).applications).toEqual([]);
  });

  test('needs a password confirmed of late (fields that grant power)', async () => {
    const made = await registerApplication(person);
    const { gateway } = person;
    const late = await session(gateway, 'late-person');
    await gateway.sql(
      `update sessions set authenticated_at = now() - interval '16 minutes' where user_id = (select id from users where username = 'late-person')`,
    );
    await expect(registerApplication(late)).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' });
    for (const source of [
      'mutation ($id: ID!) { renewApplicationSecret(id: $id) { secret } }',
      'mutation ($id: ID!) { deleteApplication(id: $id) }',
    ]) {
      await expect(late.run(source, { id: made.id })).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' });
    }
    // Consent needs only a live session.
    expect((await decide(late, codeRequest(made))).searchParams.has('code')).toBe(true);
  });
});
