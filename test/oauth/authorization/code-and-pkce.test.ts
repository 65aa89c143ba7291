import { beforeAll, describe, expect, test } from 'vitest';
import {
  age,
  callback,
  challengeOf,
  codeFor,
  codeForm,
  codeRequest,
  decide,
  digestOf,
  fragment,
  pkce,
  prospect,
  refresh,
  refusalOf,
  registerApplication,
  sessionOf,
  statusOf,
  token,
  tokensOf,
  withChallenge,
  type AuthorizationParameters,
  type Form,
  type RegisteredApplication,
  type Tokens,
} from '../../support/oauth/oauth.ts';
import { makeWorld, type World } from '../../support/oauth/world.ts';

const invalidGrant = [400, 'invalid_grant'];

/** Every character that a verifier may have. */
const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';

describe.each(['compatible', 'strict'] as const)('the authorization code grant in the profile %s', (profile) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld({ CAUSEWAY_PROFILE: profile });
  });

  /** A code with its proof. In the profile `strict` there is none without. */
  async function approved(application: RegisteredApplication, more: AuthorizationParameters = {}, proof = pkce()) {
    const code = await codeFor(world.person, application, { ...withChallenge(proof), ...more });
    const form = (change: Form = {}) => codeForm(application, code, { code_verifier: proof.verifier, ...change });
    return { code, proof, form, redeem: (change: Form = {}) => token(world.gateway, form(change)) };
  }

  /** Where the error goes to the client. */
  async function refusedAt(application: RegisteredApplication, more: AuthorizationParameters) {
    const location = await decide(world.person, codeRequest(application, more));
    return [location.searchParams.get('error'), location.searchParams.get('error_description')];
  }

  test('the whole flow: a code in the query string, exchanged for tokens that work', async () => {
    const location = await decide(
      world.person,
      codeRequest(world.confidential, { ...withChallenge(pkce('v'.repeat(43))), state: 'a state &=#?é' }),
    );
    expect(location.href.startsWith(`${callback}?`)).toBe(true);
    expect([...location.searchParams.keys()]).toEqual(['code', 'state', ...(profile === 'strict' ? ['iss'] : [])]);
    expect(location.searchParams.get('state')).toBe('a state &=#?é');
    expect(location.searchParams.getAll('iss')).toEqual(profile === 'strict' ? [world.gateway.url] : []);
    // Its own fragment keeps the browser from attaching the one it came with; some clients take it for the implicit flow.
    expect(location.href.endsWith('#_')).toBe(profile === 'strict');
    const code = location.searchParams.get('code')!;
    expect(code).toMatch(/^cwac_[A-Za-z0-9_-]{43}$/);
    const tokens = tokensOf(
      await token(world.gateway, codeForm(world.confidential, code, { code_verifier: 'v'.repeat(43) })),
    );
    expect(await statusOf(world.gateway, tokens.access_token)).toBe(200);
  });

  test('a refusal goes to the client with its state, and in strict with iss (RFC 6749 §4.1.2.1, RFC 9207 §2)', async () => {
    const location = await decide(
      world.person,
      codeRequest(world.confidential, { ...withChallenge(pkce()), state: 's' }),
      false,
    );
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
      state: 's',
      ...(profile === 'strict' && { iss: world.gateway.url }),
    });
  });

  describe('the verifier (RFC 7636 §4.1, R4; row 13)', () => {
    test.each([
      ['43 characters', 'a'.repeat(43)],
      ['128 characters', 'a'.repeat(128)],
      ['every character that is allowed', unreserved],
      ['only punctuation', '-._~'.repeat(11)],
    ])('may have %s', async (_what, verifier) => {
      const { redeem } = await approved(world.confidential, {}, pkce(verifier));
      expect((await redeem()).status).toBe(200);
    });

    test.each([
      ['42 characters', 'a'.repeat(42)],
      ['129 characters', 'a'.repeat(129)],
      ['a blank', `${'a'.repeat(43)} `],
      ['standard base64’s +', `${'a'.repeat(43)}+`],
      ['standard base64’s /', `${'a'.repeat(43)}/`],
      ['standard base64’s =', `${'a'.repeat(43)}=`],
      ['a line break', `${'a'.repeat(43)}\n`],
      ['a letter beyond ASCII', `${'a'.repeat(43)}é`],
      ['a percent sign', `${'a'.repeat(43)}%`],
    ])('with %s is invalid_grant, though its challenge fits, and spends nothing', async (_what, verifier) => {
      const { form, redeem } = await approved(world.confidential, { codeChallenge: challengeOf(verifier) });
      expect(refusalOf(await redeem({ code_verifier: verifier }))).toEqual(invalidGrant);
      const [row] = await world.gateway.sql<{ unspent: boolean }>(
        'select redeemed_at is null as unspent from authorization_codes where digest = $1',
        [digestOf(form().code!)],
      );
      expect(row).toEqual({ unspent: true });
    });

    test('that is wrong is invalid_grant and doesn’t spend the code', async () => {
      const { redeem, proof } = await approved(world.confidential);
      const { verifier } = proof;
      for (const wrong of [
        `~${verifier.slice(1)}`,
        `${verifier.slice(0, -1)}~`,
        verifier.toUpperCase(),
        proof.challenge,
        pkce().verifier,
      ]) {
        expect(refusalOf(await redeem({ code_verifier: wrong }))).toEqual(invalidGrant);
      }
      expect((await redeem()).status).toBe(200);
    });

    test('that is missing though a challenge was sent is invalid_request and doesn’t spend the code', async () => {
      for (const application of [world.confidential, world.open]) {
        const { redeem } = await approved(application);
        for (const code_verifier of ['', ' ']) {
          const answer = await redeem({ code_verifier });
          expect([answer.status, answer.body]).toEqual([
            400,
            { error: 'invalid_request', error_description: 'Missing required parameter: code_verifier.' },
          ]);
        }
        expect((await redeem()).status).toBe(200);
      }
    });

    test('must be the one of this code, not of another', async () => {
      const [one, other] = [await approved(world.confidential), await approved(world.confidential)];
      expect(refusalOf(await one.redeem({ code_verifier: other.proof.verifier }))).toEqual(invalidGrant);
      expect((await one.redeem()).status).toBe(200);
      expect((await other.redeem()).status).toBe(200);
    });

    test('of RFC 7636 appendix B fits its challenge', async () => {
      const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
      const { redeem } = await approved(world.confidential, {
        codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      });
      expect((await redeem({ code_verifier: verifier })).status).toBe(200);
    });

    test('of the documentation fits its challenge', async () => {
      const { redeem } = await approved(world.confidential, {
        codeChallenge: '2i0WFA-0AerkjQm4X4oDEhqA17QIAKNjXpagHBXmO_U',
      });
      expect((await redeem({ code_verifier: 'ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf' })).status).toBe(200);
    });
  });

  describe('the challenge (RFC 7636 §4.3, §4.4.1)', () => {
    const { challenge } = pkce();

    test.each<[what: string, parameters: AuthorizationParameters, text: string]>([
      [
        'the method plain',
        { codeChallenge: challenge, codeChallengeMethod: 'plain' },
        'The code_challenge_method must be S256.',
      ],
      ['no method, which would mean plain', { codeChallenge: challenge }, 'The code_challenge_method must be S256.'],
      [
        'an empty method',
        { codeChallenge: challenge, codeChallengeMethod: '' },
        'The code_challenge_method must be S256.',
      ],
      [
        'the method s256',
        { codeChallenge: challenge, codeChallengeMethod: 's256' },
        'The code_challenge_method must be S256.',
      ],
      [
        'another method',
        { codeChallenge: challenge, codeChallengeMethod: 'S512' },
        'The code_challenge_method must be S256.',
      ],
      [
        'padding',
        { codeChallenge: `${challenge}=`, codeChallengeMethod: 'S256' },
        'The code_challenge must be the base64url of a SHA-256, without padding.',
      ],
      [
        '42 characters',
        { codeChallenge: challenge.slice(1), codeChallengeMethod: 'S256' },
        'The code_challenge must be the base64url of a SHA-256, without padding.',
      ],
      [
        '44 characters',
        { codeChallenge: `${challenge}a`, codeChallengeMethod: 'S256' },
        'The code_challenge must be the base64url of a SHA-256, without padding.',
      ],
      [
        'standard base64',
        { codeChallenge: `${challenge.slice(1)}+`, codeChallengeMethod: 'S256' },
        'The code_challenge must be the base64url of a SHA-256, without padding.',
      ],
      ['a method alone', { codeChallengeMethod: 'S256' }, 'Missing required parameter: code_challenge.'],
      [
        'an empty challenge',
        { codeChallenge: '', codeChallengeMethod: 'S256' },
        'Missing required parameter: code_challenge.',
      ],
    ])('with %s is refused', async (_what, parameters, text) => {
      expect(await refusedAt(world.confidential, parameters)).toEqual(['invalid_request', text]);
      expect(await refusedAt(world.open, parameters)).toEqual(['invalid_request', text]);
    });

    test('is required of a public application in either profile (RFC 9700 §2.1.1)', async () => {
      expect(await refusedAt(world.open, {})).toEqual([
        'invalid_request',
        'Missing required parameter: code_challenge.',
      ]);
    });

    test(`is ${profile === 'strict' ? '' : 'not '}required of a confidential one`, async () => {
      const location = await decide(world.person, codeRequest(world.confidential));
      expect(location.searchParams.get('error')).toBe(profile === 'strict' ? 'invalid_request' : null);
      expect(location.searchParams.has('code')).toBe(profile !== 'strict');
    });
  });

  describe('what a code is bound to', () => {
    test('its redirect URI, to the letter (R2, RFC 6749 §4.1.3); another one spends nothing', async () => {
      const application = await registerApplication(world.person, {
        redirectUris: [callback, 'https://client.example/other'],
      });
      const { redeem } = await approved(application);
      for (const uri of [
        'https://client.example/other',
        `${callback}/`,
        `${callback}?`,
        'HTTPS://client.example/callback',
        `${callback}#_`,
      ]) {
        expect(refusalOf(await redeem({ redirect_uri: uri }))).toEqual(invalidGrant);
      }
      expect((await redeem()).status).toBe(200);
    });

    test('the very port of a loopback address', async () => {
      const application = await registerApplication(world.person, { redirectUris: ['http://127.0.0.1/cb'] });
      const { redeem } = await approved(application, { redirectUri: 'http://127.0.0.1:5173/cb' });
      for (const uri of ['http://127.0.0.1/cb', 'http://127.0.0.1:5174/cb']) {
        expect(refusalOf(await redeem({ redirect_uri: uri }))).toEqual(invalidGrant);
      }
      expect((await redeem({ redirect_uri: 'http://127.0.0.1:5173/cb' })).status).toBe(200);
    });

    test('its client (RFC 6749 §4.1.3; row 10); another one gets nothing and spends nothing', async () => {
      const other = await registerApplication(world.person);
      for (const [own, foreign] of [
        [world.confidential, other],
        [world.confidential, world.open],
        [world.open, world.confidential],
      ] as const) {
        const { redeem } = await approved(own);
        expect(refusalOf(await redeem({ client_id: foreign.clientId, client_secret: foreign.secret }))).toEqual(
          invalidGrant,
        );
        // Nor does it learn that the code needs a verifier.
        expect(
          refusalOf(await redeem({ client_id: foreign.clientId, client_secret: foreign.secret, code_verifier: '' })),
        ).toEqual(invalidGrant);
        expect((await redeem()).status).toBe(200);
      }
    });

    test('its scopes: those of the token request don’t count', async () => {
      const { redeem } = await approved(world.confidential, { scope: 'read_user' });
      expect((await redeem({ scope: 'api sudo' })).body.scope).toBe('read_user');
    });

    test('its life of a minute (RFC 6749 §4.1.2: “a maximum … of 10 minutes is RECOMMENDED”)', async () => {
      const [late, early] = [await approved(world.confidential), await approved(world.confidential)];
      const of = (code: string) => `digest = '\\x${digestOf(code).toString('hex')}'`;
      await age(world.gateway, 'authorization_codes', ['authorized_at', 'expires_at'], 61, of(late.code));
      await age(world.gateway, 'authorization_codes', ['authorized_at', 'expires_at'], 50, of(early.code));
      expect(refusalOf(await late.redeem())).toEqual(invalidGrant);
      expect((await early.redeem()).status).toBe(200);
    });
  });

  describe('a second use (RFC 6749 §4.1.2, §10.5; row 7)', () => {
    async function works(
      { access_token, refresh_token }: Tokens,
      application: RegisteredApplication,
    ): Promise<boolean> {
      const access = await statusOf(world.gateway, access_token);
      const renewed = await refresh(world.gateway, application, refresh_token);
      expect([access, renewed.status]).toEqual(access === 200 ? [200, 200] : [401, 400]);
      return access === 200;
    }
    const spentBefore = (code: string, seconds: number) =>
      age(
        world.gateway,
        'authorization_codes',
        ['redeemed_at'],
        seconds,
        `digest = '\\x${digestOf(code).toString('hex')}'`,
      );

    test.each([0, 5])(
      'of a code with PKCE within ten seconds (%d s) is refused and kills nothing: it may be a doubled request',
      async (seconds) => {
        for (const application of [world.confidential, world.open]) {
          const { code, redeem } = await approved(application);
          const tokens = tokensOf(await redeem());
          await spentBefore(code, seconds);
          expect(refusalOf(await redeem())).toEqual(invalidGrant);
          expect(await works(tokens, application)).toBe(true);
        }
      },
    );

    test('“SHOULD revoke (when possible) all tokens previously issued based on that authorization code”: after ten seconds', async () => {
      for (const application of [world.confidential, world.open]) {
        const { code, redeem } = await approved(application);
        const tokens = tokensOf(await redeem());
        const other = tokensOf(await (await approved(application)).redeem());
        await spentBefore(code, 11);
        expect(refusalOf(await redeem())).toEqual(invalidGrant);
        expect(await works(tokens, application)).toBe(false);
        expect(await works(other, application)).toBe(true);
      }
    });

    test('also kills what the tokens became since', async () => {
      const { code, redeem } = await approved(world.confidential);
      const first = tokensOf(await redeem());
      const next = tokensOf(await refresh(world.gateway, world.confidential, first.refresh_token));
      await spentBefore(code, 11);
      await redeem();
      expect([
        await statusOf(world.gateway, first.access_token),
        await statusOf(world.gateway, next.access_token),
      ]).toEqual([401, 401]);
      expect(refusalOf(await refresh(world.gateway, world.confidential, first.refresh_token))).toEqual(invalidGrant);
      expect(refusalOf(await refresh(world.gateway, world.confidential, next.refresh_token))).toEqual(invalidGrant);
    });

    test('counts also when the code has expired in between', async () => {
      const { code, redeem } = await approved(world.confidential);
      const tokens = tokensOf(await redeem());
      await age(
        world.gateway,
        'authorization_codes',
        ['redeemed_at', 'expires_at', 'authorized_at'],
        3600,
        `digest = '\\x${digestOf(code).toString('hex')}'`,
      );
      expect(refusalOf(await redeem())).toEqual(invalidGrant);
      expect(await statusOf(world.gateway, tokens.access_token)).toBe(401);
    });

    test('counts only if everything about it is right: someone who saw the code can’t revoke its tokens', async () => {
      const other = await registerApplication(world.person);
      const { code, redeem, proof } = await approved(world.confidential);
      const tokens = tokensOf(await redeem());
      await spentBefore(code, 60);
      const attempts: Form[] = [
        { client_id: other.clientId, client_secret: other.secret },
        { client_id: world.open.clientId, client_secret: '' },
        { client_secret: 'wrong' },
        { client_secret: '' },
        { redirect_uri: 'https://client.example/other' },
        { code_verifier: pkce().verifier },
        { code_verifier: 'short' },
        { code_verifier: '' },
        { code_verifier: `${proof.verifier}+` },
      ];
      for (const attempt of attempts) expect((await redeem(attempt)).status).toBeGreaterThanOrEqual(400);
      expect(await statusOf(world.gateway, tokens.access_token)).toBe(200);
      await redeem();
      expect(await statusOf(world.gateway, tokens.access_token)).toBe(401);
    });
  });

  test('an authorization request is checked once more when it is approved (row 16)', async () => {
    const parameters = codeRequest(world.confidential, { ...withChallenge(pkce()), scope: 'read_user' });
    expect((await prospect(world.gateway, world.person.secret, parameters)).scopes).toEqual(['read_user']);
    for (const [change, error] of [
      [{ scope: 'openid' }, 'invalid_scope'],
      [{ scope: '' }, 'invalid_scope'],
      [{ responseType: 'id_token' }, 'unsupported_response_type'],
      [{ codeChallengeMethod: 'plain' }, 'invalid_request'],
    ] as const) {
      expect((await decide(world.person, { ...parameters, ...change })).searchParams.get('error')).toBe(error);
    }
    await expect(decide(world.person, { ...parameters, redirectUri: 'https://evil.example/' })).rejects.toMatchObject({
      error: 'invalid_redirect_uri',
    });
    await expect(decide(world.person, { ...parameters, clientId: 'nobody' })).rejects.toMatchObject({
      error: 'invalid_client',
    });
  });

  test('nothing is approved without a session', async () => {
    const parameters = codeRequest(world.confidential, withChallenge(pkce()));
    expect((await prospect(world.gateway, null, parameters)).error).toBeNull();
    for (const secret of ['', 'cwss_unknown', world.person.secret.toUpperCase()]) {
      await expect(decide(sessionOf(world.gateway, 'person', secret), parameters)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
    }
  });
});

