import type { Check } from '../request.ts';
import { checkClient } from './client.ts';
import { checkPkce } from './pkce.ts';
import { checkPower } from './power.ts';
import { checkPrompt } from './prompt.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import { checkResponseType } from './response-type.ts';
import { checkScope } from './scope.ts';

/**
 * The checks of an authorization request, in order. Until the redirect URI is checked, an error is shown to the
 * person without a redirect (RFC 6749 §4.1.2.1). Later errors go to the client, at the redirect URI.
 */
export const checks: readonly (readonly [check: Check, reportTo: 'person' | 'client'])[] = [
  [checkClient, 'person'],
  [checkRedirectUri, 'person'],
  [checkResponseType, 'client'],
  [checkScope, 'client'],
  [checkPower, 'client'],
  [checkPkce, 'client'],
  [checkPrompt, 'client'],
];
