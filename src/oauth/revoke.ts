import { digest } from '../auth/index.ts';
import { findToken } from './statements/tokens.ts';
import { authenticateIfNamed, type ClientCredentials } from './client.ts';
import type { Engine } from './engine.ts';
import { missingParameter, unauthorizedClient } from './errors.ts';
import { endFamily } from './families.ts';

/**
 * Token revocation (RFC 7009). An access or refresh token revokes its whole family; an unknown token
 * is no error (§2.2). `token_type_hint` isn't needed: both types are looked up.
 * @throws OAuthError
 */
export async function revoke(
  engine: Engine,
  credentials: ClientCredentials,
  token: string | null | undefined,
): Promise<void> {
  if (!token) throw missingParameter('token');
  const client = await authenticateIfNamed(engine, credentials);
  const [row] = await engine.sql.rows(findToken, [digest(token)]);
  if (!row) return;
  if (row.application_id !== (client?.id ?? null))
    throw unauthorizedClient('You are not authorized to revoke this token');
  await endFamily(engine, row.grant_id, 'token_revoked', row.scopes);
}
