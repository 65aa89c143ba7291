import type { Sql } from '../../../database/index.ts';
import { finishAllTodos, insertTodo } from './statements/write.ts';

/** Marks an issue as something to do for a person, unless they have done so already. */
export async function addTodo(sql: Sql, issue: number, person: number): Promise<void> {
  await sql.rows(insertTodo, [issue, person]);
}

/** Marks what a person has to do about an issue as done. */
export async function finishTodosOf(sql: Sql, issue: number, person: number): Promise<void> {
  await sql.rows(finishAllTodos, [person, issue]);
}
