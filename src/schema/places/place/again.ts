import type { Database, Sql } from '../../../database/index.ts';
import { findRoots, lockOfTrees } from '../../../database/access/trees.ts';
import { Unavailable } from '../../../errors.ts';

/** What a transaction returns if a concurrent one moved what it locked: it did nothing, and is tried again. */
export const again = Symbol('again');

/** More attempts than concurrent moves of one place are likely. */
const maxAttempts = 20;

/** Runs a transaction until it no longer returns `again`. @throws Unavailable */
export async function untilSettled<T>(
  database: Pick<Database, 'transaction'>,
  work: (sql: Sql) => Promise<T | typeof again>,
): Promise<T> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const done = await database.transaction(work);
    if (done !== again) return done;
  }
  throw new Unavailable();
}

/**
 * Runs a transaction that has locked the trees of some groups (decision 0014). `shared`: no path in them changes
 * meanwhile; `exclusive`: nothing is added either. While it waits for a lock, a group may be transferred to another tree;
 * then it begins again, so that locks are always taken in the same order.
 * @throws Unavailable
 */
export async function inTrees<T>(
  database: Pick<Database, 'transaction'>,
  groups: readonly number[],
  kind: keyof typeof lockOfTrees,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  if (groups.length === 0) return await database.transaction(work);
  return await untilSettled(database, async (sql) => {
    const locked = await sql.rows(lockOfTrees[kind], [groups]);
    const roots = await sql.rows(findRoots, [groups]);
    const isSame = locked.length === roots.length && locked.every(({ root }, index) => root === roots[index]!.root);
    return isSame ? await work(sql) : again;
  });
}
