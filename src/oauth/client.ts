import { equalDigests, digest } from '../auth/index.ts';
import { findClient, findClientById as findById, findClientsByIds, type ClientRow } from './statements/clients.ts';
import type { Scope } from '../policy/index.ts';
import type { Engine } from './engine.ts';
import { invalidClient, invalidRequest } from './errors.ts';
import type { GrantType } from './profile.ts';
import { auditRefusal } from './refusals.ts';

/** A registered application, as the engine sees it. */
export interface Client {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly confidential: boolean;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly grants: readonly GrantType[];
  readonly createdAt: Date;
  /** The owner; null for an application of the instance. */
  readonly ownerId: number | null;
  /** Time of the look-up, by the database's clock. Tokens that its secret allows get this time. */
  readonly checkedAt: string;
}

export function toClient(row: ClientRow): Client {
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    confidential: row.confidential,
    redirectUris: row.redirect_uris,
    scopes: row.scopes as Scope[],
    grants: row.grant_types as GrantType[],
    createdAt: row.created_at,
    ownerId: row.owner_id,
    checkedAt: row.checked_at,
  };
}

/** The client credentials of a request, unchecked. */
export interface ClientCredentials {
  /** The `Authorization` header, if any. */
  readonly authorization?: string | null | undefined;
  readonly clientId?: string | null | undefined;
  readonly clientSecret?: string | null | undefined;
}

/** Whether a request names a client at all. */
export function namesClient({ authorization, clientId, clientSecret }: ClientCredentials): boolean {
  return isBasic(authorization) || Boolean(clientId) || Boolean(clientSecret);
}

/** The parameters for a statement that authenticates the client itself. */
export interface ClientProof {
  readonly uid: string;
  /** Null if the request had no secret. */
  readonly secretDigest: Buffer | null;
}

/**
 * The proof of a client, for statements that check it themselves. Such a statement can't report what was wrong;
 * call `authenticateClient` for that.
 * @throws OAuthError `invalid_client`, `invalid_request` for malformed credentials
 */
export function proofOf(credentials: ClientCredentials): ClientProof {
  const { id, secret } = presented(credentials);
  if (!id) throw invalidClient();
  return { uid: id, secretDigest: secret === '' ? null : digest(secret) };
}

/**
 * Client authentication: by HTTP Basic or in the body, never
 * both (RFC 6749 §2.3). A confidential client must send its secret; a public one
 * has none.
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export async function authenticateClient(engine: Engine, credentials: ClientCredentials): Promise<Client> {
  const { id, secret } = presented(credentials);
  if (!id) throw invalidClient();
  const [row] = await engine.sql.rows(findClient, [id]);
  // An unknown client costs the same work as a wrong secret.
  const proven = equalDigests(digest(secret), row?.secret_digest ?? digest(''));
  const accepted = row?.confidential ? proven && secret !== '' : secret === '';
  if (row && accepted) return toClient(row);
  await auditRefusal(engine, { kind: 'client_refused', applicationId: row?.id ?? null });
  throw invalidClient();
}

/**
 * Authenticates the client, or returns null if the request names none and the profile allows that: tokens
 * may then be issued, refreshed and revoked without an application.
 * @throws OAuthError as `authenticateClient` does
 */
export async function authenticateIfNamed(engine: Engine, credentials: ClientCredentials): Promise<Client | null> {
  return isWithoutClient(engine, credentials) ? null : await authenticateClient(engine, credentials);
}

/** The proof of the client, or null under the same condition as above. @throws OAuthError as `proofOf` does */
export function proofIfNamed(engine: Engine, credentials: ClientCredentials): ClientProof | null {
  return isWithoutClient(engine, credentials) ? null : proofOf(credentials);
}

function isWithoutClient({ profile }: Engine, credentials: ClientCredentials): boolean {
  if (namesClient(credentials)) return false;
  if (!profile.passwordWithoutClient) throw invalidClient();
  return true;
}

function presented({ authorization, clientId, clientSecret }: ClientCredentials): { id: string; secret: string } {
  if (!isBasic(authorization)) return { id: clientId ?? '', secret: clientSecret ?? '' };
  const basic = parseBasic(authorization);
  if (clientSecret) throw invalidRequest('The client must not use more than one authentication method.');
  if (clientId && clientId !== basic.id)
    throw invalidRequest('The client_id differs from the one in the Authorization header.');
  return basic;
}

const isBasic = (authorization: string | null | undefined): authorization is string =>
  authorization != null && /^basic( |$)/i.test(authorization);

/** Parses HTTP Basic (RFC 7617) with form-encoded id and secret (RFC 6749 §2.3.1). */
function parseBasic(authorization: string): { id: string; secret: string } {
  const encoded = authorization.slice('basic'.length).trim();
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw invalidClient();
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) throw invalidClient();
  try {
    const [id, secret] = [decoded.slice(0, colon), decoded.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    ) as [string, string];
    // RFC 6749 appendix A.1 and A.2: printable ASCII.
    if (/^[\x20-\x7e]*$/.test(id + secret)) return { id, secret };
  } catch {
    // Not form-encoded: refuse it like invalid base64.
  }
  throw invalidClient();
}

/** An application by its id. */
export async function findClientById({ sql }: Pick<Engine, 'sql'>, id: number): Promise<Client | null> {
  const [row] = await sql.rows(findById, [id]);
  return row ? toClient(row) : null;
}

/** Applications by their ids. */
export async function findClientsById(
  { sql }: Pick<Engine, 'sql'>,
  ids: readonly number[],
): Promise<Map<number, Client>> {
  if (ids.length === 0) return new Map();
  return new Map((await sql.rows(findClientsByIds, [ids])).map((row) => [row.id, toClient(row)]));
}
