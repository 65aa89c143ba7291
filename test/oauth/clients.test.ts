import * as arctic from 'arctic';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2';
import { beforeAll, describe, expect, test } from 'vitest';
import { decideDevice, follow } from '../support/authorization-request.ts';
import { testGateway, type TestGateway } from '../support/gateway.ts';
import {
  callback,
  deviceGrant,
  fragment,
  registerApplication,
  session,
  statusOf,
  type RegisteredApplication,
  type Session,
} from '../support/oauth.ts';
import { relyingParty, relyingPartyCallback } from '../support/relying-party.ts';

/**
 * Stock OAuth clients, unmodified, against the gateway. What a person does happens
 * through the operations behind the pages, with the very link that a client built.
 */
describe.each(['compatible', 'strict'] as const)('in the profile %s', (profile) => {
  const strict = profile === 'strict';
  /** What authorization responses say of the issuer (RFC 9207). */
  let issuers: string[];
  let gateway: TestGateway;
  let person: Session;
  let confidential: RegisteredApplication;
  let open: RegisteredApplication;
  beforeAll(async () => {
    gateway = await testGateway({ CAUSEWAY_PROFILE: profile });
    issuers = strict ? [gateway.url] : [];
    person = await session(gateway, 'person');
    confidential = await registerApplication(person);
    open = await registerApplication(person, { confidential: false });
  });

  /** Whose an access token is, at the API. */
  async function usernameOf(accessToken: string): Promise<string> {
    const { body } = await gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${accessToken}` } });
    return (body as { username: string }).username;
  }

  /** What a promise was rejected with, which must be of a class. */
  async function rejection<E extends Error>(
    promise: Promise<unknown>,
    kind: new (...parameters: never[]) => E,
  ): Promise<E> {
    const thrown = await promise.then(
      (value) => expect.fail(`resolved to ${JSON.stringify(value)}`),
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(kind);
    return thrown as E;
  }

  describe('oauth4webapi', () => {
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
    async function authorized(
      who: Party,
      parameters: Record<string, string>,
      approved = true,
    ): Promise<URLSearchParams> {
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
      const [row] = await gateway.sql<{ id: number }>(`select id from users where username = 'person'`);
      for (const token of [access_token, refresh_token!]) {
        const { active, client_id, scope, username, sub, exp, iat } = await introspected(who, token);
        expect({ active, client_id, scope, username, sub }).toEqual({
          active: true,
          client_id: confidential.clientId,
          scope: 'read_user profile',
          username: 'person',
          sub: String(row!.id),
        });
        expect(exp! - iat!).toBe(token === access_token ? 7200 : 90 * 24 * 3600);
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
            const { status, cause } = await rejection(
              request(stranger, 'garbage'),
              oauth.WWWAuthenticateChallengeError,
            );
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

  describe('openid-client', () => {
    const discover = (application: RegisteredApplication, proof: openid.ClientAuth) =>
      openid.discovery(new URL(gateway.url), application.clientId, undefined, proof, {
        algorithm: 'oauth2',
        execute: [openid.allowInsecureRequests],
      });
    const configurations: [name: string, configuration: () => Promise<openid.Configuration>][] = [
      [
        'a confidential application, by HTTP Basic',
        () => discover(confidential, openid.ClientSecretBasic(confidential.secret)),
      ],
      [
        'a confidential application, in the body',
        () => discover(confidential, openid.ClientSecretPost(confidential.secret)),
      ],
      ['a public application', () => discover(open, openid.None())],
    ];
    const ofConfidential = configurations[0]![1];

    test('discovers that the server has PKCE', async () => {
      const metadata = (await ofConfidential()).serverMetadata();
      expect([metadata.issuer, metadata.supportsPKCE()]).toEqual([gateway.url, true]);
    });

    test.each(configurations)('for %s: code with PKCE, refresh, revocation', async (_name, make) => {
      const configuration = await make();
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const expectedState = openid.randomState();
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: 'api',
        state: expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const location = await follow(person, url);
      const first = await openid.authorizationCodeGrant(configuration, location, { pkceCodeVerifier, expectedState });
      expect([first.token_type, first.scope, first.expiresIn()! > 7190]).toEqual(['bearer', 'api', true]);
      const second = await openid.refreshTokenGrant(configuration, first.refresh_token!);
      const resource = await openid.fetchProtectedResource(
        configuration,
        second.access_token,
        new URL(`${gateway.url}/api/v4/user`),
        'GET',
      );
      expect(await resource.json()).toMatchObject({ username: 'person' });
      await openid.tokenRevocation(configuration, second.refresh_token!);
      expect([await statusOf(gateway, first.access_token), await statusOf(gateway, second.access_token)]).toEqual([
        401, 401,
      ]);
      const { error } = await rejection(
        openid.refreshTokenGrant(configuration, second.refresh_token!),
        openid.ResponseBodyError,
      );
      expect(error).toBe('invalid_grant');
    });

    test('code without PKCE', async () => {
      const configuration = await ofConfidential();
      const location = await follow(
        person,
        openid.buildAuthorizationUrl(configuration, { redirect_uri: callback, scope: 'api' }),
      );
      const granted = openid.authorizationCodeGrant(configuration, location);
      if (strict) expect((await rejection(granted, openid.AuthorizationResponseError)).error).toBe('invalid_request');
      else expect(await usernameOf((await granted).access_token)).toBe('person');
    });

    test('client credentials and introspection', async () => {
      const configuration = await ofConfidential();
      const { access_token } = await openid.clientCredentialsGrant(configuration, { scope: 'api' });
      expect(await openid.tokenIntrospection(configuration, access_token)).toMatchObject({
        active: true,
        scope: 'api',
      });
      await openid.tokenRevocation(configuration, access_token);
      expect(await openid.tokenIntrospection(configuration, access_token)).toEqual({ active: false });
    });

    test('the device flow, polling until the person has decided', async () => {
      const configuration = await discover(open, openid.None());
      const device = await openid.initiateDeviceAuthorization(configuration, { scope: 'api' });
      expect(device.interval).toBe(5);
      // Sooner than the interval, to save time: at worst the answer is slow_down.
      const polling = openid.pollDeviceAuthorizationGrant(configuration, { ...device, interval: 1 });
      setTimeout(() => void decideDevice(person, device.user_code), 1300);
      const { access_token, refresh_token } = await polling;
      expect(await usernameOf(access_token)).toBe('person');
      await openid.tokenRevocation(configuration, refresh_token!);
      expect(await statusOf(gateway, access_token)).toBe(401);
    });

    test('the password grant, which strict refuses', async () => {
      const parameters = { username: 'person', password: 'password of person' };
      const granted = openid.genericGrantRequest(await ofConfidential(), 'password', parameters);
      if (strict) expect((await rejection(granted, openid.ResponseBodyError)).error).toBe('unsupported_grant_type');
      else expect(await usernameOf((await granted).access_token)).toBe('person');
    });
  });

  describe('simple-oauth2', () => {
    const options = (['header', 'body'] as const).flatMap((authorizationMethod) =>
      (['form', 'json'] as const).flatMap((bodyFormat) =>
        (['strict', 'loose'] as const).map((credentialsEncodingMode) => ({
          authorizationMethod,
          bodyFormat,
          credentialsEncodingMode,
        })),
      ),
    );
    const configuration = (more: (typeof options)[number] = options[0]!) => ({
      client: { id: confidential.clientId, secret: confidential.secret },
      auth: { tokenHost: gateway.url },
      options: more,
    });

    /** What it was refused with: the client passes the answer on as it is. */
    async function refusal(promise: Promise<unknown>): Promise<[number, string]> {
      const { data, output } = (await rejection(promise, Error)) as Error & {
        output: { statusCode: number };
        data: { payload: { error: string } };
      };
      return [output.statusCode, data.payload.error];
    }

    async function codeFlow(client: AuthorizationCode, verifier?: string) {
      const challenge = verifier !== undefined && {
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      const link = client.authorizeURL({
        redirect_uri: callback,
        scope: ['api', 'read_user'],
        state: 'a state',
        ...challenge,
      });
      const location = await follow(person, link);
      const { code, state, error } = Object.fromEntries(location.searchParams);
      if (error) throw new Error(error);
      expect(state).toBe('a state');
      return await client.getToken({
        code: code!,
        redirect_uri: callback,
        ...(verifier !== undefined && { code_verifier: verifier }),
      });
    }

    test.each(options)(
      'code, refresh and revocation, with $authorizationMethod, $bodyFormat, $credentialsEncodingMode',
      async (more) => {
        const first = await codeFlow(new AuthorizationCode(configuration(more)), oauth.generateRandomCodeVerifier());
        expect(first.token).toMatchObject({ token_type: 'bearer', scope: 'api read_user', expires_in: 7200 });
        expect([first.expired(), first.expired(7300)]).toEqual([false, true]);
        const second = await first.refresh({ scope: ['read_user'] });
        expect(second.token.scope).toBe('read_user');
        expect(await usernameOf(second.token.access_token)).toBe('person');
        await second.revokeAll();
        expect([
          await statusOf(gateway, first.token.access_token),
          await statusOf(gateway, second.token.access_token),
        ]).toEqual([401, 401]);
        expect(await refusal(second.refresh())).toEqual([400, 'invalid_grant']);
      },
    );

    test('code without PKCE, which is all it does by itself', async () => {
      const flow = codeFlow(new AuthorizationCode(configuration()));
      if (strict) return expect((await rejection(flow, Error)).message).toBe('invalid_request');
      const { token } = await flow;
      expect(await usernameOf(token.access_token)).toBe('person');
    });

    test('client credentials', async () => {
      const got = await new ClientCredentials(configuration()).getToken({ scope: 'read_api' });
      expect(got.token.scope).toBe('read_api');
      const info = async () =>
        (
          await gateway.rest('GET', '/oauth/token/info', {
            headers: { authorization: `Bearer ${got.token.access_token}` },
          })
        ).status;
      expect(await info()).toBe(200);
      await got.revoke('access_token');
      expect(await info()).toBe(401);
    });

    test('password', async () => {
      const client = new ResourceOwnerPassword(configuration());
      const credentials = { username: 'person', password: 'password of person', scope: 'api' };
      if (strict) return expect(await refusal(client.getToken(credentials))).toEqual([400, 'unsupported_grant_type']);
      expect(await refusal(client.getToken({ ...credentials, password: 'wrong' }))).toEqual([400, 'invalid_grant']);
      const first = await client.getToken(credentials);
      const second = await first.refresh();
      expect(await usernameOf(second.token.access_token)).toBe('person');
      await second.revoke('refresh_token');
      expect(await statusOf(gateway, second.token.access_token)).toBe(401);
    });

    test('a wrong secret', async () => {
      const { client, ...rest } = configuration();
      const impostor = new ClientCredentials({ ...rest, client: { ...client, secret: 'wrong' } });
      expect(await refusal(impostor.getToken({ scope: 'api' }))).toEqual([401, 'invalid_client']);
    });
  });

  describe('passport-gitlab2', () => {
    let application: RegisteredApplication;
    beforeAll(async () => {
      application = await registerApplication(person, { redirectUris: [relyingPartyCallback] });
    });

    test('signs a person in with PKCE, and reads who it is with the scope that it asks for by itself', async () => {
      const site = await relyingParty(gateway, application, { pkce: true });
      const location = await follow(person, await site.login());
      expect(location.origin).toBe(site.url);
      const { status, body } = await site.callback(location);
      expect(status).toBe(200);
      expect(body.profile).toMatchObject({
        provider: 'gitlab',
        id: expect.stringMatching(/^\d+$/),
        username: 'person',
        displayName: 'person',
        emails: [{ value: 'person@example.com' }],
        profileUrl: `${gateway.url}/person`,
      });
      const next = await site.refresh(body.refreshToken);
      expect(await usernameOf(next.accessToken)).toBe('person');
      await person.run('mutation ($id: ID!) { revokeAuthorization(applicationId: $id) }', { id: application.id });
      expect([await statusOf(gateway, body.accessToken), await statusOf(gateway, next.accessToken)]).toEqual([
        401, 401,
      ]);
      await expect(site.refresh(next.refreshToken)).rejects.toThrow('invalid_grant');
    });

    test('without PKCE', async () => {
      const site = await relyingParty(gateway, application, { scope: ['read_user', 'api'], scopeSeparator: ' ' });
      const { status, body } = await site.callback(await follow(person, await site.login()));
      if (strict) return expect([status, body.error]).toEqual([502, 'invalid_request']);
      expect([status, body.profile.username]).toEqual([200, 'person']);
      expect(await statusOf(gateway, body.accessToken)).toBe(200);
    });

    test('knows a person who refuses, an error, and a code that isn’t for it', async () => {
      const site = await relyingParty(gateway, application, { pkce: true });
      const refused = await site.callback(await follow(person, await site.login(), false));
      expect([refused.status, refused.body.message]).toEqual([
        403,
        'The resource owner or authorization server denied the request.',
      ]);

      // Its default separator is a comma, which separates no scopes (RFC 6749 §3.3).
      const commas = await relyingParty(gateway, application, { scope: ['read_user', 'api'], pkce: true });
      expect((await commas.callback(await follow(person, await commas.login()))).body.error).toBe('invalid_scope');

      const location = await follow(person, await site.login());
      const other = new URL(location);
      other.searchParams.set('code', 'garbage');
      expect((await site.callback(other)).body.error).toBe('invalid_grant');
    });
  });

  describe('arctic', () => {
    test('its GitLab provider, which has no PKCE', async () => {
      const client = new arctic.GitLab(gateway.url, confidential.clientId, confidential.secret, callback);
      const state = arctic.generateState();
      const location = await follow(person, client.createAuthorizationURL(state, ['api', 'read_user']));
      expect(location.searchParams.get('state')).toBe(state);
      if (strict) return expect(location.searchParams.get('error')).toBe('invalid_request');
      const first = await client.validateAuthorizationCode(location.searchParams.get('code')!);
      expect([first.tokenType(), first.scopes(), first.accessTokenExpiresInSeconds()]).toEqual([
        'bearer',
        ['api', 'read_user'],
        7200,
      ]);
      const second = await client.refreshAccessToken(first.refreshToken());
      expect(await usernameOf(second.accessToken())).toBe('person');
      await client.revokeToken(second.accessToken());
      expect(await statusOf(gateway, second.accessToken())).toBe(401);
      expect((await rejection(client.refreshAccessToken(second.refreshToken()), arctic.OAuth2RequestError)).code).toBe(
        'invalid_grant',
      );
    });

    test.each(['confidential', 'public'])(
      'its client of any provider, for a %s application, with PKCE',
      async (kind) => {
        const application = kind === 'public' ? open : confidential;
        const client = new arctic.OAuth2Client(
          application.clientId,
          kind === 'public' ? null : application.secret,
          callback,
        );
        const [state, verifier] = [arctic.generateState(), arctic.generateCodeVerifier()];
        const authorizationEndpoint = `${gateway.url}/oauth/authorize`;
        const tokenEndpoint = `${gateway.url}/oauth/token`;
        const ask = (method: arctic.CodeChallengeMethod) =>
          follow(
            person,
            client.createAuthorizationURLWithPKCE(authorizationEndpoint, state, method, verifier, ['api', 'read_user']),
          );

        const plain = await ask(arctic.CodeChallengeMethod.Plain);
        expect(plain.searchParams.get('error')).toBe('invalid_request');

        const code = (await ask(arctic.CodeChallengeMethod.S256)).searchParams.get('code')!;
        const wrong = client.validateAuthorizationCode(tokenEndpoint, code, arctic.generateCodeVerifier());
        expect((await rejection(wrong, arctic.OAuth2RequestError)).code).toBe('invalid_grant');
        const first = await client.validateAuthorizationCode(tokenEndpoint, code, verifier);
        const second = await client.refreshAccessToken(tokenEndpoint, first.refreshToken(), ['read_user']);
        expect(second.scopes()).toEqual(['read_user']);
        const wider = client.refreshAccessToken(tokenEndpoint, second.refreshToken(), ['api']);
        expect((await rejection(wider, arctic.OAuth2RequestError)).code).toBe('invalid_scope');
        expect(await usernameOf(second.accessToken())).toBe('person');
        await client.revokeToken(`${gateway.url}/oauth/revoke`, second.refreshToken());
        expect(await statusOf(gateway, second.accessToken())).toBe(401);
      },
    );

    test('a wrong secret', async () => {
      const client = new arctic.GitLab(gateway.url, confidential.clientId, 'wrong', callback);
      const error = await rejection(client.refreshAccessToken('garbage'), arctic.OAuth2RequestError);
      expect([error.code, error.description]).toEqual([
        'invalid_client',
        expect.stringContaining('Client authentication failed'),
      ]);
    });
  });
});
