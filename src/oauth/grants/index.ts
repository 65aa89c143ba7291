import { counters } from '../../counters.ts';
import type { Engine } from '../engine.ts';
import { missingParameter, unsupportedGrantType } from '../errors.ts';
import type { IssuedTokens } from '../issue.ts';
import type { GrantType } from '../profile.ts';
import { authorizationCode } from './authorization-code.ts';
import { clientCredentials } from './client-credentials.ts';
import { deviceCode } from './device-code.ts';
import type { Grant, TokenRequest } from './grant.ts';
import { password } from './password.ts';
import { refreshToken } from './refresh-token.ts';

export type { TokenRequest } from './grant.ts';

/** The grants of the token endpoint, by `grant_type`. */
const grants = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  password,
  client_credentials: clientCredentials,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCode,
} as const satisfies Partial<Record<GrantType, Grant>>;

/**
 * The token endpoint (RFC 6749 §3.2).
 * @throws OAuthError
 */
export async function exchange(engine: Engine, request: TokenRequest): Promise<IssuedTokens> {
  const { grantType } = request;
  if (!grantType) throw missingParameter('grant_type');
  if (!Object.hasOwn(grants, grantType) || !(engine.profile.grants as readonly string[]).includes(grantType)) {
    throw unsupportedGrantType();
  }
  const issued = await grants[grantType as keyof typeof grants](engine, request);
  counters[grantType === 'refresh_token' ? 'tokensRefreshed' : 'tokensIssued'].count(grantType);
  return issued;
}
