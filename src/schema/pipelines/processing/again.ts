import { isItsTurn, laterThan } from '../../../ci/progress.ts';
import type { Database, Sql } from '../../../database/index.ts';
import { Conflict } from '../../../errors.ts';
import { stopsBy } from '../environments/stop.ts';
import { lockPipelineById, type LockedPipeline } from '../pipelines/open.ts';
import { lockPipelineOfJob } from './lock.ts';
import { processPipeline } from './process.ts';
import {
  enqueueCiJob,
  enqueueDue,
  findRetryable,
  findSkipped,
  findTurns,
  forgetJobVariables,
  repeatJobs,
  resetSkipped,
  storeJobVariables,
  unscheduleCiJob,
} from './statements.ts';

/** Starting jobs because someone says so, or because it is time. */

interface Of {
  readonly database: Pick<Database, 'transaction'>;
}

/** The job can’t be started like that any more: someone else was faster, or it never could. */
export class NotStartable extends Conflict {}

/** A variable that someone gives a job, sealed. */
export interface SealedVariable {
  readonly key: string;
  readonly sealed: Buffer;
}

/**
 * Makes a new job in place of one that has finished, and has what was skipped after it wait for its turn again. It waits
 * for a runner at once, unless something that it comes after goes on.
 * @param seal the variables for the new job
 * @returns the new job
 * @throws NotStartable
 */
export const retryJob = (
  { database }: Of,
  jobId: number,
  actorId: number,
  seal?: (jobId: number) => readonly SealedVariable[],
): Promise<number> =>
  database.transaction(async (sql) => {
    const pipeline = await lockedOf(sql, jobId);
    if (!(await finished(sql, pipeline, jobId))) throw new NotStartable('Job is not retryable');
    return await repeat(sql, pipeline, jobId, actorId, seal);
  });

/** Whether a job has run, and counts. */
const finished = async (sql: Sql, pipeline: LockedPipeline, jobId: number): Promise<boolean> =>
  (await sql.rows(findTurns, [pipeline.id])).some(
    ({ id, status }) => id === jobId && ['success', 'failed', 'canceled'].includes(status),
  );

async function repeat(
  sql: Sql,
  pipeline: LockedPipeline,
  jobId: number,
  actorId: number | null,
  seal?: (jobId: number) => readonly SealedVariable[],
): Promise<number> {
  const [made] = await sql.rows(repeatJobs, [[jobId], actorId]);
  if (seal) await storeSealed(sql, made!.id, seal(made!.id));
  await startAgain(sql, pipeline, made!.id, actorId);
  return made!.id;
}

/**
 * Has a job that waits for a person, or for its time, wait for a runner.
 * @throws NotStartable
 */
export const playJob = (
  { database }: Of,
  jobId: number,
  actorId: number,
  variables: readonly SealedVariable[] = [],
): Promise<void> =>
  database.transaction(async (sql) => {
    const pipeline = await lockedOf(sql, jobId);
    await playIn(sql, pipeline, jobId, actorId, variables);
  });

/** @param actorId null: no one, so that the job stays that of the person who made it. @throws NotStartable */
async function playIn(
  sql: Sql,
  pipeline: LockedPipeline,
  jobId: number,
  actorId: number | null,
  variables: readonly SealedVariable[],
): Promise<void> {
  const jobs = await sql.rows(findTurns, [pipeline.id]);
  const job = jobs.find(({ id }) => id === jobId);
  const isAction = job?.when === 'manual' || job?.when === 'delayed';
  if (!isAction || !['manual', 'scheduled', 'skipped'].includes(job.status)) throw new NotStartable('Unplayable Job');
  if (variables.length > 0) {
    await sql.rows(forgetJobVariables, [jobId]);
    await storeSealed(sql, jobId, variables);
  }
  await sql.rows(enqueueCiJob, [jobId, actorId]);
  await resetAfter(sql, jobId, jobs);
  await processPipeline(sql, pipeline, actorId);
}

