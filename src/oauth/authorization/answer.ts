import type { OAuthError } from '../../errors.ts';
import type { Engine } from '../engine.ts';
import { outOfBand } from '../redirect-uri.ts';

/** Where the answer to an authorization request goes: the redirect to the client, with its parameters. */

type Members = Record<string, string | null | undefined>;

/** The parts of a request that determine where its answer goes. */
type Addressee = {
  readonly redirectUri: string;
  readonly responseType?: string | null | undefined;
  readonly state?: string | null | undefined;
};

/** RFC 6749 §4.1.2.1 and §4.2.2.1. Null out of band. */
export function errorLocation(
  engine: Engine,
  issuer: string,
  to: Addressee,
  { error, message }: OAuthError,
): string | null {
  return answerAt(engine, issuer, to, { error, error_description: message, state: to.state });
}

/**
 * The redirect URI with an answer: in the fragment for a token, in the query otherwise, with
 * `iss` where the profile has it (RFC 9207 §2). Null where there is nowhere to redirect to.
 */
export function answerAt(
  { profile }: Engine,
  issuer: string,
  { redirectUri, responseType }: Addressee,
  members: Members,
): string | null {
  if (redirectUri === outOfBand) return null;
  const all = profile.namesIssuer ? { ...members, iss: issuer } : members;
  if (responseType === 'token') return `${redirectUri}#${encode(all)}`;
  return withQuery(redirectUri, all) + (profile.endsInFragment ? '#_' : '');
}

/** The registered query stays in front, character by character (RFC 6749 §3.1.2). */
function withQuery(uri: string, members: Members): string {
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return `${uri}${separator}${encode(members)}`;
}

/** Blank members are left out. */
function encode(members: Members): string {
  const given = Object.entries(members).filter((member): member is [string, string] => Boolean(member[1]));
  return new URLSearchParams(given).toString();
}
