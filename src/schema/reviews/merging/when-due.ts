import type { Sql } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { retryMerges } from './statements.ts';

/** Tries again to merge what is to be merged by itself: at the moment that it waits for; at once, if there is none. */
export const mergeWhenDue = (sql: Sql, mergeRequestId: number, moment: Date | null): Promise<void> =>
  enqueue(sql, 'merge_due', { mergeRequestId }, { key: String(mergeRequestId), ...(moment && { runAt: moment }) });

/**
 * The same for all of a project that are to be merged by themselves, after a change of what decides whether they may be. Call it last, as
 * `enqueue`.
 */
export const mergeAllWhenDue = async (sql: Sql, projectId: number): Promise<void> => {
  await sql.rows(retryMerges, [projectId]);
};
