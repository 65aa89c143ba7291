import type { AuditKind } from '../values/kinds/audit-kinds.ts';
import type { InstanceKeys } from '../auth/index.ts';
import type { ChangeFeed } from '../changes/index.ts';
import type { Sql } from '../database/index.ts';
import { writeAudit } from '../auth/statements/audit.ts';
import type { Origin } from '../policy/index.ts';
import type { Profile } from './profile.ts';
import type { Refusals } from './refusals.ts';

/** The dependencies of the OAuth engine, which knows neither HTTP nor GraphQL. */
export interface Engine {
  readonly sql: Sql;
  readonly keys: InstanceKeys;
  readonly profile: Profile;
  /** For the audit and for counting failures. */
  readonly origin: Origin;
  /** Counts refusals of all requests of this process. */
  readonly refusals: Refusals;
  /** Whether administrators can give their power only to applications of the instance itself. */
  readonly guardAdministrators: boolean;
  /** Whether only applications of the instance itself may use the password grant. */
  readonly keepPasswordGrant: boolean;
  /** Publishes approvals and revocations. */
  readonly changes: Pick<ChangeFeed, 'publish'>;
}

/** The person who approves or denies, and when their session was checked, by the database's clock. */
export interface Decider {
  readonly userId: number;
  readonly administrator: boolean;
  readonly checkedAt: string;
}

export interface AuditEvent {
  readonly kind: AuditKind;
  readonly applicationId?: number | null;
  readonly actorId?: number | null;
  readonly userId?: number | null;
  readonly scopes?: readonly string[];
  readonly detail?: string | null;
}

/** Writes the audit event of an act whose statement doesn't write it. */
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
