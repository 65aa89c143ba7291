import { digest } from '../auth/index.ts';
import { findToken } from './statements/tokens.ts';
import { authenticateClient, type ClientCredentials } from './client.ts';
import type { Engine } from './engine.ts';
import { invalidClient, missingParameter } from './errors.ts';

/** The answer for a valid token (RFC 7662 §2.2). */
export interface Introspection {
  readonly scope: string;
  readonly clientId: string;
  readonly username: string | null;
  readonly sub: string | null;
  readonly exp: Date | null;
  readonly iat: Date;
}

/**
 * Token introspection: describes a valid token of the client itself; null for every other token.
 * @throws OAuthError
 */
export async function introspect(
  engine: Engine,
  credentials: ClientCredentials,
  token: string | null | undefined,
): Promise<Introspection | null> {
  const client = await authenticateClient(engine, credentials);
  // A public client can't authenticate, so anyone could ask in its name (RFC 7662 §2.1).
  if (!client.confidential) throw invalidClient();
  if (!token) throw missingParameter('token');
  const [row] = await engine.sql.rows(findToken, [digest(token)]);
  if (!row?.live || row.application_id !== client.id) return null;
  return {
    scope: row.scopes.join(' '),
    clientId: client.uid,
    username: row.username,
    sub: row.user_id === null ? null : String(row.user_id),
    exp: row.expires_at,
    iat: row.created_at,
  };
}
