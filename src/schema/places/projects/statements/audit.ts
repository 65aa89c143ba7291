import type { AuditKindSql } from '../../../../auth/statements/audit.ts';

/** The audit event of a change of a project. $n kind, actor, address, request id. */
export const auditOf = (from: string, kind: AuditKindSql, actor: string, address: string, requestId: string) =>
  `insert into audit_events (kind, actor_id, scopes, address, request_id, detail)
   select ${kind}, ${actor}::int, '{}', ${address}, ${requestId}, ${from}.full_path from ${from}`;
