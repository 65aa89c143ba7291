import type { AuditKind } from '../../../../values/kinds/audit-kinds.ts';
import type { Context } from '../../../../context.ts';
import { audit } from '../../../../oauth/index.ts';
import { engineOf } from '../../../access/oauth/engine.ts';

/** Writes an audit event for an action on an account. @param detail nothing secret */
export async function auditUser(
  context: Context,
  kind: AuditKind,
  userId: number,
  detail: string | null = null,
): Promise<void> {
  await audit(engineOf(context), { kind, actorId: context.viewer.person?.id ?? null, userId, detail });
}
