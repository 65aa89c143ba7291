import type { Sql } from '../../../database/index.ts';
import {
  findTransfer,
  keepLabelsOfGroup,
  keepLabelsOfProject,
  keepMilestonesOfGroup,
  keepMilestonesOfProject,
  keepNamespaces,
} from './statements.ts';

/** What every move of a place does, by a person or by an import. */

/** A group and where it goes; undefined if the group was removed. @param parentId null: to the root */
export const findMove = async (sql: Sql, id: number, parentId: number | null) =>
  (await sql.rows(findTransfer, [id, parentId]))[0];

/** Locks the namespaces between which a project moves, in one order. */
export const holdNamespaces = async (sql: Sql, ids: readonly number[]) => await sql.rows(keepNamespaces, [ids]);

/** Lets what is in a group that moved keep its labels and milestones of groups that were above it. */
export async function keepPlanningOfGroup(sql: Sql, id: number): Promise<void> {
  await sql.rows(keepLabelsOfGroup, [id]);
  await sql.rows(keepMilestonesOfGroup, [id]);
}

/** The same for a project. */
export async function keepPlanningOfProject(sql: Sql, id: number): Promise<void> {
  await sql.rows(keepLabelsOfProject, [id]);
  await sql.rows(keepMilestonesOfProject, [id]);
}
