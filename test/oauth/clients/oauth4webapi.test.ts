import * as oauth from 'oauth4webapi';
import { beforeAll, describe, expect, test } from 'vitest';
import { decideDevice, follow } from '../../support/oauth/authorization-request.ts';
import { callback, deviceGrant, fragment, statusOf, type RegisteredApplication } from '../../support/oauth/oauth.ts';
import { partiesIn, rejection } from './parties.ts';

/**
 * oauth4webapi, unmodified, against the gateway. What a person does happens through the operations behind the pages, with the
 * very link that the client built.
 */
describe.each(['compatible', 'strict'] as const)('in the profile %s', async (profile) => {
  const { strict, gateway, person, issuers, confidential, open, usernameOf } = await partiesIn(profile);

  const insecure = { [oauth.allowInsecureRequests]: true } as const;
  let server: oauth.AuthorizationServer;
  beforeAll(async () => {
    server = await discover();
  });

  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(gateway.url);
    return await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
  }

  /** An application and how it proves itself. */
  interface Party {
    readonly application: RegisteredApplication;
    readonly client: oauth.Client;
    readonly proof: oauth.ClientAuth;
  }
  const party = (application: RegisteredApplication, proof: oauth.ClientAuth): Party => ({
    application,
    client: { client_id: application.clientId },
    proof,
  });
  const byBasic = () => party(confidential, oauth.ClientSecretBasic(confidential.secret));
  const inBody = () => party(confidential, oauth.ClientSecretPost(confidential.secret));
  const withoutSecret = () => party(open, oauth.None());
  const parties: [name: string, party: () => Party][] = [
    ['a confidential application, by HTTP Basic', byBasic],
    ['a confidential application, in the body', inBody],
    ['a public application', withoutSecret],
  ];

  async function link({ application }: Party, parameters: Record<string, string>): Promise<URL> {
    const url = new URL(server.authorization_endpoint!);
    const all = {
      client_id: application.clientId,
      redirect_uri: callback,
      response_type: 'code',
      scope: 'api',
      ...parameters,
    };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url;
  }

  const challenged = async (verifier: string) => ({
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });

  /** The answer to an authorization request, as the client lets it pass. */
  async function authorized(who: Party, parameters: Record<string, string>, approved = true): Promise<URLSearchParams> {
    const state = oauth.generateRandomState();
    const location = await follow(person, await link(who, { state, ...parameters }), approved);
    expect(location.searchParams.getAll('iss')).toEqual(issuers);
    return oauth.validateAuthResponse(server, who.client, location, state);
  }

  async function codeFlow(
    who: Party,
    verifier: string | typeof oauth.nopkce = oauth.generateRandomCodeVerifier(),
    scope = 'api',
  ) {
    const parameters = await authorized(who, {
      scope,
      ...(typeof verifier === 'string' && (await challenged(verifier))),
    });
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      who.client,
      who.proof,
      parameters,
      callback,
      verifier,
      insecure,
    );
    return await oauth.processAuthorizationCodeResponse(server, who.client, response);
  }

  const refreshed = async ({ client, proof }: Party, refreshToken: string, scope?: string) =>
    await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, {
        ...insecure,
        ...(scope !== undefined && { additionalParameters: { scope } }),
      }),
    );

  const introspected = async ({ client, proof }: Party, token: string) =>
    await oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(server, client, proof, token, insecure),
    );

  const revoke = async ({ client, proof }: Party, token: string) =>
    await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, proof, token, insecure));

  test('discovers the server by its metadata (RFC 8414)', () => {
    expect(server).toMatchObject({
      issuer: gateway.url,
      token_endpoint: `${gateway.url}/oauth/token`,
      response_types_supported: strict ? ['code'] : ['code', 'token'],
      grant_types_supported: strict
        ? ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant]
        : ['authorization_code', 'implicit', 'password', 'refresh_token', 'client_credentials', deviceGrant],
      code_challenge_methods_supported: ['S256'],
    });
    expect(server.authorization_response_iss_parameter_supported).toBe(strict ? true : undefined);
  });

  test.each(parties)('for %s: code with PKCE, refresh, revocation', async (_name, make) => {
    const who = make();
    const first = await codeFlow(who, undefined, 'api read_user');
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'api read_user' });
    expect(await usernameOf(first.access_token)).toBe('person');
    const second = await refreshed(who, first.refresh_token!, 'read_user');
    expect(second).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'read_user' });
    expect(await usernameOf(second.access_token)).toBe('person');
    expect(await revoke(who, second.access_token)).toBeUndefined();
    expect([await statusOf(gateway, first.access_token), await statusOf(gateway, second.access_token)]).toEqual([
      401, 401,
    ]);
    const { status, error } = await rejection(refreshed(who, second.refresh_token!), oauth.ResponseBodyError);
    expect([status, error]).toEqual([400, 'invalid_grant']);
  });

  test('code without PKCE: as it comes in the profile compatible, an error of the authorization request in strict', async () => {
    if (strict) {
      const { error, cause } = await rejection(codeFlow(byBasic(), oauth.nopkce), oauth.AuthorizationResponseError);
      expect([error, cause.getAll('iss')]).toEqual(['invalid_request', issuers]);
    } else {
      const { access_token } = await codeFlow(byBasic(), oauth.nopkce);
      expect(await usernameOf(access_token)).toBe('person');
    }
    const { error } = await rejection(codeFlow(withoutSecret(), oauth.nopkce), oauth.AuthorizationResponseError);
    expect(error).toBe('invalid_request');
  });

  test('a person who refuses is an error that the client knows, in strict with its one `iss` too', async () => {
    const proof = await challenged(oauth.generateRandomCodeVerifier());
    const { error, cause } = await rejection(authorized(byBasic(), proof, false), oauth.AuthorizationResponseError);
    expect([error, cause.getAll('iss')]).toEqual(['access_denied', issuers]);
  });

  test('the answer of another server, or to another request, is recognised (RFC 9207, row 35)', async () => {
    const who = byBasic();
    const state = oauth.generateRandomState();
    const parameters = { state, ...(await challenged(oauth.generateRandomCodeVerifier())) };
    const location = await follow(person, await link(who, parameters));
    const validate = (as: oauth.AuthorizationServer, expected: string) =>
      oauth.validateAuthResponse(as, who.client, location, expected);
    expect(validate(server, state).get('code')).not.toBeNull();
    expect(() => validate(server, 'another state')).toThrow('unexpected "state"');
    // Where a client was given no issuer, or another one, an `iss` makes it refuse everything.
    if (!strict) return expect(validate({ issuer: 'https://none.example' }, state).get('code')).not.toBeNull();
    expect(() => validate({ ...server, issuer: 'https://other.example' }, state)).toThrow('unexpected "iss"');
    location.searchParams.delete('iss');
    expect(() => validate(server, state)).toThrow('"iss" (issuer) missing');
  });

  test('the implicit answer: its state in the fragment, or the error there', async () => {
    const who = byBasic();
    const state = oauth.generateRandomState();
    const location = await follow(person, await link(who, { state, response_type: 'token' }));
    expect(location.search).toBe('');
    const validate = () => oauth.validateAuthResponse(server, who.client, fragment(location), state);
    if (strict) {
      expect(validate).toThrow(oauth.AuthorizationResponseError);
      expect(fragment(location).get('error')).toBe('unsupported_response_type');
      return;
    }
    const parameters = validate();
    expect([...parameters.keys()]).toEqual(['access_token', 'token_type', 'expires_in', 'state']);
    const accessToken = parameters.get('access_token')!;
    expect(await usernameOf(accessToken)).toBe('person');
    await revoke(who, accessToken);
    expect(await statusOf(gateway, accessToken)).toBe(401);
  });

  test('client credentials', async () => {
    for (const who of [byBasic(), inBody()]) {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        who.client,
        who.proof,
        { scope: 'read_api' },
        insecure,
      );
      const tokens = await oauth.processClientCredentialsResponse(server, who.client, response);
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: 'read_api' });
      expect(tokens.refresh_token).toBeUndefined();
      expect(await introspected(who, tokens.access_token)).toMatchObject({
        active: true,
        client_id: confidential.clientId,
      });
      await revoke(who, tokens.access_token);
      expect(await introspected(who, tokens.access_token)).toEqual({ active: false });
    }
  });

  test('introspection, of either token, until it is revoked', async () => {
    const who = byBasic();
    const { access_token, refresh_token } = await codeFlow(who, undefined, 'read_user profile');
    // A refresh token lasts from the consent, however late it was issued.
    const [grant] = await gateway.sql<{ person: number; allowed: number }>(
      `select user_id as person, floor(extract(epoch from authorized_at::timestamptz(3)))::int as allowed
           from grants order by id desc limit 1`,
    );
    for (const token of [access_token, refresh_token!]) {
      const { active, client_id, scope, username, sub, exp, iat } = await introspected(who, token);
      expect({ active, client_id, scope, username, sub }).toEqual({
        active: true,
        client_id: confidential.clientId,
        scope: 'read_user profile',
        username: 'person',
        sub: String(grant!.person),
      });
      expect(exp).toBe(token === access_token ? iat! + 7200 : grant!.allowed + 90 * 24 * 3600);
    }
    await revoke(who, refresh_token!);
    for (const token of [access_token, refresh_token!])
      expect(await introspected(who, token)).toEqual({ active: false });
    expect(await statusOf(gateway, access_token)).toBe(401);
  });

  describe('the device flow', () => {
    const begin = async ({ client, proof }: Party) =>
      await oauth.processDeviceAuthorizationResponse(
        server,
        client,
        await oauth.deviceAuthorizationRequest(server, client, proof, { scope: 'read_user' }, insecure),
      );
    const poll = async ({ client, proof }: Party, { device_code }: oauth.DeviceAuthorizationResponse) =>
      await oauth.processDeviceCodeResponse(
        server,
        client,
        await oauth.deviceCodeGrantRequest(server, client, proof, device_code, insecure),
      );
    const pollError = async (who: Party, device: oauth.DeviceAuthorizationResponse) =>
      (await rejection(poll(who, device), oauth.ResponseBodyError)).error;

    test.each(parties)('for %s', async (_name, make) => {
      const who = make();
      const device = await begin(who);
      expect(device).toMatchObject({
        user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
        verification_uri: `${gateway.url}/oauth/device`,
        verification_uri_complete: `${gateway.url}/oauth/device?user_code=${device.user_code}`,
        expires_in: 300,
        interval: 5,
      });
      expect([await pollError(who, device), await pollError(who, device)]).toEqual([
        'authorization_pending',
        'slow_down',
      ]);
      await decideDevice(person, device.user_code);
      const first = await poll(who, device);
      expect(first).toMatchObject({ token_type: 'bearer', scope: 'read_user' });
      const second = await refreshed(who, first.refresh_token!);
      expect(await usernameOf(second.access_token)).toBe('person');
      await revoke(who, second.refresh_token!);
      expect(await statusOf(gateway, second.access_token)).toBe(401);
    });

    test('when the person refuses', async () => {
      const device = await begin(withoutSecret());
      await decideDevice(person, device.user_code, false);
      expect(await pollError(withoutSecret(), device)).toBe('access_denied');
    });
  });

  test('the password grant, which strict refuses', async () => {
    const { client, proof } = byBasic();
    const parameters = { username: 'person', password: 'password of person', scope: 'api' };
    const response = await oauth.genericTokenEndpointRequest(server, client, proof, 'password', parameters, insecure);
    const processed = oauth.processGenericTokenEndpointResponse(server, client, response);
    if (strict) {
      const { status, error } = await rejection(processed, oauth.ResponseBodyError);
      expect([status, error]).toEqual([400, 'unsupported_grant_type']);
    } else {
      expect(await usernameOf((await processed).access_token)).toBe('person');
    }
  });

  describe('every refusal is one that it knows', () => {
    const refusals: [name: string, refused: () => Promise<unknown>, status: number, error: string][] = [
      ['an unknown refresh token', () => refreshed(byBasic(), 'garbage'), 400, 'invalid_grant'],
      [
        'another application’s refresh token',
        async () => refreshed(byBasic(), (await codeFlow(withoutSecret())).refresh_token!),
        400,
        'invalid_grant',
      ],
      [
        'more than was granted',
        async () => refreshed(byBasic(), (await codeFlow(byBasic(), undefined, 'profile')).refresh_token!, 'api'),
        400,
        'invalid_scope',
      ],
      [
        'an unknown device code',
        async () => {
          const { client, proof } = withoutSecret();
          return oauth.processDeviceCodeResponse(
            server,
            client,
            await oauth.deviceCodeGrantRequest(server, client, proof, 'garbage', insecure),
          );
        },
        400,
        'invalid_grant',
      ],
      [
        'a scope that isn’t offered',
        async () => {
          const { client, proof } = byBasic();
          return oauth.processClientCredentialsResponse(
            server,
            client,
            await oauth.clientCredentialsGrantRequest(server, client, proof, { scope: 'openid' }, insecure),
          );
        },
        400,
        'invalid_scope',
      ],
      [
        'revoking another application’s token',
        async () => revoke(byBasic(), (await codeFlow(withoutSecret())).access_token),
        403,
        'unauthorized_client',
      ],
      [
        'a device grant for nothing',
        async () => {
          const { client, proof } = byBasic();
          return oauth.processDeviceAuthorizationResponse(
            server,
            client,
            await oauth.deviceAuthorizationRequest(server, client, proof, {}, insecure),
          );
        },
        400,
        'invalid_scope',
      ],
    ];
    test.each(refusals)('%s', async (_name, refused, status, error) => {
      const refusal = await rejection(refused(), oauth.ResponseBodyError);
      expect([refusal.status, refusal.error]).toEqual([status, error]);
      expect(refusal.error_description).toMatch(/\.$|revoke this token$/);
    });

    test('a wrong secret: a challenge of the same scheme (RFC 6749 §5.2), and the code in the body', async () => {
      const impostor = party(confidential, oauth.ClientSecretBasic('wrong'));
      for (const request of [refreshed, introspected, revoke]) {
        const { status, cause, response } = await rejection(
          request(impostor, 'garbage'),
          oauth.WWWAuthenticateChallengeError,
        );
        expect([status, cause.map(({ scheme }) => scheme)]).toEqual([401, ['basic']]);
        expect(await response.json()).toMatchObject({ error: 'invalid_client' });
      }
    });

    test('a wrong secret in the body, and no client at all: the code in the challenge, where strict clients read it', async () => {
      const strangers = [
        party(confidential, oauth.ClientSecretPost('wrong')),
        party({ ...open, clientId: 'nobody' }, oauth.None()),
      ];
      for (const stranger of strangers) {
        for (const request of [refreshed, introspected, revoke]) {
          const { status, cause } = await rejection(request(stranger, 'garbage'), oauth.WWWAuthenticateChallengeError);
          expect([status, cause.map(({ scheme, parameters }) => [scheme, parameters.error])]).toEqual([
            401,
            [['bearer', 'invalid_client']],
          ]);
        }
      }
    });

    test('a code that is used again, or with another verifier', async () => {
      const who = withoutSecret();
      const verifier = oauth.generateRandomCodeVerifier();
      const parameters = await authorized(who, await challenged(verifier));
      const redeem = async (proof: string) =>
        oauth.processAuthorizationCodeResponse(
          server,
          who.client,
          await oauth.authorizationCodeGrantRequest(
            server,
            who.client,
            who.proof,
            parameters,
            callback,
            proof,
            insecure,
          ),
        );
      expect((await rejection(redeem(oauth.generateRandomCodeVerifier()), oauth.ResponseBodyError)).error).toBe(
        'invalid_grant',
      );
      const { access_token } = await redeem(verifier);
      expect((await rejection(redeem(verifier), oauth.ResponseBodyError)).error).toBe('invalid_grant');
      expect(await usernameOf(access_token)).toBe('person');
    });
  });
});
