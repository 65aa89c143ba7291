import type { Sql } from '../../../database/index.ts';
import { countUnresolved, lockThreads } from './statements.ts';

/**
 * Changes threads of a merge request, in a transaction, and counts those that aren't resolved. One change after the other:
 * each counts what the ones before it left.
 * @param onResolved runs where the change resolved the last of them
 */
export async function changeThreads<Result>(
  sql: Sql,
  mergeRequest: number,
  change: () => Promise<Result>,
  onResolved?: () => Promise<void>,
): Promise<Result> {
  await sql.rows(lockThreads, [mergeRequest]);
  const result = await change();
  const [counted] = await sql.rows(countUnresolved, [mergeRequest]);
  if (counted?.unresolved === 0) await onResolved?.();
  return result;
}
