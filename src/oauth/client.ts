import { equalDigests, digest } from '../auth/index.ts';
import { findClient, findClientById as findById, type ClientRow } from './statements/clients.ts';
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
  /** The person it belongs to; null for one of the instance, which an administrator registered for everyone. */
  readonly ownerId: number | null;
  /** When it was looked up, by the database's clock: what its secret allows is dated from then. */
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

/** What a request presented for its client, as it came. */
export interface ClientCredentials {
  /** The value of the `Authorization` header, if there was one. */
  readonly authorization?: string | null | undefined;
  readonly clientId?: string | null | undefined;
  readonly clientSecret?: string | null | undefined;
}

/** Whether a request names a client at all. */
export function namesClient({ authorization, clientId, clientSecret }: ClientCredentials): boolean {
  return isBasic(authorization) || Boolean(clientId) || Boolean(clientSecret);
}

/** What a statement needs in order to authenticate a client itself. */
export interface ClientProof {
  readonly uid: string;
  /** Null where none came. */
  readonly secretDigest: Buffer | null;
}

/**
 * What a request proves its client by, for statements that look at it themselves. They
 * don't say what was wrong: for that, `authenticateClient` is asked.
 * @throws OAuthError `invalid_client`, `invalid_request` for what can't be a proof
 */
export function proofOf(credentials: ClientCredentials): ClientProof {
  const { id, secret } = presented(credentials);
  if (!id) throw invalidClient();
  return { uid: id, secretDigest: secret === '' ? null : digest(secret) };
}

/**
 * The client that a request authenticates: by HTTP Basic or in the body, never
 * both (RFC 6749 §2.3). A confidential one proves its secret, a public one has
 * none to prove.
 * @throws OAuthError `invalid_client`, `invalid_request`
 */
export async function authenticateClient(engine: Engine, credentials: ClientCredentials): Promise<Client> {
  const { id, secret } = presented(credentials);
  if (!id) throw invalidClient();
  const [row] = await engine.sql.rows(findClient, [id]);
  // The same work for an unknown client as for a wrong secret.
  const proven = equalDigests(digest(secret), row?.secret_digest ?? digest(''));
  const accepted = row?.confidential ? proven && secret !== '' : secret === '';
  if (row && accepted) return toClient(row);
  await auditRefusal(engine, { kind: 'client_refused', applicationId: row?.id ?? null });
  throw invalidClient();
}

/**
 * The client that a request authenticates, or null where it names none: what was got without
 * an application is used without one, where that is allowed at all.
 * @throws OAuthError as `authenticateClient` does
 */
export async function authenticateIfNamed(engine: Engine, credentials: ClientCredentials): Promise<Client | null> {
  return goesWithout(engine, credentials) ? null : await authenticateClient(engine, credentials);
}

/** The same of its proof. @throws OAuthError as `proofOf` does */
export function proofIfNamed(engine: Engine, credentials: ClientCredentials): ClientProof | null {
  return goesWithout(engine, credentials) ? null : proofOf(credentials);
}

function goesWithout({ profile }: Engine, credentials: ClientCredentials): boolean {
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

/** RFC 7617, and RFC 6749 §2.3.1 for the form-encoding inside. */
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
    // No form-encoding: refused like what doesn't decode at all.
  }
  throw invalidClient();
}

/** An application that something refers to. */
export async function findClientById({ sql }: Pick<Engine, 'sql'>, id: number): Promise<Client | null> {
  const [row] = await sql.rows(findById, [id]);
  return row ? toClient(row) : null;
}
