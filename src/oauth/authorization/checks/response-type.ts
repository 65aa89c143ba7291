import { invalidRequest, missingParameter, unauthorizedClient, unsupportedResponseType } from '../../errors.ts';
import { allows } from '../../issue.ts';
import type { GrantType } from '../../profile.ts';
import { outOfBand } from '../../redirect-uri.ts';
import type { Check } from '../request.ts';

/** The grant behind each response type. */
const grantOf = { code: 'authorization_code', token: 'implicit' } as const satisfies Record<string, GrantType>;

/** RFC 6749 §3.1.1: `code` or `token`, if both the instance and the application allow its grant. */
export const checkResponseType: Check = ({ engine, parameters, draft }) => {
  const { responseType } = parameters;
  if (!responseType) throw missingParameter('response_type');
  if (responseType !== 'code' && responseType !== 'token') throw unsupportedResponseType();
  const grant = grantOf[responseType];
  if (!engine.profile.grants.includes(grant)) throw unsupportedResponseType();
  if (!allows(engine, draft.client!, grant)) throw unauthorizedClient();
  const ordinary = { code: 'query', token: 'fragment' }[responseType];
  if (parameters.responseMode && parameters.responseMode !== ordinary) {
    throw invalidRequest('The authorization server does not support this response mode.');
  }
  // A person may copy a code, which is short-lived and bound by PKCE, but never a token.
  if (responseType === 'token' && draft.redirectUri === outOfBand) throw unsupportedResponseType();
  draft.responseType = responseType;
};
