import type { Sql } from '../../../database/index.ts';
import { lockAskers } from './statements.ts';

/**
 * Locks people for the rest of the transaction, before a statement of it makes them members or notes what they ask for. So of
 * two of these at once, the later one sees what the other did: no request of a member stays.
 */
export const holdAskers = async (sql: Sql, userIds: readonly number[]): Promise<void> => {
  await sql.rows(lockAskers, [userIds]);
};
