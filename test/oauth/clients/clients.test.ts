import * as arctic from 'arctic';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2';
import { beforeAll, describe, expect, test } from 'vitest';
import { decideDevice, follow } from '../../support/oauth/authorization-request.ts';
import { callback, registerApplication, statusOf, type RegisteredApplication } from '../../support/oauth/oauth.ts';
import { relyingParty, relyingPartyCallback } from '../../support/oauth/relying-party.ts';
import { partiesIn, rejection } from './parties.ts';

/**
 * Stock OAuth clients, unmodified, against the gateway. What a person does happens
 * through the operations behind the pages, with the very link that a client built.
 */
describe.each(['compatible', 'strict'] as const)('in the profile %s', async (profile) => {
  const { strict, gateway, person, confidential, open, usernameOf } = await partiesIn(profile);

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
