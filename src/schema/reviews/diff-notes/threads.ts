import type { Sql } from '../../../database/index.ts';
import { mergeWhenDue } from '../merging/when-due.ts';
import { countUnresolved, lockThreads } from './statements.ts';

/**
 * Changes threads of a merge request, in a transaction, and counts those that aren't resolved. One change after the other:
 * each counts what the ones before it left. Once the last of them is resolved, a merge that waited for it is tried again.
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
  if (counted?.unresolved === 0) {
    await onResolved?.();
    if (counted.auto_merge) await mergeWhenDue(sql, mergeRequest, counted.merge_after);
  }
  return result;
}
