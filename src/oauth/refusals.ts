import type { Sql } from '../database/index.ts';
import { countRefusal } from '../database/statements/oauth/audit.ts';
import { tallies } from '../tally.ts';
import type { Engine } from './engine.ts';

/** Something refused. What is the same of two of them shares a row for a minute. */
export interface Refusal {
  readonly kind: string;
  readonly applicationId?: number | null;
  readonly userId?: number | null;
  readonly detail?: string | null;
}

/** How many came while one of their like was being written, by what they share. */
const waiting = new WeakMap<Sql, Map<string, number>>();

/**
 * Counts a refusal: one row a minute for each kind, application, user and detail.
 * While a row is being written others like it are only added up, so that a flood
 * occupies one connection and not all of them.
 */
export async function auditRefusal({ sql, origin }: Pick<Engine, 'sql' | 'origin'>, refusal: Refusal): Promise<void> {
  const { kind, applicationId = null, userId = null, detail = null } = refusal;
  tallies.refusals.count(kind);
  const underWay = waiting.get(sql) ?? new Map<string, number>();
  waiting.set(sql, underWay);
  const key = [kind, applicationId, userId, detail].join(' ');
  const others = underWay.get(key);
  if (others !== undefined) return void underWay.set(key, others + 1);

  underWay.set(key, 0);
  const write = (count: number) =>
    sql.rows(countRefusal, [kind, applicationId, userId, origin.address, origin.requestId, detail, count]);
  try {
    await write(1);
  } finally {
    const more = underWay.get(key)!;
    underWay.delete(key);
    // Nobody waits for these, and nobody is told when they can't be written.
    if (more > 0) void write(more).catch(() => undefined);
  }
}
