import { listAuthorizedApplications, revokeAuthorization } from './statements/tokens.ts';
import { NotFound } from '../errors.ts';
import { findClientById, type Client } from './client.ts';
import type { Engine } from './engine.ts';

/** The applications that may act for a person at present, newest first. */
export async function authorizedApplications(
  engine: Engine,
  userId: number,
): Promise<{ client: Client; scopes: string[]; authorizedAt: Date; issuedAt: Date }[]> {
  const rows = await engine.sql.rows(listAuthorizedApplications, [userId]);
  const listed = await Promise.all(
    rows.map(async (row) => {
      const client = await findClientById(engine, row.application_id);
      return client && { client, scopes: row.scopes, authorizedAt: row.authorized_at, issuedAt: row.issued_at };
    }),
  );
  return listed.filter((one) => one !== null);
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
