import type { Sql } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';

/** Has a merge request that waits for a moment merged then; at once, if there is none. */
export const mergeWhenDue = (sql: Sql, mergeRequestId: number, moment: Date | null): Promise<void> =>
  enqueue(sql, 'merge_due', { mergeRequestId }, { key: String(mergeRequestId), ...(moment && { runAt: moment }) });
