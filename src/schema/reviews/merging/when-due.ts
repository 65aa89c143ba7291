import type { Sql } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { retryMerges, retryMergesAfter, retryMergesBelow, retryMergesOf } from './statements.ts';

/** Tries an automatic merge again: at the moment that the merge request waits for; at once, if there is none. */
export const mergeWhenDue = (sql: Sql, mergeRequestId: number, moment: Date | null): Promise<void> =>
  enqueue(sql, 'merge_due', { mergeRequestId }, { key: String(mergeRequestId), ...(moment && { runAt: moment }) });

/**
 * The same for all automatic merges of a project, after a change of what decides whether they may be made. Call it last, as
 * `enqueue`.
 */
export const mergeAllWhenDue = async (sql: Sql, projectId: number): Promise<void> => {
  await sql.rows(retryMerges, [projectId]);
};

/** The same for those of the projects in and below a group, after a change of who has which role there. */
export const mergeAllBelow = async (sql: Sql, groupId: number): Promise<void> => {
  await sql.rows(retryMergesBelow, [groupId]);
};

/** The same for those that some people asked for, after a change of what these may do. */
export const mergeAllOf = async (sql: Sql, userIds: readonly number[]): Promise<void> => {
  await sql.rows(retryMergesOf, [userIds]);
};

/** The same for those that wait for a pipeline, after it ended. */
export const mergeAllAfter = async (sql: Sql, pipelineId: number): Promise<void> => {
  await sql.rows(retryMergesAfter, [pipelineId]);
};
