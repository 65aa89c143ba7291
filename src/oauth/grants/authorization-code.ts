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
 * A doubled request of a client that proves itself by PKCE must not kill its own
 * twin: within so many seconds a second use is refused and revokes nothing.
 */
const twinSeconds = 10;

/**
 * RFC 6749 §4.1.3 and RFC 7636 §4.5. Client, code, address and verifier are checked by the
 * statement that redeems the code; only a refusal takes the steps one by one.
 */
export const authorizationCode: Grant = async (engine, request) => {
  const { code, redirectUri, codeVerifier } = request;
  if (!code) throw missingParameter('code');
  // R2: the redirect URI is repeated, so a code caught on another address is worth nothing.
  if (!redirectUri) throw missingParameter('redirect_uri');
  const proof = proofOf(request.client);
  const challenge = codeVerifier ? challengeOf(codeVerifier) : null;

  // R4. A verifier that can't be one is refused like a wrong one.
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

/** Says why a code wasn't redeemed, and ends what a stolen one brought. Always throws. */
async function refuse(
  engine: Engine,
  credentials: ClientCredentials,
  use: { code: string; redirectUri: string; challenge: string | null },
): Promise<never> {
  const client = await authenticateClient(engine, credentials);
  requireGrant(engine, client, 'authorization_code');
  const [found] = await engine.sql.rows(findCode, [digest(use.code)]);
  // Of another client's code nothing is told, and nothing comes of it.
  const row = found?.application_id === client.id ? found : null;
  if (row && row.challenge !== null && use.challenge === null) throw missingParameter('code_verifier');
  // RFC 6749 §4.1.2: a second use revokes what the first brought. It counts as a use
  // only if everything about it is right; otherwise anyone who saw the code could.
  const replayed =
    row !== null && row.grant_id !== null && row.redirect_uri === use.redirectUri && row.challenge === use.challenge;
  if (replayed && (row.challenge === null || row.spent_for! > twinSeconds))
    await endFamily(engine, row.grant_id!, 'code_replayed');
  await auditRefusal(engine, { kind: 'code_refused', applicationId: client.id, userId: row?.user_id ?? null });
  throw invalidGrant();
}