describe('a code without PKCE, which a confidential application may ask for in the profile compatible', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld();
  });

  test.each([
    ['a proper verifier', pkce().verifier],
    ['a malformed one', 'short'],
    ['one with a character that isn’t allowed', `${'a'.repeat(43)}+`],
  ])('“superfluous” proof is refused and spends nothing: %s (RFC 9700 §2.1.1)', async (_what, verifier) => {
    const code = await codeFor(world.person, world.confidential);
    expect(
      refusalOf(await token(world.gateway, codeForm(world.confidential, code, { code_verifier: verifier }))),
    ).toEqual(invalidGrant);
    expect((await token(world.gateway, codeForm(world.confidential, code))).status).toBe(200);
  });

  test('an empty verifier counts as none', async () => {
    const code = await codeFor(world.person, world.confidential);
    expect((await token(world.gateway, codeForm(world.confidential, code, { code_verifier: '' }))).status).toBe(200);
  });

  test('a second use kills at once what the first brought, and nothing else', async () => {
    const other = tokensOf(
      await token(world.gateway, codeForm(world.confidential, await codeFor(world.person, world.confidential))),
    );
    const code = await codeFor(world.person, world.confidential);
    const tokens = tokensOf(await token(world.gateway, codeForm(world.confidential, code)));
    expect(refusalOf(await token(world.gateway, codeForm(world.confidential, code)))).toEqual(invalidGrant);
    expect(await statusOf(world.gateway, tokens.access_token)).toBe(401);
    expect(refusalOf(await refresh(world.gateway, world.confidential, tokens.refresh_token))).toEqual(invalidGrant);
    expect(await statusOf(world.gateway, other.access_token)).toBe(200);
  });

  test.each([
    ['with a proper verifier', pkce().verifier],
    ['with a malformed verifier', 'short'],
  ])('a second use %s isn’t right in everything, so it kills nothing', async (_what, verifier) => {
    const code = await codeFor(world.person, world.confidential);
    const tokens = tokensOf(await token(world.gateway, codeForm(world.confidential, code)));
    expect(
      refusalOf(await token(world.gateway, codeForm(world.confidential, code, { code_verifier: verifier }))),
    ).toEqual(invalidGrant);
    expect(await statusOf(world.gateway, tokens.access_token)).toBe(200);
  });
});
describe('settings', () => {
  test('the lenient switch takes any printable characters, as old clients send them, and no others', async () => {
    const world = await makeWorld({ CAUSEWAY_LENIENT_VERIFIER: 'on' });
    const attempt = async (verifier: string) => {
      const code = await codeFor(world.person, world.confidential, {
        codeChallenge: challengeOf(verifier),
        codeChallengeMethod: 'S256',
      });
      return (await token(world.gateway, codeForm(world.confidential, code, { code_verifier: verifier }))).status;
    };
    for (const verifier of [
      `${'a'.repeat(41)}+/=`,
      '!"#$%&\'()*+,/:;<=>?@[\\]^`{|}'.padEnd(43, 'a'),
      '~'.repeat(128),
    ]) {
      expect([verifier, await attempt(verifier)]).toEqual([verifier, 200]);
    }
    for (const verifier of ['+'.repeat(42), '+'.repeat(129), `${'a'.repeat(43)}é`, `${'a'.repeat(43)}\t`]) {
      expect([verifier, await attempt(verifier)]).toEqual([verifier, 400]);
    }
  });

  test('the life of a code and of a token are as configured', async () => {
    const { gateway, person, confidential } = await makeWorld({
      CAUSEWAY_CODE_LIFETIME: '600',
      CAUSEWAY_ACCESS_TOKEN_LIFETIME: '60',
      CAUSEWAY_REFRESH_TOKEN_LIFETIME: '120',
    });
    const code = await codeFor(person, confidential);
    await age(gateway, 'authorization_codes', ['authorized_at', 'expires_at'], 590);
    const { body } = await token(gateway, codeForm(confidential, code));
    expect(body.expires_in).toBe(60);
    await age(gateway, 'access_tokens', ['expires_at'], 61);
    const { body: said } = await gateway.rest('GET', '/api/v4/user', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(said).toMatchObject({ error: 'invalid_token', error_description: expect.stringContaining('expired') });
  });

  test('the answer with a token that never expires has no expires_in', async () => {
    const { gateway, person, confidential } = await makeWorld({ CAUSEWAY_ACCESS_TOKEN_LIFETIME: '0' });
    const { body } = await token(gateway, codeForm(confidential, await codeFor(person, confidential)));
    expect(Object.keys(body)).toEqual(['access_token', 'token_type', 'refresh_token', 'scope', 'created_at']);
    const info = await gateway.rest('GET', '/oauth/token/info', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect([info.body.expires_in, info.body.expires_in_seconds]).toEqual([null, null]);
    const implicit = fragment(await decide(person, codeRequest(confidential, { responseType: 'token' })));
    expect([...implicit.keys()]).toEqual(['access_token', 'token_type']);
    const { body: next } = await refresh(gateway, confidential, body.refresh_token);
    expect('expires_in' in next).toBe(false);
  });
});