/** Stopping an environment starts the job that stops it, again if it ran before. */
stopsBy(async (sql, { id }, actorId) => {
  const pipeline = await lockedOf(sql, id);
  try {
    if (await finished(sql, pipeline, id)) await repeat(sql, pipeline, id, actorId);
    else await playIn(sql, pipeline, id, actorId, []);
    return true;
  } catch (error) {
    if (error instanceof NotStartable) return false;
    throw error;
  }
});

/** Tries everything of a pipeline again that failed or was canceled, and what was skipped for that. */
export const retryPipeline = (
  { database }: Of,
  { id, projectId }: Pick<LockedPipeline, 'id' | 'projectId'>,
  actorId: number,
): Promise<void> =>
  database.transaction(async (sql) => {
    const pipeline = await lockPipelineById(sql, projectId, id);
    if (!pipeline) return;
    const retryable = await sql.rows(findRetryable, [id]);
    if (retryable.length === 0) return;
    const skipped = await sql.rows(findSkipped, [id]);
    await sql.rows(repeatJobs, [retryable.map((one) => one.id), actorId]);
    await sql.rows(resetSkipped, [skipped.map((one) => one.id)]);
    await processPipeline(sql, pipeline, actorId);
  });

/** The job `start_delayed_job`: starts a delayed job whose time has come, if it still waits. */
export const startDelayedJob = (database: Of['database'], jobId: number): Promise<void> =>
  database.transaction(async (sql) => {
    const pipeline = await lockPipelineOfJob(sql, jobId);
    if (!pipeline) return;
    const [due] = await sql.rows(enqueueDue, [jobId]);
    if (due) await processPipeline(sql, pipeline, null);
  });

/**
 * Has a delayed job wait for a person, so that it doesn’t start by itself.
 * @returns whether it waited for its time
 */
export const unscheduleJob = ({ database }: Of, jobId: number, actorId: number | null): Promise<boolean> =>
  database.transaction(async (sql) => {
    const pipeline = await lockPipelineOfJob(sql, jobId);
    if (!pipeline) return false;
    const [unscheduled] = await sql.rows(unscheduleCiJob, [jobId]);
    if (unscheduled) await processPipeline(sql, pipeline, actorId);
    return unscheduled !== undefined;
  });

/** @throws NotStartable */
async function lockedOf(sql: Sql, jobId: number): Promise<LockedPipeline> {
  const pipeline = await lockPipelineOfJob(sql, jobId);
  if (!pipeline) throw new NotStartable('The job is gone.');
  return pipeline;
}

const storeSealed = (sql: Sql, jobId: number, variables: readonly SealedVariable[]) =>
  variables.length === 0
    ? undefined
    : sql.rows(storeJobVariables, [jobId, variables.map(({ key }) => key), variables.map(({ sealed }) => sealed)]);

/** Starts a job that was made again, if nothing before it goes on. */
async function startAgain(sql: Sql, pipeline: LockedPipeline, jobId: number, actorId: number | null): Promise<void> {
  const jobs = await sql.rows(findTurns, [pipeline.id]);
  const job = jobs.find(({ id }) => id === jobId)!;
  await resetAfter(sql, jobId, jobs);
  if (isItsTurn(job, jobs)) await sql.rows(enqueueCiJob, [jobId, actorId]);
  await processPipeline(sql, pipeline, actorId);
}

/** Has what was skipped after a job wait for its turn again. */
async function resetAfter(
  sql: Sql,
  jobId: number,
  jobs: readonly (Parameters<typeof laterThan>[0] & { readonly id: number })[],
): Promise<void> {
  const later = laterThan(
    jobs.find(({ id }) => id === jobId)!,
    jobs,
  );
  const skipped = later.filter(({ status }) => status === 'skipped').map(({ id }) => id);
  if (skipped.length > 0) await sql.rows(resetSkipped, [skipped]);
}
