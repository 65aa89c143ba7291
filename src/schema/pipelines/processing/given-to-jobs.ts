import type { Context } from '../../../context.ts';
import { batchedLists } from '../../engine/batched.ts';
import { openOfJob } from './sealing.ts';
import { readJobVariables } from './statements.ts';

const lists = batchedLists(
  (context, jobs) => context.database.rows(readJobVariables, [jobs]),
  ({ jobId }: { readonly jobId: number; readonly key: string; readonly sealed: Buffer }) => jobId,
);

/** A variable that someone gave a job; its value is null if no instance key opens it. */
export interface GivenToJob {
  readonly key: string;
  readonly value: string | null;
}

/** The variables that someone gave a job when they started it; those of a page are read in one statement. */
export const givenToJob = async (context: Context, job: number): Promise<GivenToJob[]> =>
  (await lists(context, job, null)).map(({ key, sealed }) => ({
    key,
    value: openOfJob(context.keys, job, key, sealed),
  }));
