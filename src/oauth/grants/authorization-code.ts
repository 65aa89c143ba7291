import { digest } from '../../auth/index.ts';
import { findCode, redeemCode } from '../statements/grants.ts';
import { authenticateClient, proofOf, type ClientCredentials } from '../client.ts';
import type { Engine } from '../engine.ts';
import { invalidGrant, missingParameter } from '../errors.ts';
import { endFamily } from '../families.ts';
import { newTokens, requireGrant } from '../issue.ts';
import { challengeOf, isVerifier } from '../pkce.ts';
import { auditRefusal } from '../refusals.ts';
import type { Grant } from './grant.ts';

/**
 * Seconds in which a second use of a code by a client with PKCE is refused but revokes nothing: such a client may
 * send its request twice by mistake.
 */
const duplicateSeconds = 10;

/**
 * RFC 6749 §4.1.3 and RFC 7636 §4.5. One statement checks client, code, redirect URI and verifier, and redeems the
 * code. Only if it refuses, `refuse` checks them one by one, to report the reason.
 */
export const authorizationCode: Grant = async (engine, request) => {
  const { code, redirectUri, codeVerifier } = request;
  if (!code) throw missingParameter('code');
  // R2: the client must repeat the redirect URI, so a code intercepted at another address is useless.
  if (!redirectUri) throw missingParameter('redirect_uri');
  const proof = proofOf(request.client);
  const challenge = codeVerifier ? challengeOf(codeVerifier) : null;

  // R4: a malformed verifier gets the answer of a wrong one.
  if (!codeVerifier || isVerifier(codeVerifier, engine.profile.lenientVerifier)) {
    const tokens = newTokens(engine, true);
    const [issued] = await engine.sql.rows(redeemCode, [
      digest(code),
      proof.uid,
      redirectUri,
      challenge,
      tokens.access.digest,
      tokens.refresh!.digest,
      tokens.accessLife,
      tokens.refreshLife,
      engine.origin.address,
      engine.origin.requestId,
      proof.secretDigest,
    ]);
    if (issued) return tokens.answer(issued);
  }
  return await refuse(engine, request.client, { code, redirectUri, challenge });
};

/** Reports why a code wasn't redeemed, and revokes the tokens of a stolen one. Always throws. */
async function refuse(
  engine: Engine,
  credentials: ClientCredentials,
  use: { code: string; redirectUri: string; challenge: string | null },
): Promise<never> {
  const client = await authenticateClient(engine, credentials);
  requireGrant(engine, client, 'authorization_code');
  const [found] = await engine.sql.rows(findCode, [digest(use.code)]);
  // Treat the code of another client as unknown: reveal nothing, revoke nothing.
  const row = found?.application_id === client.id ? found : null;
  if (row && row.challenge !== null && use.challenge === null) throw missingParameter('code_verifier');
  // RFC 6749 §4.1.2: a second use revokes the tokens of the first. It counts
  // only if everything else is right; otherwise anyone who saw the code could revoke them.
  const replayed =
    row !== null && row.grant_id !== null && row.redirect_uri === use.redirectUri && row.challenge === use.challenge;
  if (replayed && (row.challenge === null || row.spent_for! > duplicateSeconds))
    await endFamily(engine, row.grant_id!, 'code_replayed');
  await auditRefusal(engine, { kind: 'code_refused', applicationId: client.id, userId: row?.user_id ?? null });
  throw invalidGrant();
}
