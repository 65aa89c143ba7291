import type { Sql } from '../../../database/index.ts';
import { idOf, kindOf, type ItemId } from '../notes/item.ts';
import { finishTodosAbout, insertTodo } from './statements/write.ts';

/** Marks an item as something to do for a person, unless they have done so already. @returns its id; null if there was one */
export async function addTodo(sql: Sql, item: ItemId, person: number): Promise<number | null> {
  const [made] = await sql.rows(insertTodo[kindOf(item)], [idOf(item), person]);
  return made?.id ?? null;
}

/** Marks what a person has to do about an item as done. @returns the to-dos */
export async function finishTodosOf(sql: Sql, item: ItemId, person: number): Promise<readonly number[]> {
  return (await sql.rows(finishTodosAbout[kindOf(item)], [person, idOf(item)])).map(({ id }) => id);
}
