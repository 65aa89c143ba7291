import type { Sql } from '../../../database/index.ts';
import { areRelated, comesFrom } from './statements.ts';

/** Whether one project is a fork of the other, or both of a third one; directly or not. */
export async function isRelated(database: Sql, one: number, other: number): Promise<boolean> {
  const [row] = await database.rows(areRelated, [one, other]);
  return row!.related;
}

/** Whether a project was forked from another, directly or not, or is that one. */
export async function isForkOf(database: Sql, fork: number, source: number): Promise<boolean> {
  const [row] = await database.rows(comesFrom, [fork, source]);
  return row!.related;
}
