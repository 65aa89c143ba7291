import type { Sql } from '../../../../database/index.ts';
import { keepUser } from '../statements/users.ts';

/**
 * Locks a person so that they can't be removed until the transaction ends.
 * @returns whether they may create groups at the root; undefined if they are removed already
 */
export async function keepGroupMaker(sql: Sql, userId: number): Promise<boolean | undefined> {
  const [kept] = await sql.rows(keepUser, [userId]);
  return kept?.makes_groups;
}
