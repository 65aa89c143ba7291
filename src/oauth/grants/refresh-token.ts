import { deriveSharedKeys, digest, seal, unseal } from '../../auth/index.ts';
import { findRefreshToken, rotate } from '../statements/grants.ts';
import { authenticateIfNamed, proofIfNamed, type ClientCredentials, type ClientProof } from '../client.ts';
import type { Engine } from '../engine.ts';
import { invalidGrant, invalidScope, missingParameter } from '../errors.ts';
import { endFamily } from '../families.ts';
import { newTokens, requireGrant, type IssuedTokens } from '../issue.ts';
import { auditRefusal } from '../refusals.ts';
import { parseScopes, readScopes, within } from '../scopes.ts';
import type { Grant } from './grant.ts';

/**
 * RFC 6749 §6, with rotation (RFC 9700 §4.14.2). During the reuse window the old token still returns the same
 * successor, so that a client that asks twice, or lost the answer, stays signed in. For this time the successor is
 * stored, sealed under the old token, which the server doesn't store.
 *
 * One statement checks client, token and scopes, and rotates. Only if it refuses, `refuse` checks them one by one, to
 * report the reason.
 */
export const refreshToken: Grant = async (engine, request) => {
  const presented = request.refreshToken;
  if (!presented) throw missingParameter('refresh_token');
  const proof = proofIfNamed(engine, request.client);
  const scopes = readScopes(request.scope);
  const rotated = scopes === undefined ? null : await rotateOrRepeat(engine, presented, proof, scopes);
  return rotated ?? (await refuse(engine, request.client, digest(presented), request.scope));
};

/** Rotates the token, or returns the successor of an earlier rotation; null if the statement refuses. */
async function rotateOrRepeat(
  engine: Engine,
  presented: string,
  proof: ClientProof | null,
  scopes: readonly string[] | null,
): Promise<IssuedTokens | null> {
  const presentedDigest = digest(presented);
  const sealing = deriveSharedKeys(engine.keys, 'refresh token successor', presented);
  const context = presentedDigest.toString('base64url');
  const tokens = newTokens(engine, true);
  const secrets: Successor = {
    accessToken: tokens.access.secret,
    refreshToken: tokens.refresh!.secret,
    expiresIn: tokens.accessLife,
    createdAt: Date.now(),
  };
  const [row] = await engine.sql.rows(rotate, [
    presentedDigest,
    proof?.uid ?? null,
    scopes,
    tokens.access.digest,
    tokens.refresh!.digest,
    seal(sealing[0]!, context, JSON.stringify(secrets)),
    engine.profile.refreshReuseWindow,
    tokens.accessLife,
    engine.origin.address,
    engine.origin.requestId,
    proof?.secretDigest ?? null,
  ]);
  // A repeated rotation returns the successor of the first one.
  const successor = row?.rotated ? secrets : row?.sealed && opened(unseal(sealing, context, row.sealed));
  if (!row || !successor) return null;
  const { accessToken, refreshToken, expiresIn, createdAt } = successor;
  return { accessToken, refreshToken, expiresIn, scope: row.scopes.join(' '), createdAt: new Date(createdAt) };
}

/** The sealed text: the successor pair. */
interface Successor {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds; null: never expires. */
  readonly expiresIn: number | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const opened = (text: string | null): Successor | null => (text === null ? null : (JSON.parse(text) as Successor));

/** Reports why a token wasn't rotated, and revokes the family of a stolen one. Always throws. */
async function refuse(
  engine: Engine,
  credentials: ClientCredentials,
  presented: Buffer,
  scope: string | null | undefined,
): Promise<never> {
  const client = await authenticateIfNamed(engine, credentials);
  if (client) requireGrant(engine, client, 'refresh_token');
  const scopes = parseScopes(scope);
  const [row] = await engine.sql.rows(findRefreshToken, [presented]);
  const own = row && row.application_id === (client?.id ?? null);
  const event = { applicationId: client?.id ?? null, userId: own ? row.user_id : null };
  if (own && row.live) {
    const reused = row.rotated_for !== null && row.rotated_for > engine.profile.refreshReuseWindow;
    // Asking for too many scopes spends nothing: the client may try again with fewer.
    if (!reused && scopes && !within(scopes, row.scopes)) throw invalidScope();
    if (reused) await endFamily(engine, row.grant_id, 'refresh_token_reused');
  }
  await auditRefusal(engine, { kind: 'refresh_refused', ...event });
  throw invalidGrant();
}
