import type { Check } from '../request.ts';
import { checkClient } from './client.ts';
import { checkPkce } from './pkce.ts';
import { checkPower } from './power.ts';
import { checkPrompt } from './prompt.ts';
import { checkRedirectUri } from './redirect-uri.ts';
import { checkResponseType } from './response-type.ts';
import { checkScope } from './scope.ts';

/**
 * The checks of an authorization request, in their order. Up to the redirect URI
 * a failure is shown to the person and nobody is sent anywhere (RFC 6749
 * §4.1.2.1); afterwards the client is told at the address that was checked.
 */
export const checks: readonly (readonly [check: Check, toldTo: 'person' | 'client'])[] = [
  [checkClient, 'person'],
  [checkRedirectUri, 'person'],
  [checkResponseType, 'client'],
  [checkScope, 'client'],
  [checkPower, 'client'],
  [checkPkce, 'client'],
  [checkPrompt, 'client'],
];
