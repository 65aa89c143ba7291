import type { AuditKind } from '../../values/kinds/audit-kinds.ts';
import { statement } from '../../database/index.ts';

/** SQL for a kind of audit event: a literal, a parameter, or a `case`. */
export type AuditKindSql = `'${AuditKind}'` | `$${number}` | `$${number}::text` | `case when ${string} end`;

/** SQL literal for a kind. */
export const auditKind = (of: AuditKind): `'${AuditKind}'` => `'${of}'`;

/** SQL for one of two kinds. */
export const auditKindIf = (condition: string, then: AuditKind, otherwise: AuditKind): AuditKindSql =>
  `case when ${condition} then '${then}' else '${otherwise}' end`;

/**
 * SQL that inserts an audit row. It is a part of the statement that issues, changes or revokes something, so that
 * nothing happens without an audit row.
 * @param from the CTE to select the row from, as `x`; it has application_id, user_id and scopes
 * @param more SQL for the actor (default: the user of the row) and for a detail
 */
export const auditFrom = (
  from: string,
  kind: AuditKindSql,
  address: string,
  requestId: string,
  { actor = 'x.user_id', detail = 'null' }: { actor?: string; detail?: string } = {},
) => `
  insert into audit_events (kind, application_id, actor_id, user_id, scopes, address, request_id, detail)
  select ${kind}, x.application_id, ${actor}, x.user_id, x.scopes, ${address}, ${requestId}, ${detail} from ${from} x`;

/** Adds an audit row. $1 kind, $2 application, $3 actor, $4 user, $5 scopes, $6 address, $7 request id, $8 detail. */
export const writeAudit = statement<object>(
  'write_audit',
  `insert into audit_events (kind, application_id, actor_id, user_id, scopes, address, request_id, detail)
   values ($1, $2, $3, $4, $5::text[], $6, $7, $8)`,
);

/**
 * Counts refusals: one row a minute for each kind, application and user, so
 * that they can't fill the disk. $1 kind, $2 application, $3 user, $4 address,
 * $5 request id, $6 detail, $7 how many.
 */
export const countRefusal = statement<object>(
  'count_refusal',
  `insert into audit_events (kind, application_id, user_id, scopes, address, request_id, detail, count, minute_key)
   values ($1::text, $2::int, $3::int, '{}', $4, $5, $6::text, $7,
           concat_ws(' ', $1::text, coalesce($2::int, 0), coalesce($3::int, 0), $6::text,
                     to_char(now() at time zone 'utc', 'YYYY-MM-DD HH24:MI')))
   on conflict (minute_key) do update set
     count = audit_events.count + excluded.count, address = excluded.address, request_id = excluded.request_id`,
);

/** The kinds of the last ten thousand events. */
export const recentKinds = statement<{ kind: string }>(
  'recent_audit_kinds',
  `select distinct kind from (select kind from audit_events order by id desc limit 10000) recent order by kind`,
);
