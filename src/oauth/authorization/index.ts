import { newToken } from '../../auth/index.ts';
import { findConsent } from '../../database/statements/oauth/clients.ts';
import { storeCode } from '../../database/statements/oauth/grants.ts';
import { OAuthError, Unauthenticated } from '../../errors.ts';
import { tallies } from '../../tally.ts';
import type { Client } from '../client.ts';
import { audit, type Decider, type Engine } from '../engine.ts';
import { accessDenied } from '../errors.ts';
import { issueTokens } from '../issue.ts';
import { checks } from './checks/index.ts';
import type { AuthorizationDraft, AuthorizationParameters, AuthorizationRequest } from './request.ts';

export type { AuthorizationParameters, AuthorizationRequest } from './request.ts';

/** A request that failed: told to the person, or to the client at `location`. */
export interface RefusedAuthorization {
  readonly error: OAuthError;
  readonly location: string | null;
  /** Who asked, as far as that was found out. */
  readonly client: Client | null;
}

export type CheckedAuthorization = { readonly request: AuthorizationRequest } | { readonly refused: RefusedAuthorization };

/** Runs the checks in their order. @param administrator whether the person who is asked is one */
export async function checkAuthorization(
  engine: Engine,
  issuer: string,
  parameters: AuthorizationParameters,
  administrator: boolean,
): Promise<CheckedAuthorization> {
  const draft: AuthorizationDraft = {};
  for (const [check, toldTo] of checks) {
    try {
      await check({ engine, parameters, administrator, draft });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const location =
        toldTo === 'client'
          ? errorLocation(draft.redirectUri!, parameters.responseType === 'token', issuer, parameters.state, error)
          : null;
      return { refused: { error, location, client: draft.client ?? null } };
    }
  }
  const { client, redirectUri, responseType, scopes, challenge } = draft as Required<AuthorizationDraft>;
  return { request: { client, redirectUri, responseType, scopes, challenge, state: parameters.state || null } };
}

/** Whether the person has approved this before, in a way that may be remembered. */
export async function isRemembered(engine: Engine, userId: number, request: AuthorizationRequest): Promise<boolean> {
  if (!mayBeRemembered(request)) return false;
  const found = await engine.sql.rows(findConsent, [userId, request.client.id, request.redirectUri, request.scopes]);
  return found.length > 0;
}

/** Public applications ask every time (anyone can claim to be one), and so does whoever wants `sudo`. */
export function mayBeRemembered({ client, responseType, scopes }: AuthorizationRequest): boolean {
  return client.confidential && responseType === 'code' && !scopes.includes('sudo');
}

/**
 * The person agrees.
 * @returns where to go with the code or the token
 * @throws Unauthenticated when the session ended in the meantime
 */
export async function approve(
  engine: Engine,
  issuer: string,
  { userId, checkedAt }: Decider,
  request: AuthorizationRequest,
): Promise<string> {
  const { client, redirectUri, responseType, scopes, challenge, state } = request;
  if (responseType === 'token') {
    // RFC 6749 §4.2.2: no refresh token.
    const issued = await issueTokens(engine, { kind: 'IMPLICIT', client, userId, scopes, withRefresh: false, allowedAt: checkedAt });
    if (!issued) throw new Unauthenticated();
    tallies.tokensIssued.count('implicit');
    return withFragment(redirectUri, {
      access_token: issued.accessToken,
      token_type: 'bearer',
      expires_in: issued.expiresIn === null ? null : String(issued.expiresIn),
      state,
      iss: issuer,
    });
  }
  const code = newToken('code');
  const stored = await engine.sql.rows(storeCode, [
    code.digest,
    client.id,
    userId,
    redirectUri,
    scopes,
    challenge,
    engine.profile.codeLifetime,
    checkedAt,
    mayBeRemembered(request),
    engine.origin.address,
    engine.origin.requestId,
  ]);
  if (stored.length === 0) throw new Unauthenticated();
  return withQuery(redirectUri, { code: code.secret, state, iss: issuer });
}

/** The person refuses. @returns where to go with that */
export async function deny(engine: Engine, issuer: string, { userId }: Decider, request: AuthorizationRequest): Promise<string> {
  const { client, redirectUri, responseType, scopes, state } = request;
  await audit(engine, { kind: 'authorization_denied', applicationId: client.id, actorId: userId, userId, scopes });
  return errorLocation(redirectUri, responseType === 'token', issuer, state, accessDenied());
}

type Members = Record<string, string | null | undefined>;

/** RFC 6749 §4.1.2.1 and §4.2.2.1, with `iss` (RFC 9207 §2). */
function errorLocation(
  redirectUri: string,
  inFragment: boolean,
  issuer: string,
  state: string | null | undefined,
  { error, message }: OAuthError,
): string {
  const members: Members = { error, error_description: message, state, iss: issuer };
  return inFragment ? withFragment(redirectUri, members) : withQuery(redirectUri, members);
}

/** The registered query stays in front, character by character (RFC 6749 §3.1.2). */
function withQuery(uri: string, members: Members): string {
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  // A fragment of its own keeps the browser from attaching the one it came with.
  return `${uri}${separator}${encode(members)}#_`;
}

const withFragment = (uri: string, members: Members) => `${uri}#${encode(members)}`;

/** Blank members are left out. */
function encode(members: Members): string {
  const given = Object.entries(members).filter((member): member is [string, string] => Boolean(member[1]));
  return new URLSearchParams(given).toString();
}
