import type { Sql } from '../../../database/index.ts';
import { keepUser } from './statements/users.ts';

/** Keeps a person from being deleted until the transaction ends. @returns false where they are deleted already */
export async function isKept(sql: Sql, userId: number): Promise<boolean> {
  return (await sql.rows(keepUser, [userId])).length > 0;
}
