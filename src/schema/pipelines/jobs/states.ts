import type { JobState } from '../../../ci/composite.ts';
import type { Ran } from '../../../ci/durations.ts';
import type { Sql } from '../../../database/index.ts';
import { cancelableStatuses } from '../../../values/ci/statuses.ts';
import { cancelJobs, stateOfJobs, timesOfJobs } from './statements.ts';

/** What a pipeline’s status, start and coverage follow from. */
export interface States {
  readonly states: readonly JobState[];
  /** The mean, in percent; null if no job measured it. */
  readonly coverage: number | null;
  /** Of the first job that ran. */
  readonly startedAt: Date | null;
}

/** The states of the jobs of a pipeline that count: each once, however many jobs have it. */
export async function statesOf(sql: Sql, pipelineId: number): Promise<States> {
  const states = await sql.rows(stateOfJobs, [pipelineId]);
  const covered = states.reduce((sum, one) => sum + one.covered, 0);
  const coverage = states.reduce((sum, one) => sum + (one.coverage ?? 0), 0);
  const starts = states.flatMap(({ startedAt }) => (startedAt ? [+startedAt] : []));
  return {
    states,
    coverage: covered === 0 ? null : coverage / covered,
    startedAt: starts.length === 0 ? null : new Date(Math.min(...starts)),
  };
}

/** When the jobs of a pipeline that count ran. */
export const timesOf = (sql: Sql, pipelineId: number): Promise<readonly Ran[]> => sql.rows(timesOfJobs, [pipelineId]);

/** Cancels everything in a pipeline that can be, or what may be interrupted. @returns what it canceled, with the names of environments */
export const cancelJobsOf = (
  sql: Sql,
  pipelineId: number,
  onlyInterruptible = false,
): Promise<readonly { readonly id: number; readonly environment: string | null }[]> =>
  sql.rows(cancelJobs, [pipelineId, cancelableStatuses, onlyInterruptible]);
