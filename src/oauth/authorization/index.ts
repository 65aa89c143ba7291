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
  /** The client, where it is known. */
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

/** Consent is asked for every time by public applications (anyone can pose as one), for `sudo`, and for a code to copy by hand. */
export function mayBeRemembered({ client, redirectUri, responseType, scopes }: AuthorizationRequest): boolean {
  return client.confidential && responseType === 'code' && redirectUri !== outOfBand && !scopes.includes('sudo');
}

/** The redirect with the answer; out of band, the code for the person to copy, or null for a refusal. */
export type Answered = { readonly location: string } | { readonly location: null; readonly code: string | null };

/**
 * The person approves.
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

/** The person denies. */
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

/** RFC 6749 §4.1.2.1 and §4.2.2.1. Null out of band. */
function errorLocation(engine: Engine, issuer: string, to: Addressee, { error, message }: OAuthError): string | null {
  return answerAt(engine, issuer, to, { error, error_description: message, state: to.state });
}

/**
 * The redirect URI with an answer: in the fragment for a token, in the query otherwise, with
 * `iss` where the profile has it (RFC 9207 §2). Null where there is nowhere to redirect to.
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
