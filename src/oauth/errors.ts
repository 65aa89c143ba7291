import { OAuthError } from '../errors.ts';

/**
 * All errors of the authorization server, with the texts that clients know: RFC 6749 §4.1.2.1 and §5.2,
 * RFC 7009 §2.2.1, RFC 8628 §3.5.
 */

export const missingParameter = (name: string) => invalidRequest(`Missing required parameter: ${name}.`);

export const invalidRequest = (description: string) => new OAuthError('invalid_request', description);

export const invalidClient = () =>
  new OAuthError(
    'invalid_client',
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  );

/** One text for everything that can be wrong with a grant: the exact reason would help only an attacker. */
export const invalidGrant = () =>
  new OAuthError(
    'invalid_grant',
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  );

export const unauthorizedClient = (
  description = 'The client is not authorized to perform this request using this method.',
) => new OAuthError('unauthorized_client', description);

export const unsupportedGrantType = () =>
  new OAuthError(
    'unsupported_grant_type',
    'The authorization grant type is not supported by the authorization server.',
  );

export const unsupportedResponseType = () =>
  new OAuthError('unsupported_response_type', 'The authorization server does not support this response type.');

export const invalidScope = () =>
  new OAuthError('invalid_scope', 'The requested scope is invalid, unknown, or malformed.');

export const accessDenied = () =>
  new OAuthError('access_denied', 'The resource owner or authorization server denied the request.');

/** Shown only to the person: don't redirect to an unregistered address. */
export const invalidRedirectUri = () =>
  new OAuthError('invalid_redirect_uri', 'The redirect URI included is not valid.');

/** A redirect URI that is registered, but that the present rules refuse. */
export class RefusedRedirectUri extends OAuthError {
  /** What it must or must not be: `cannot contain a fragment.` */
  readonly rule: string;
  constructor(rule: string) {
    super('invalid_redirect_uri', `The rules of this server refuse the registered redirect URI: it ${rule}`);
    this.rule = rule;
  }
}

export const unknownClient = () => new OAuthError('invalid_client', 'No application has this client_id.');

export const authorizationPending = () =>
  new OAuthError(
    'authorization_pending',
    'The authorization request is still pending as the end user has not yet completed the user interaction steps.',
  );

export const slowDown = () =>
  new OAuthError(
    'slow_down',
    'The authorization request is still pending and polling should continue, but the interval must be increased by 5 seconds.',
  );

export const expiredToken = () =>
  new OAuthError('expired_token', 'The device code has expired, and the device authorization session has concluded.');

/** @param seconds until another attempt is evaluated */
export const tooManyAttempts = (seconds: number) =>
  new OAuthError('temporarily_unavailable', 'Too many failed attempts. Try again later.', seconds);
