import type { AuditKind } from '../values/kinds/audit-kinds.ts';
import { endGrant } from './statements/grants.ts';
import { counters } from '../counters.ts';
import type { Engine } from './engine.ts';

/** Why a token family was revoked: the kind of its audit event. */
type Reason = Extract<AuditKind, 'token_revoked' | 'code_replayed' | 'refresh_token_reused'>;

/**
 * Revokes a token family: every token that was issued under one consent. Only the first call writes
 * an audit event.
 */
export async function endFamily(
  { sql, origin, changes }: Engine,
  grantId: number,
  why: Reason,
  scopes: readonly string[] = [],
): Promise<void> {
  const [ended] = await sql.rows(endGrant, [grantId, why, scopes, origin.address, origin.requestId]);
  if (ended?.user_id != null)
    changes.publish({ personId: ended.user_id, subject: 'AUTHORIZATION', id: ended.application_id, act: 'REVOKED' });
  if (ended) counters.tokensRevoked.count(why);
}
