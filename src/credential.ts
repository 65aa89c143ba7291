import type { Presented } from './auth/index.ts';
import { prefixes } from './auth/credentials/tokens.ts';
import { BadRequest } from './errors.ts';

/** The credential of an API request: how it is read from headers and parameters, before anything is checked. */

/** A bearer token in the header and another one in a parameter (RFC 6750 §2: a client must not use more than one). */
export class TwoCredentials extends BadRequest {}

/** A token in the query string, where the profile refuses that. */
export class TokenInQuery extends BadRequest {}

/** Parameters that are bearer tokens. */
const bearerParameters = ['access_token', 'bearer_token'];
/** Parameters that are tokens, on each route that takes a credential. */
export const tokenParameters: readonly string[] = [...bearerParameters, 'private_token', 'job_token'];

/**
 * A query string without tokens, for an address that the gateway writes: clients, proxies and browsers keep those in logs
 * and histories.
 * @param more names of parameters that are tokens as well
 */
export function withoutTokens(query: string, ...more: readonly string[]): string {
  const secret = new RegExp(`^(?:${[...tokenParameters, ...more].join('|')})\\b`);
  return query
    .split('&')
    .filter((pair) => ![...new URLSearchParams(pair).keys()].some((name) => secret.test(name)))
    .join('&');
}

/**
 * Refuses a token in the query string: URLs end up in logs and histories (RFC 9700 §4.3.2).
 * @param has whether the query string has a parameter
 * @param more names of parameters that are tokens on this route
 * @throws TokenInQuery
 */
export function refuseTokenInQuery(has: (name: string) => boolean, ...more: readonly string[]): void {
  if (bearerParameters.some(has))
    throw new TokenInQuery('An access token must be sent in the Authorization header, not in the query string.');
  if ([...tokenParameters, ...more].some(has))
    throw new TokenInQuery('A token must be sent in a header or in the body, not in the query string.');
}

/**
 * Finds the credential in a request: an OAuth token first, as a parameter or a header, then a
 * personal access token, which clients may also send where an OAuth token belongs.
 * @throws TwoCredentials
 */
export function presentedCredential(
  header: (name: string) => string | undefined,
  parameter: (name: string) => unknown,
): Presented | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(header('authorization') ?? '')?.[1];
  const parameterToken = text(parameter('access_token')) ?? text(parameter('bearer_token'));
  if (bearer && parameterToken)
    throw new TwoCredentials('Both Authorization header and payload includes access token.');
  const token = parameterToken ?? bearer;
  const personal = text(parameter('private_token')) ?? text(header('private-token'));
  if (token && (!personal || token.startsWith(prefixes.access))) return { as: 'bearer', token };
  return personal ? { as: 'private', token: personal } : null;
}

/**
 * Finds the token of a job in a request to the API. It is taken if there is no credential of a person, and reaches only
 * fields that name it.
 */
export function presentedJob(
  header: (name: string) => string | undefined,
  parameter: (name: string) => unknown,
): Presented | null {
  const token = text(header('job-token')) ?? text(parameter('job_token'));
  return token === undefined ? null : { as: 'job', token };
}

/** What the routes of runners read: the parameter `token`, or a header. */
const machineHeaders = { job: 'job-token', runner: 'runner-token', registration: undefined } as const;

/** Finds the token of a machine in a request to one of the routes for runners, which take nothing else. */
export function presentedByMachine(
  as: keyof typeof machineHeaders,
  header: (name: string) => string | undefined,
  parameter: (name: string) => unknown,
): Presented | null {
  const name = machineHeaders[as];
  const token = text(parameter('token')) ?? (name && text(header(name)));
  return token === undefined ? null : { as, token };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Whether the token at the route of triggers is that of a job. */
export const isJobToken = (token: unknown): token is string =>
  typeof token === 'string' && token.startsWith(prefixes.job);
