import { newToken } from '../../auth/index.ts';
import { storeCode } from '../statements/grants.ts';
import { OAuthError, Unauthenticated } from '../../errors.ts';
import { counters } from '../../counters.ts';
import type { Client } from '../client.ts';
import { audit, type Decider, type Engine } from '../engine.ts';
import { accessDenied } from '../errors.ts';
import { issueTokens } from '../issue.ts';
import { answerAt, errorLocation } from './answer.ts';
import { checks } from './checks/index.ts';
import { mayBeRemembered } from './consent.ts';
import type { AuthorizationDraft, AuthorizationParameters, AuthorizationRequest } from './request.ts';

export { isRemembered, mayBeRemembered } from './consent.ts';
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
