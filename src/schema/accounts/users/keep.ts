import type { Sql } from '../../../database/index.ts';
import { keepUser } from './statements/users.ts';

/** Locks a person so that they can't be removed until the transaction ends. @returns false if they are already */
export async function isKept(sql: Sql, userId: number): Promise<boolean> {
  return (await sql.rows(keepUser, [userId])).length > 0;
}
