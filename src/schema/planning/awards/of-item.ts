import type { Sql } from '../../../database/index.ts';
import { deleteAward, findOwnAward, insertAward, type AwardedItem } from './statements.ts';

/** Gives an emoji to an item, or takes back the one that the person gave. @param name under which it is stored */
export async function toggleAward(sql: Sql, { column, id }: AwardedItem, person: number, name: string): Promise<void> {
  const [own] = await sql.rows(findOwnAward[column], [id, person, name]);
  if (own) await sql.rows(deleteAward, [own.id, null]);
  else await sql.rows(insertAward[column][column], [id, person, name, id]);
}
