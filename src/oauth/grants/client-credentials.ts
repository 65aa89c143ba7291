import { authenticateClient } from '../client.ts';
import { invalidClient, unauthorizedClient } from '../errors.ts';
import { grantedScopes, issueTokens, requireGrant } from '../issue.ts';
import type { Grant } from './grant.ts';

/** RFC 6749 §4.4: an application acts for itself. There is no person, and no refresh token (§4.4.3). */
export const clientCredentials: Grant = async (engine, request) => {
  const client = await authenticateClient(engine, request.client);
  // §4.4.2: only confidential clients.
  if (!client.confidential) throw unauthorizedClient();
  requireGrant(engine, client, 'client_credentials');
  const scopes = grantedScopes(request.scope, client.scopes, ['api']);
  const issued = await issueTokens(engine, {
    kind: 'CLIENT_CREDENTIALS',
    client,
    userId: null,
    scopes,
    withRefresh: false,
    allowedAt: client.checkedAt,
  });
  if (!issued) throw invalidClient();
  return issued;
};
