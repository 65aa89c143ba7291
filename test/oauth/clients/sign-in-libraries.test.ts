import { Auth, type AuthConfig } from '@auth/core';
import GitLab from '@auth/core/providers/gitlab';
import fastifyOauth2, { type OAuth2Namespace } from '@fastify/oauth2';
import { betterAuth } from 'better-auth';
import ClientOAuth2 from 'client-oauth2';
import fastify from 'fastify';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { signIn, type BrowserSession } from '../../support/pages/browser-session.ts';
import { testGateway, type TestGateway } from '../../support/gateway.ts';
import { statusOf } from '../../support/oauth/oauth.ts';
import { authorize, registerStockApplication, type StockApplication } from '../../support/oauth/stock-application.ts';

/**
 * Libraries with which websites let people sign in, as their manuals set them up, against an
 * application registered by `POST /applications`. What a person does happens on the pages.
 */

const site = 'http://127.0.0.1:4010';
let gateway: TestGateway;
let person: BrowserSession;
beforeAll(async () => {
  gateway = await testGateway();
  person = await signIn(gateway, 'guest');
});

/** A visitor's browser at the site: it keeps cookies, and follows nothing. */
function visitor(answer: (request: Request) => Promise<Response>) {
  const cookies = new Map<string, string>();
  return async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await answer(
      new Request(new URL(address, site), {
        ...init,
        headers: { cookie, origin: site, ...(init.headers as Record<string, string>) },
      }),
    );
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name, value);
    }
    return response;
  };
}

describe('@auth/core', () => {
  test('signs a person in, and once more without asking', async () => {
    const application = await registerStockApplication(gateway, `${site}/auth/callback/gitlab`);
    const config: AuthConfig = {
      basePath: '/auth',
      secret: 'a secret of the site',
      trustHost: true,
      providers: [GitLab({ ...application, baseUrl: gateway.url } as Parameters<typeof GitLab>[0])],
      logger: { error: (error) => expect.fail(String(error.cause ?? error)) },
    };
    for (const _time of ['first', 'second']) {
      const visit = visitor((request) => Auth(request, config) as Promise<Response>);
      const { csrfToken } = (await (await visit('/auth/csrf')).json()) as { csrfToken: string };
      const begun = await visit('/auth/signin/gitlab', {
        method: 'POST',
        body: new URLSearchParams({ csrfToken, callbackUrl: `${site}/in` }),
      });
      const back = await visit(await authorize(person, begun.headers.get('location')!));
      expect([back.status, back.headers.get('location')]).toEqual([302, `${site}/in`]);
      expect(await (await visit('/auth/session')).json()).toMatchObject({
        user: { name: 'Guy Guest', email: 'guest@example.com' },
      });
    }
  });
});

describe('better-auth', () => {
  test('signs a person in', async () => {
    const application = await registerStockApplication(gateway, `${site}/api/auth/callback/gitlab`);
    const auth = betterAuth({
      baseURL: site,
      secret: 'a secret of the site that is long enough',
      socialProviders: { gitlab: { ...application, issuer: gateway.url } },
      telemetry: { enabled: false },
    });
    const visit = visitor((request) => auth.handler(request));
    const begun = await visit('/api/auth/sign-in/social', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'gitlab', callbackURL: '/in' }),
    });
    const { url } = (await begun.json()) as { url: string };
    const back = await visit(await authorize(person, url));
    expect([back.status, new URL(back.headers.get('location')!, site).pathname]).toEqual([302, '/in']);
    expect(await (await visit('/api/auth/get-session')).json()).toMatchObject({
      user: { name: 'Guy Guest', email: 'guest@example.com' },
    });
  });
});

describe('@fastify/oauth2', () => {
  test.each([undefined, 'S256'] as const)('signs a person in and renews the token, with pkce %s', async (pkce) => {
    const { clientId: id, clientSecret: secret } = await registerStockApplication(gateway, `${site}/login/callback`);
    const app = fastify();
    onTestFinished(() => app.close());
    await app.register(fastifyOauth2, {
      name: 'gitlab',
      scope: ['read_user'],
      credentials: {
        client: { id, secret },
        auth: { ...fastifyOauth2.GITLAB_CONFIGURATION, authorizeHost: gateway.url, tokenHost: gateway.url },
      },
      startRedirectPath: '/login',
      callbackUri: `${site}/login/callback`,
      ...(pkce && { pkce }),
    });
    const gitlab = (app as unknown as { gitlab: OAuth2Namespace }).gitlab;
    app.get('/login/callback', async (request) => {
      const { token } = await gitlab.getAccessTokenFromAuthorizationCodeFlow(request);
      return [token, (await gitlab.getNewAccessTokenUsingRefreshToken(token, {})).token];
    });
    const begun = await app.inject('/login');
    const cookies = Object.fromEntries(begun.cookies.map(({ name, value }) => [name, value]));
    const { pathname, search } = await authorize(person, begun.headers.location!);
    const [first, second] = (await app.inject({ url: pathname + search, cookies })).json<
      { access_token: string; scope: string }[]
    >();
    expect([first!.scope, second!.scope, first!.access_token === second!.access_token]).toEqual([
      'read_user',
      'read_user',
      false,
    ]);
    expect(await statusOf(gateway, second!.access_token)).toBe(200);
  });
});

describe('client-oauth2', () => {
  const redirectUri = `${site}/callback`;
  let application: StockApplication;
  beforeAll(async () => {
    application = await registerStockApplication(gateway, redirectUri);
  });
  const client = () =>
    new ClientOAuth2({
      ...application,
      accessTokenUri: `${gateway.url}/oauth/token`,
      authorizationUri: `${gateway.url}/oauth/authorize`,
      redirectUri,
      scopes: ['read_user'],
      state: 'a-state',
    });
  const whose = async ({ accessToken }: ClientOAuth2.Token) => {
    const { body } = await gateway.rest('GET', '/api/v4/user', { headers: { authorization: `Bearer ${accessToken}` } });
    return body.username as string;
  };

  test('by code, and renews the token', async () => {
    const { code } = client();
    const token = await code.getToken((await authorize(person, code.getUri())).href);
    expect(await whose(token)).toBe('guest');
    expect(await whose(await token.refresh())).toBe('guest');
  });

  test('by a token with the redirect', async () => {
    const { token } = client();
    expect(await whose(await token.getToken((await authorize(person, token.getUri())).href))).toBe('guest');
  });

  test('by a password', async () => {
    expect(await whose(await client().owner.getToken('guest', inject('passwords').demo))).toBe('guest');
  });

  test('for itself', async () => {
    const { accessToken } = await client().credentials.getToken();
    const { body } = await gateway.rest('GET', '/oauth/token/info', {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(body).toMatchObject({
      scope: ['read_user'],
      application: { uid: application.clientId },
      resource_owner_id: null,
    });
  });
});
