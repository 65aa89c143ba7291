import type { InstanceKeys } from '../auth/index.ts';
import type { Sql } from '../database/index.ts';
import { countRefusal, writeAudit } from '../database/statements/oauth/audit.ts';
import type { Origin } from '../policy/index.ts';
import type { Profile } from './profile.ts';

/** What the engine works with. It knows neither HTTP nor GraphQL. */
export interface Engine {
  readonly sql: Sql;
  readonly keys: InstanceKeys;
  readonly profile: Profile;
  /** For the audit and for counting failures. */
  readonly origin: Origin;
}

export interface AuditEvent {
  readonly kind: string;
  readonly applicationId?: number | null;
  readonly actorId?: number | null;
  readonly userId?: number | null;
  readonly scopes?: readonly string[];
  readonly detail?: string | null;
}

/** Writes down an act that isn't written down by the statement which does it. */
export async function audit({ sql, origin }: Pick<Engine, 'sql' | 'origin'>, event: AuditEvent): Promise<void> {
  await sql.rows(writeAudit, [
    event.kind,
    event.applicationId ?? null,
    event.actorId ?? null,
    event.userId ?? null,
    event.scopes ?? [],
    origin.address,
    origin.requestId,
    event.detail ?? null,
  ]);
}

/** Counts a refusal: one row a minute for each kind, application, user and detail. */
export async function auditRefusal({ sql, origin }: Pick<Engine, 'sql' | 'origin'>, event: AuditEvent): Promise<void> {
  await sql.rows(countRefusal, [
    event.kind,
    event.applicationId ?? null,
    event.userId ?? null,
    origin.address,
    origin.requestId,
    event.detail ?? null,
  ]);
}
