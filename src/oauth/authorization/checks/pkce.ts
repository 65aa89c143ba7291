import { invalidRequest, missingParameter } from '../../errors.ts';
import { isChallenge } from '../../pkce.ts';
import { outOfBand } from '../../redirect-uri.ts';
import type { Check } from '../request.ts';

/**
 * RFC 7636 §4.3 and §4.4.1: checks the challenge. Only the method S256 is accepted: a plain challenge reveals the
 * verifier to anyone who sees the request, and an omitted method means `plain`. PKCE is required of public clients
 * (RFC 9700 §2.1.1), for codes that a person copies by hand, and always in the profile `strict`.
 */
export const checkPkce: Check = ({ engine, parameters, draft }) => {
  const { codeChallenge: challenge, codeChallengeMethod: method } = parameters;
  draft.challenge = null;
  if (draft.responseType === 'token') return;
  if (!challenge) {
    if (method) throw missingParameter('code_challenge');
    if (!draft.client!.confidential || draft.redirectUri === outOfBand || engine.profile.pkceFromEveryone)
      throw missingParameter('code_challenge');
    return;
  }
  if (method !== 'S256') throw invalidRequest('The code_challenge_method must be S256.');
  if (!isChallenge(challenge))
    throw invalidRequest('The code_challenge must be the base64url of a SHA-256, without padding.');
  draft.challenge = challenge;
};
