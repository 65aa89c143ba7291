import type { Context } from '../../../context.ts';
import { cancelSuperfluousJobs } from '../processing/cancel.ts';
import { findSuperfluous } from './statements.ts';

/**
 * Cancels older pipelines of a branch that a new one makes superfluous, as far as their configuration lets it. Not in the transaction that makes the new one: no one holds two pipelines at a time.
 */
export async function cancelSuperfluous(
  { database }: Pick<Context, 'database'>,
  projectId: number,
  newer: number,
  actorId: number | null,
): Promise<void> {
  for (const { id } of await database.rows(findSuperfluous, [newer]))
    await cancelSuperfluousJobs({ database }, projectId, id, actorId);
}
