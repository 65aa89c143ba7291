import type { Sql } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { retryMerges } from './statements.ts';

/** Tries an automatic merge again: at the moment that the merge request waits for; at once, if there is none. */
export const mergeWhenDue = (sql: Sql, mergeRequestId: number, moment: Date | null): Promise<void> =>
  enqueue(sql, 'merge_due', { mergeRequestId }, { key: String(mergeRequestId), ...(moment && { runAt: moment }) });

/**
 * The same for all automatic merges of a project, after a change of what decides whether they may be made. Call it last, as
 * `enqueue`.
 */
export const mergeAllWhenDue = async (sql: Sql, projectId: number): Promise<void> => {
  await sql.rows(retryMerges, [projectId]);
};
