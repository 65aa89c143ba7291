import type { AuditKind } from '../values/kinds/audit-kinds.ts';
import type { Sql } from '../database/index.ts';
import { countRefusal } from '../auth/statements/audit.ts';
import type { Origin } from '../policy/index.ts';
import { counters } from '../counters.ts';

/** A refusal. Equal refusals share a row for a minute. */
export interface Refusal {
  readonly kind: AuditKind;
  readonly applicationId?: number | null;
  readonly userId?: number | null;
  readonly detail?: string | null;
}

/**
 * Counts the refusals of all requests of a process: one row a minute for each kind,
 * application, user and detail. While a row is being written, equal refusals are only counted in memory, so that a
 * flood uses one database connection and not all of them.
 */
export class Refusals {
  readonly #sql: Sql;
  /** Refusals that came while an equal one was being written, by key. */
  readonly #underWay = new Map<string, number>();

  /** @param sql of the process, not of a request: it also writes the refusals of other requests */
  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async count(
    { kind, applicationId = null, userId = null, detail = null }: Refusal,
    { address, requestId }: Origin,
  ): Promise<void> {
    counters.refusals.count(kind);
    const key = JSON.stringify([kind, applicationId, userId, detail]);
    const others = this.#underWay.get(key);
    if (others !== undefined) return void this.#underWay.set(key, others + 1);

    this.#underWay.set(key, 0);
    const write = (count: number) =>
      this.#sql.rows(countRefusal, [kind, applicationId, userId, address, requestId, detail, count]);
    try {
      await write(1);
    } finally {
      const more = this.#underWay.get(key)!;
      this.#underWay.delete(key);
      // In the background: no request waits for these, and a failed write is ignored.
      if (more > 0) void write(more).catch(() => undefined);
    }
  }
}

/** Counts a refusal for the audit, with the origin of a request. */
export const auditRefusal = (
  { refusals, origin }: { readonly refusals: Refusals; readonly origin: Origin },
  refusal: Refusal,
): Promise<void> => refusals.count(refusal, origin);
