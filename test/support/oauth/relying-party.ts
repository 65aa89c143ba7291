import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Passport } from 'passport';
import { Strategy, type Profile } from 'passport-gitlab2';
import { afterFile } from '../run/after-file.ts';
import type { TestGateway } from '../gateway.ts';
import type { RegisteredApplication } from './oauth.ts';

/** The result of a sign-in. */
export interface SignedIn {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly profile: Profile;
}

/** The reason of a failed sign-in: the client's error, or none when the person refused or the state was wrong. */
export interface NotSignedIn {
  readonly error: string | null;
  readonly message: string;
}

/** The properties that middleware adds to a request before passport runs. */
interface Prepared extends IncomingMessage {
  query: Record<string, string>;
  session: object;
}

/** The redirect URI of a relying party. It matches any port (RFC 8252 §7.3). */
export const relyingPartyCallback = 'http://127.0.0.1/callback';

/**
 * A website where people sign in with passport-gitlab2. It has one visitor. It stops with the test file.
 */
export async function relyingParty(
  gateway: TestGateway,
  application: RegisteredApplication,
  options: { scope?: string | string[]; scopeSeparator?: string; pkce?: boolean } = {},
) {
  const passport = new Passport();
  const session = {};
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1');
    const prepared: Prepared = Object.assign(request, { query: Object.fromEntries(searchParams), session });
    const answer = (status: number, body: SignedIn | NotSignedIn) =>
      response.writeHead(status).end(JSON.stringify(body));
    const middleware = passport.authenticate(
      'gitlab',
      { session: false },
      (error: (Error & { code?: string }) | null, user: SignedIn | false, info: { message?: string }) => {
        if (error) answer(502, { error: error.code ?? null, message: error.message });
        else if (user) answer(200, user);
        else answer(403, { error: null, message: info?.message ?? '' });
      },
    ) as (request: Prepared, response: ServerResponse, next: () => void) => void;
    if (pathname === '/login' || pathname === '/callback')
      middleware(prepared, response, () => response.writeHead(404).end());
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const strategy = new Strategy(
    {
      baseURL: gateway.url,
      clientID: application.clientId,
      clientSecret: application.secret,
      callbackURL: `${url}/callback`,
      state: true,
      ...options,
    },
    (accessToken, refreshToken, profile, done) => done(null, { accessToken, refreshToken, profile } satisfies SignedIn),
  );
  passport.use(strategy);

  return {
    url,
    /** The URL to which a visitor is redirected for signing in. */
    async login(): Promise<URL> {
      const { status, headers } = await fetch(`${url}/login`, { redirect: 'manual' });
      if (status !== 302) throw new Error(`No redirection: ${status}`);
      return new URL(headers.get('location')!);
    },
    /** The visitor comes back with the answer. */
    async callback(location: URL): Promise<{ status: number; body: SignedIn & NotSignedIn }> {
      const response = await fetch(location);
      return { status: response.status, body: (await response.json()) as SignedIn & NotSignedIn };
    },
    /** Refreshes the tokens, as applications do that keep those of a strategy. */
    refresh: (refreshToken: string) =>
      new Promise<{ accessToken: string; refreshToken: string }>((resolve, reject) => {
        strategy._oauth2.getOAuthAccessToken(
          refreshToken,
          { grant_type: 'refresh_token' },
          (error, access, refresh) => {
            if (error) reject(new Error(error.data));
            else resolve({ accessToken: access!, refreshToken: refresh! });
          },
        );
      }),
  };
}
