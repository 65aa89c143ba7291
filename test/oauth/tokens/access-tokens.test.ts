import { beforeAll, describe, expect, test } from 'vitest';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import {
  codeRequest,
  decide,
  inBody,
  pkce,
  registerApplication,
  session,
  tokensFor,
  withChallenge,
  type RegisteredApplication,
  type Session,
  type Tokens,
} from '../../support/oauth/oauth.ts';
import { rawClient } from '../../support/requests/raw-client.ts';

describe.each(['compatible', 'strict'] as const)('an access token in the profile %s', (profile) => {
  let gateway: TestGateway;
  let person: Session;
  let application: RegisteredApplication;
  let tokens: Tokens;
  beforeAll(async () => {
    gateway = await testGateway({ CAUSEWAY_PROFILE: profile });
    person = await session(gateway, 'person');
    application = await registerApplication(person);
    tokens = await tokensFor(person, application);
  });
  const bearer = () => ({ headers: { authorization: `Bearer ${tokens.access_token}` } });
  const refused = [
    400,
    {
      error: 'invalid_request',
      error_description: 'An access token must be sent in the Authorization header, not in the query string.',
    },
  ];

  test('works in the header, on every endpoint (RFC 6750 §2.1)', async () => {
    expect((await gateway.rest('GET', '/api/v4/user', bearer())).body.username).toBe('person');
    expect((await gateway.rest('GET', '/oauth/token/info', bearer())).body.application).toEqual({
      uid: application.clientId,
    });
    expect((await gateway.graphql('{ currentUser { username } }', { token: tokens.access_token })).data).toEqual({
      currentUser: { username: 'person' },
    });
  });

  describe.each(['/api/v4/user', '/oauth/token/info'])('in the query string of %s', (path) => {
    test.each(['access_token', 'bearer_token'])(
      `as %s ${profile === 'strict' ? 'is refused (RFC 9700 §4.3.2)' : 'works, as the interface says'}`,
      async (name) => {
        const { status, body } = await gateway.rest('GET', path, { query: { [name]: tokens.access_token } });
        if (profile === 'strict') expect([status, body]).toEqual(refused);
        else expect(status).toBe(200);
      },
    );

    test.runIf(profile === 'strict')('is refused with any value, and beside any other credential', async () => {
      const inQuery: Record<string, string>[] = [
        { access_token: 'unknown' },
        { access_token: '' },
        { bearer_token: gateway.tokens.developer },
        { 'access_token[]': tokens.access_token },
      ];
      for (const query of inQuery) {
        for (const { headers } of [
          bearer(),
          { headers: { 'private-token': gateway.tokens.developer } },
          { headers: {} },
        ]) {
          const { status, body } = await gateway.rest('GET', path, {
            query,
            headers: headers as Record<string, string>,
          });
          expect([query, status, body]).toEqual([query, ...refused]);
        }
      }
    });
  });

  test.runIf(profile === 'strict')('isn’t the only kind that is refused in the query string', async () => {
    const error_description = 'A token must be sent in a header or in the body, not in the query string.';
    const refused = [400, { error: 'invalid_request', error_description }];
    const personal = gateway.tokens.developer;
    const asked: [string, string, string][] = [
      ['GET', '/api/v4/user', `private_token=${personal}`],
      ['GET', '/api/v4/user', 'private_token='],
      ['GET', '/api/v4/job', 'job_token=x'],
      ['POST', '/api/v4/jobs/request', 'token=x'],
      ['PUT', '/api/v4/jobs/1', 'token=x'],
      ['POST', '/api/v4/runners/verify', 'token=x'],
      ['POST', '/api/v4/projects/1/trigger/pipeline', 'token=x&ref=main'],
    ];
    for (const [method, path, query] of asked) {
      const { status, body } = await gateway.rest(method, `${path}?${query}`);
      expect([path, status, body]).toEqual([path, ...refused]);
    }
    expect((await gateway.rest('GET', '/api/v4/user', { token: personal })).status).toBe(200);
    const { status } = await fetch(`${gateway.url}/graphql?private_token=${personal}&query={__typename}`);
    expect(status).toBe(400);
    // In the body, a machine’s token is read as before.
    const inBody = await gateway.rest('POST', '/api/v4/runners/verify', { json: { token: 'x' } });
    expect([inBody.status, inBody.body]).toEqual([403, { message: '403 Forbidden' }]);
  });

  test('works in a form (RFC 6750 §2.2)', async () => {
    const { status } = await gateway.rest('PUT', '/api/v4/notification_settings', {
      form: { access_token: tokens.access_token, level: 'watch' },
    });
    expect(status).toBe(200);
  });

  test('“clients MUST NOT use more than one method” (RFC 6750 §2)', async () => {
    const { status, body } = await gateway.rest('PUT', '/api/v4/notification_settings', {
      ...bearer(),
      form: { access_token: tokens.access_token },
    });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test.each(['access_token', 'bearer_token'])(
    `as %s in the query string of /graphql ${profile === 'strict' ? 'is refused too' : 'works too'}`,
    async (name) => {
      const response = await fetch(`${gateway.url}/graphql?${name}=${tokens.access_token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ currentUser { id } }' }),
      });
      const { data } = (await response.json()) as { data?: { currentUser: object | null } };
      expect([response.status, Boolean(data?.currentUser)]).toEqual(profile === 'strict' ? [400, false] : [200, true]);
    },
  );

  test('is answered with “insufficient_scope” and a challenge where it doesn’t reach (RFC 6750 §3.1)', async () => {
    const narrow = await tokensFor(person, application, 'read_user');
    const { status, body, headers } = await gateway.rest('PUT', '/api/v4/notification_settings', {
      headers: { authorization: `Bearer ${narrow.access_token}` },
    });
    expect([status, body.error, headers.get('www-authenticate')]).toEqual([
      403,
      'insufficient_scope',
      expect.stringMatching(/^Bearer .*error="insufficient_scope".*scope="api"/),
    ]);
  });

  test('reaches nothing that needs a person who is signed in, nor what is made for clients', async () => {
    const wide = await tokensFor(person, application, 'api sudo');
    for (const source of [
      'mutation { signOutEverywhere }',
      '{ applications { id } }',
      'mutation { authorize(parameters: {}, approved: true) { location } }',
      'mutation { issueToken(input: { client: {} }) { accessToken } }',
      '{ introspectToken(input: { client: {} }) { scope } }',
    ]) {
      const { errors } = await gateway.graphql(source, { token: wide.access_token });
      expect(errors?.[0]?.extensions?.code).toBe('undefinedField');
    }
  });

  test('a forged host changes neither issuer nor addresses (row 38)', async () => {
    const raw = rawClient(gateway.url);
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'host=evil.example;proto=https',
    };
    const metadata = await raw({ path: '/.well-known/oauth-authorization-server', headers: forged });
    expect([metadata.status, metadata.text.includes('evil')]).toEqual([200, false]);
    expect(JSON.parse(metadata.text)).toMatchObject({
      issuer: gateway.url,
      token_endpoint: `${gateway.url}/oauth/token`,
    });
    const device = await raw({
      method: 'POST',
      path: '/oauth/authorize_device',
      headers: { ...forged, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ scope: 'api', ...inBody(application) }).toString(),
    });
    expect([device.status, device.text.includes('evil')]).toEqual([200, false]);
    expect((await decide(person, codeRequest(application, withChallenge(pkce())))).searchParams.getAll('iss')).toEqual(
      profile === 'strict' ? [gateway.url] : [],
    );
  });
});
