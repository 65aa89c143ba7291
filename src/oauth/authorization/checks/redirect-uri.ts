import { invalidRedirectUri, RefusedRedirectUri } from '../../errors.ts';
import { problemsInUse, matchesRegistered } from '../../redirect-uri.ts';
import type { Check } from '../request.ts';

/**
 * RFC 6749 §3.1.2.3, RFC 9700 §2.1: the redirect URI must equal a registered one, and the present rules must still
 * allow it.
 */
export const checkRedirectUri: Check = ({ engine, parameters, draft }) => {
  const { redirectUri } = parameters;
  const anyPort = parameters.responseType !== 'token';
  if (!redirectUri || !matchesRegistered(redirectUri, draft.client!.redirectUris, anyPort)) throw invalidRedirectUri();
  const [rule] = problemsInUse(redirectUri, engine.profile);
  if (rule !== undefined) throw new RefusedRedirectUri(rule);
  draft.redirectUri = redirectUri;
};
