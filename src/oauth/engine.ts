import type { AuditKind } from '../values/audit-kinds.ts';
import type { InstanceKeys } from '../auth/index.ts';
import type { ChangeFeed } from '../changes/index.ts';
import type { Sql } from '../database/index.ts';
import { writeAudit } from '../auth/statements/audit.ts';
import type { Origin } from '../policy/index.ts';
import type { Profile } from './profile.ts';
import type { Refusals } from './refusals.ts';

/** What the engine works with. It knows neither HTTP nor GraphQL. */
export interface Engine {
  readonly sql: Sql;
  readonly keys: InstanceKeys;
  readonly profile: Profile;
  /** For the audit and for counting failures. */
  readonly origin: Origin;
  /** Where refusals are counted, for all requests together. */
  readonly refusals: Refusals;
  /** Whether administrators can give their power only to applications of the instance itself. */
  readonly guardAdministrators: boolean;
  /** Whether only applications of the instance itself may use the password grant. */
  readonly keepPasswordGrant: boolean;
  /** ErrorResponse of what people allow, and of its end. */
  readonly changes: Pick<ChangeFeed, 'publish'>;
}

/** A person who decides, and when their session was found to count, by the database's clock. */
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
