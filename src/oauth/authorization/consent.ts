import type { Engine } from '../engine.ts';
import { outOfBand } from '../redirect-uri.ts';
import { findConsent } from '../statements/clients.ts';
import type { AuthorizationRequest } from './request.ts';

/**
 * Remembered consent: whether a person is asked again. It is stored with the code that an approval issues
 * (`storeCode`), and forgotten on revocation (`revokeAuthorization`), when the application's redirect URIs or kind change
 * (`updateApplication`), and with everything else that a person allowed (`endEverything`).
 */

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
