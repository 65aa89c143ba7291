import { newToken } from '../../auth/index.ts';
import { findConsent } from '../statements/clients.ts';
import { storeCode } from '../statements/grants.ts';
import { OAuthError, Unauthenticated } from '../../errors.ts';
import { counters } from '../../counters.ts';
import type { Client } from '../client.ts';
import { audit, type Decider, type Engine } from '../engine.ts';
import { accessDenied } from '../errors.ts';
import { issueTokens } from '../issue.ts';
import { outOfBand } from '../redirect-uri.ts';
import { checks } from './checks/index.ts';
import type { AuthorizationDraft, AuthorizationParameters, AuthorizationRequest } from './request.ts';

export type { AuthorizationParameters, AuthorizationRequest } from './request.ts';

/** A refused request. The error is shown to the person, or sent to the client at `location`. */
interface RefusedAuthorization {
  readonly error: OAuthError;
  readonly location: string | null;
  /** The client, if it is known. */
  readonly client: Client | null;
}

export type CheckedAuthorization =
  | { readonly request: AuthorizationRequest }
  | { readonly refused: RefusedAuthorization };

/** Runs the checks in order. @param administrator whether the person who decides is one */
export async function checkAuthorization(
  engine: Engine,
  issuer: string,
  parameters: AuthorizationParameters,
  administrator: boolean,
): Promise<CheckedAuthorization> {
  const draft: AuthorizationDraft = {};
  for (const [check, reportTo] of checks) {
    try {
      await check({ engine, parameters, administrator, draft });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { responseType, state } = parameters;
      const location =
        reportTo === 'client'
          ? errorLocation(engine, issuer, { redirectUri: draft.redirectUri!, responseType, state }, error)
          : null;
      return { refused: { error, location, client: draft.client ?? null } };
    }
  }
  const { client, redirectUri, responseType, scopes, challenge } = draft as Required<AuthorizationDraft>;
  return { request: { client, redirectUri, responseType, scopes, challenge, state: parameters.state || null } };
}

/** Whether the person approved this before and the consent is remembered. */
export async function isRemembered(engine: Engine, userId: number, request: AuthorizationRequest): Promise<boolean> {
  if (!mayBeRemembered(request)) return false;
  const found = await engine.sql.rows(findConsent, [userId, request.client.id, request.redirectUri, request.scopes]);
  return found.length > 0;
}

/**
 * Whether an approval may be remembered. Not for public applications, which anyone can imitate, not for `sudo`, and
 * not for codes that a person copies by hand.
 */
export function mayBeRemembered({ client, redirectUri, responseType, scopes }: AuthorizationRequest): boolean {
  return client.confidential && responseType === 'code' && redirectUri !== outOfBand && !scopes.includes('sudo');
}

/** The redirect with the answer. Out of band: no redirect, but the code for the person to copy; null if they denied. */
export type Answered = { readonly location: string } | { readonly location: null; readonly code: string | null };

/**
 * Approves a request: issues a code, or tokens for the implicit grant.
 * @throws Unauthenticated when the session ended in the meantime
 */
export async function approve(
  engine: Engine,
  issuer: string,
  { userId, checkedAt }: Decider,
  request: AuthorizationRequest,
): Promise<Answered> {
  const { client, redirectUri, responseType, scopes, challenge, state } = request;
  if (responseType === 'token') {
    // RFC 6749 §4.2.2: no refresh token.
    const issued = await issueTokens(engine, {
      kind: 'IMPLICIT',
      client,
      userId,
      scopes,
      withRefresh: false,
      allowedAt: checkedAt,
    });
    if (!issued) throw new Unauthenticated();
    counters.tokensIssued.count('implicit');
    const token = {
      access_token: issued.accessToken,
      token_type: 'bearer',
      expires_in: issued.expiresIn === null ? null : String(issued.expiresIn),
    };
    return { location: answerAt(engine, issuer, request, { ...token, state })! };
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
  const location = answerAt(engine, issuer, request, { code: code.secret, state });
  return location === null ? { location, code: code.secret } : { location };
}

/** Denies a request. */
export async function deny(
  engine: Engine,
  issuer: string,
  { userId }: Decider,
  request: AuthorizationRequest,
): Promise<Answered> {
  const { client, scopes } = request;
  await audit(engine, { kind: 'authorization_denied', applicationId: client.id, actorId: userId, userId, scopes });
  const location = errorLocation(engine, issuer, request, accessDenied());
  return location === null ? { location, code: null } : { location };
}

type Members = Record<string, string | null | undefined>;

/** The parts of a request that determine where its answer goes. */
type Addressee = {
  readonly redirectUri: string;
  readonly responseType?: string | null | undefined;
  readonly state?: string | null | undefined;
};

/** The redirect with an error (RFC 6749 §4.1.2.1 and §4.2.2.1); null out of band. */
function errorLocation(engine: Engine, issuer: string, to: Addressee, { error, message }: OAuthError): string | null {
  return answerAt(engine, issuer, to, { error, error_description: message, state: to.state });
}

/**
 * The redirect URI with an answer: in the fragment for a token, otherwise in the query, and with `iss` if the
 * profile names the issuer (RFC 9207 §2). Null out of band.
 */
function answerAt(
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

/** Appends members to the query of a URI. The registered query stays unchanged before them (RFC 6749 §3.1.2). */
function withQuery(uri: string, members: Members): string {
  const separator = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return `${uri}${separator}${encode(members)}`;
}

/** Encodes members as a query; empty ones are omitted. */
function encode(members: Members): string {
  const given = Object.entries(members).filter((member): member is [string, string] => Boolean(member[1]));
  return new URLSearchParams(given).toString();
}
