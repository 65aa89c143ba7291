import { scopes } from '../policy/index.ts';
import type { Profile } from './profile.ts';

/** Authorization server metadata (RFC 8414 §2). @param issuer the base URL */
export function issuerMetadata(issuer: string, profile: Profile) {
  const implicit = profile.grants.includes('implicit');
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    device_authorization_endpoint: `${issuer}/oauth/authorize_device`,
    scopes_supported: scopes,
    response_types_supported: implicit ? ['code', 'token'] : ['code'],
    response_modes_supported: implicit ? ['query', 'fragment'] : ['query'],
    grant_types_supported: profile.grants,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: profile.namesIssuer,
    service_documentation: `${issuer}/docs`,
  };
}
