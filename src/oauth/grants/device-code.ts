import { digest } from '../../auth/index.ts';
import { completeDevice, pollDevice } from '../statements/devices.ts';
import { authenticateClient } from '../client.ts';
import {
  accessDenied,
  authorizationPending,
  expiredToken,
  invalidGrant,
  missingParameter,
  slowDown,
} from '../errors.ts';
import { newTokens, refreshes, requireGrant } from '../issue.ts';
import { deviceCode as grantType } from '../profile.ts';
import type { Grant } from './grant.ts';

/** RFC 8628 §3.4 and §3.5. */
export const deviceCode: Grant = async (engine, request) => {
  if (!request.deviceCode) throw missingParameter('device_code');
  const client = await authenticateClient(engine, request.client);
  requireGrant(engine, client, grantType);
  const presented = digest(request.deviceCode);
  const tokens = newTokens(engine, refreshes(engine, client));
  const [issued] = await engine.sql.rows(completeDevice, [
    presented,
    client.id,
    tokens.access.digest,
    tokens.refresh?.digest ?? null,
    tokens.accessLife,
    tokens.refreshLife,
    engine.origin.address,
    engine.origin.requestId,
  ]);
  if (issued) return tokens.answer(issued);

  const [polled] = await engine.sql.rows(pollDevice, [presented, client.id]);
  if (!polled || polled.redeemed) throw invalidGrant();
  if (polled.approved === false) throw accessDenied();
  if (polled.expired) throw expiredToken();
  // Approved, but no tokens: the person was blocked, or the authorization revoked, since the approval.
  if (polled.approved) throw invalidGrant();
  throw polled.hasty ? slowDown() : authorizationPending();
};
