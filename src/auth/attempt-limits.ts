import type { Sql } from '../database/index.ts';
import { countAttempt, forgiveAttempt } from './statements/attempts.ts';

/** How many attempts a counter bears, and for how many seconds it counts. */
interface Bound {
  readonly most: number;
  readonly seconds: number;
}

/** Counters by their keys. */
export type Bounds = Readonly<Record<string, Bound>>;

/** What came of it, with how often each counter has counted by now; or for how many seconds nothing more is tried. */
export type Tried<T> =
  | { readonly found: T | null; readonly counts: Readonly<Record<string, number>> }
  | { readonly retryAfter: number; readonly full: readonly string[] };

/**
 * Tries something that must not be tried too often: counted before it is evaluated,
 * so that none of many at once slips through, and taken back when it was right.
 * @param attempt null where what was tried is wrong
 */
export async function bounded<T>(sql: Sql, bounds: Bounds, attempt: () => Promise<T | null>): Promise<Tried<T>> {
  const keys = Object.keys(bounds).toSorted();
  const rows = await sql.rows(countAttempt, [keys, keys.map((key) => bounds[key]!.seconds)]);
  const full = rows.filter(({ key, count }) => count > bounds[key]!.most);
  if (full.length > 0) {
    // Not evaluated, and so not counted either.
    await sql.rows(forgiveAttempt, [keys]);
    return { retryAfter: Math.max(...full.map(({ seconds_left: left }) => left), 1), full: full.map(({ key }) => key) };
  }
  const found = await attempt();
  if (found !== null) await sql.rows(forgiveAttempt, [keys]);
  return { found, counts: Object.fromEntries(rows.map(({ key, count }) => [key, count])) };
}

/**
 * Counts something that is allowed so often and no more.
 * @returns null, or for how many seconds it isn't
 */
export async function countAgainst(sql: Sql, bounds: Bounds): Promise<number | null> {
  const tried = await bounded(sql, bounds, () => Promise.resolve(null));
  return 'retryAfter' in tried ? tried.retryAfter : null;
}
