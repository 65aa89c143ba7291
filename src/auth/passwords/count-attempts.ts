import type { Sql } from '../../database/index.ts';
import { countAttempt, forgiveAttempt } from '../statements/attempts.ts';

/** How many attempts a counter allows within its seconds. */
interface Bound {
  readonly most: number;
  readonly seconds: number;
}

/** Counters by their keys. */
export type Bounds = Readonly<Record<string, Bound>>;

/**
 * The result with the present counts; or, over the limit, the seconds until another attempt is evaluated and the
 * counters that are full.
 */
export type Tried<T> =
  | { readonly found: T | null; readonly counts: Readonly<Record<string, number>> }
  | { readonly retryAfter: number; readonly full: readonly string[] };

/**
 * Evaluates an attempt under a rate limit. It counts the attempt first, so that concurrent attempts can't exceed
 * the limit, and takes the count back if the attempt succeeds.
 * @param attempt returns null if the attempt failed
 */
export async function bounded<T>(sql: Sql, bounds: Bounds, attempt: () => Promise<T | null>): Promise<Tried<T>> {
  const keys = Object.keys(bounds).toSorted();
  const rows = await sql.rows(countAttempt, [keys, keys.map((key) => bounds[key]!.seconds)]);
  const full = rows.filter(({ key, count }) => count > bounds[key]!.most);
  if (full.length > 0) {
    // Not evaluated, so not counted.
    await sql.rows(forgiveAttempt, [keys]);
    return { retryAfter: Math.max(...full.map(({ seconds_left: left }) => left), 1), full: full.map(({ key }) => key) };
  }
  const found = await attempt();
  if (found !== null) await sql.rows(forgiveAttempt, [keys]);
  return { found, counts: Object.fromEntries(rows.map(({ key, count }) => [key, count])) };
}

/**
 * Counts an act that has a rate limit.
 * @returns null if the act is allowed, otherwise the seconds until it is
 */
export async function countAgainst(sql: Sql, bounds: Bounds): Promise<number | null> {
  const tried = await bounded(sql, bounds, () => Promise.resolve(null));
  return 'retryAfter' in tried ? tried.retryAfter : null;
}
