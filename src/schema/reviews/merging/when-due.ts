import type { Sql } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';

/** Tries again to merge what is to be merged by itself: at the moment that it waits for; at once, if there is none. */
export const mergeWhenDue = (sql: Sql, mergeRequestId: number, moment: Date | null): Promise<void> =>
  enqueue(sql, 'merge_due', { mergeRequestId }, { key: String(mergeRequestId), ...(moment && { runAt: moment }) });
