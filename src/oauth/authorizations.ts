import { listAuthorizedApplications, revokeAuthorization } from './statements/tokens.ts';
import { NotFound } from '../errors.ts';
import { findClientById, findClientsById, type Client } from './client.ts';
import type { Engine } from './engine.ts';

/** A part of the list of the applications that a person authorized. */
interface AuthorizedPart {
  readonly limit: number;
  readonly offset: number;
  /** Only this one, or null. */
  readonly application: number | null;
}

/** The applications that may act for a person at present, newest first. */
export async function authorizedApplications(
  { sql }: Pick<Engine, 'sql'>,
  userId: number,
  { limit, offset, application }: AuthorizedPart,
): Promise<{ client: Client; scopes: string[]; authorizedAt: Date; issuedAt: Date }[]> {
  const rows = await sql.rows(listAuthorizedApplications, [userId, limit, offset, application]);
  const clients = await findClientsById(
    { sql },
    rows.map((row) => row.application_id),
  );
  return rows.flatMap((row) => {
    const client = clients.get(row.application_id);
    return client ? [{ client, scopes: row.scopes, authorizedAt: row.authorized_at, issuedAt: row.issued_at }] : [];
  });
}

/**
 * Revokes everything that an application has for a person, including codes not yet redeemed.
 * @throws NotFound for an application that doesn't exist
 */
export async function revokeAuthorizationOf(engine: Engine, userId: number, applicationId: number): Promise<void> {
  const client = await findClientById(engine, applicationId);
  if (!client) throw new NotFound('Application');
  await engine.sql.rows(revokeAuthorization, [userId, applicationId, engine.origin.address, engine.origin.requestId]);
  engine.changes.publish({ personId: userId, subject: 'AUTHORIZATION', id: applicationId, act: 'REVOKED' });
}
