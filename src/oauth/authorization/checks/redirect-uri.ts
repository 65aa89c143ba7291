import { invalidRedirectUri } from '../../errors.ts';
import { matchesRegistered, redirectUriProblems } from '../../redirect-uri.ts';
import type { Check } from '../request.ts';

/**
 * RFC 6749 §3.1.2.3, RFC 9700 §2.1: the very address that was registered. One
 * that was registered under laxer rules than today's is refused too.
 */
export const checkRedirectUri: Check = ({ engine, parameters, draft }) => {
  const { redirectUri } = parameters;
  const anyPort = parameters.responseType !== 'token';
  if (!redirectUri || !matchesRegistered(redirectUri, draft.client!.redirectUris, anyPort)) throw invalidRedirectUri();
  if (redirectUriProblems(redirectUri, engine.profile.plainHttp).length > 0) throw invalidRedirectUri();
  draft.redirectUri = redirectUri;
};
