import type { Sql } from '../../../database/index.ts';
import { deleteAward, findOwnAward, insertAward } from './statements.ts';

/** Gives an emoji to an issue, or takes back the one that the person gave. @param name under which it is stored */
export async function toggleAward(sql: Sql, issue: number, person: number, name: string): Promise<void> {
  const [own] = await sql.rows(findOwnAward.issue_id, [issue, person, name]);
  if (own) await sql.rows(deleteAward, [own.id, null]);
  else await sql.rows(insertAward.issue_id, [issue, person, name, issue]);
}
