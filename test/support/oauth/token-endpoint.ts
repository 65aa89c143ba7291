import { expect } from 'vitest';
import { testGateway, type TestGateway } from '../gateway.ts';
import { registerApplication, session, token, type Form, type RegisteredApplication, type Session } from './oauth.ts';
import type { RestAnswer, RestRequest } from '../requests/rest-client.ts';

/** Shared parts of tests of the token endpoint: the expected errors, and a gateway with applications. */

const texts = {
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
} as const;

/** Status and body of an error with the standard description of its code. */
export const refusal = (error: keyof typeof texts, status = 400) => [
  status,
  { error, error_description: texts[error] },
];
export const unauthenticated = refusal('invalid_client', 401);
export const invalidRequest = (text: string) => [400, { error: 'invalid_request', error_description: text }];
export const missing = (name: string) => invalidRequest(`Missing required parameter: ${name}.`);

export const statusAndBody = ({ status, body }: RestAnswer) => [status, body];

/**
 * The expected `WWW-Authenticate` of a 401: with the scheme that the client used (RFC 6749 §5.2), otherwise with the
 * error code, where strict clients read it. Null for other statuses.
 */
export function challengeOfAnswer(status: number, authorization = ''): string | null {
  if (status !== 401) return null;
  if (/^basic/i.test(authorization)) return 'Basic realm="Causeway"';
  return `Bearer realm="Causeway", error="invalid_client", error_description="${texts.invalid_client}"`;
}

/** Checks the headers that every answer of the endpoint has. */
function checkHeaders({ status, headers }: RestAnswer, request: RestRequest): void {
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('pragma')).toBe('no-cache');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('www-authenticate')).toBe(challengeOfAnswer(status, request.headers?.authorization));
}

/** A new address for each call, so that rate limits of one test don't affect the next. */
let addresses = 0;
export const elsewhere = () => `203.0.${Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`;
export const from = (address: string, request: RestRequest = {}): RestRequest => ({
  ...request,
  headers: { ...request.headers, 'x-forwarded-for': address },
});

export interface World {
  gateway: TestGateway;
  person: Session;
  confidential: RegisteredApplication;
  open: RegisteredApplication;
  /** Sends a token request, and checks the headers of the answer. */
  ask(form: Form | [string, string][], request?: RestRequest): Promise<RestAnswer>;
}

export async function makeWorld(settings: Record<string, string>): Promise<World> {
  const gateway = await testGateway({ CAUSEWAY_TRUSTED_PROXIES: 'loopback', ...settings });
  const person = await session(gateway, 'person');
  return {
    gateway,
    person,
    confidential: await registerApplication(person),
    open: await registerApplication(person, { confidential: false }),
    async ask(form, request = {}) {
      const answer = await token(
        gateway,
        form,
        request.headers?.['x-forwarded-for'] ? request : from(elsewhere(), request),
      );
      checkHeaders(answer, request);
      return answer;
    },
  };
}
