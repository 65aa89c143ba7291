import type { Context } from '../../../context.ts';
import type { Database, Sql } from '../../../database/index.ts';
import { failureReasons, type FailureReason } from '../../../values/ci/failure-reasons.ts';
import { cancelableStatuses, type CiStatus } from '../../../values/ci/statuses.ts';
import { settleDeployment } from '../deployments/of-jobs.ts';
import { cancelIn } from './cancel.ts';
import { coverageOf } from './coverage.ts';
import { lockPipelineOfJob } from './lock.ts';
import { processPipeline } from './process.ts';
import { endJob, lockEnding, repeatJobs, type EndingRow } from './statements.ts';

/** How a job ended. */
export interface Outcome {
  readonly status: 'success' | 'failed' | 'canceled';
  /** Of a failure: unknown ones become `unknown_failure`. */
  readonly failureReason?: string | null;
  readonly exitCode?: number | null;
  /** In percent; undefined: its expression finds it in the log. */
  readonly coverage?: number | null;
  /** Where people see what it has deployed. */
  readonly address?: string | undefined;
}

/**
 * Ends a job that runs, as its runner says: starts what comes after it, and a new one in its place if its configuration
 * says `retry`. An outcome counts once: a second one changes nothing.
 */
export async function finishJob(
  context: Pick<Context, 'database' | 'files'>,
  jobId: number,
  outcome: Outcome,
): Promise<'finished' | 'not running'> {
  const coverage = outcome.coverage === undefined ? await coverageOf(context, jobId) : outcome.coverage;
  const ended = await context.database.transaction((sql) =>
    endJobIn(sql, jobId, { ...outcome, coverage }, ['running']),
  );
  return ended ? 'finished' : 'not running';
}

/** Cancels a job that hasn’t finished. False, and nothing changes, for one that has. */
export const cancelJob = (
  { database }: { readonly database: Pick<Database, 'transaction'> },
  jobId: number,
  actorId: number | null,
): Promise<boolean> =>
  database.transaction((sql) =>
    endJobIn(sql, jobId, { status: 'canceled' }, [...cancelableStatuses, 'canceling'], actorId),
  );

/**
 * Ends a job in a transaction.
 * @param from the statuses that it may have now
 * @returns whether it had one of them
 */
export async function endJobIn(
  sql: Sql,
  jobId: number,
  { status, failureReason, exitCode = null, coverage = null, address }: Outcome,
  from: readonly CiStatus[],
  actorId: number | null = null,
): Promise<boolean> {
  const pipeline = await lockPipelineOfJob(sql, jobId);
  if (!pipeline) return false;
  const [job] = await sql.rows(lockEnding, [jobId]);
  if (!job || !from.includes(job.status)) return false;
  const reason = status === 'failed' ? knownReason(failureReason) : null;
  const isAllowed = status === 'failed' && exitCode !== null && job.exitCodes.includes(exitCode);
  await sql.rows(endJob, [jobId, status, reason, exitCode, coverage, isAllowed, from]);
  if (job.environment !== null) await settleDeployment(sql, { id: jobId, status, url: address });
  const again = reason !== null && isTriedAgain(job, reason, exitCode);
  if (again) await sql.rows(repeatJobs, [[jobId], null]);
  const counts = status === 'failed' && !again && !job.retried && !isAllowed && !job.allowFailure;
  if (counts && job.cancelsRest) await cancelIn(sql, pipeline.id, 'all');
  await processPipeline(sql, pipeline, actorId);
  return true;
}

const knownReason = (given: string | null | undefined): FailureReason =>
  failureReasons.find((one) => one === given) ?? 'unknown_failure';

/** Reasons for which another try would do no better, or should not be made. */
const lasting: readonly FailureReason[] = ['forward_deployment_failure', 'environment_creation_failure'];

/** Whether a failed job is tried again by itself. */
const isTriedAgain = ({ retry, retried, tries }: EndingRow, reason: FailureReason, exitCode: number | null): boolean =>
  !lasting.includes(reason) &&
  !retried &&
  retry !== null &&
  tries < retry.max &&
  (retry.when.includes('always') ||
    retry.when.includes(reason) ||
    (exitCode !== null && (retry.exitCodes?.includes(exitCode) ?? false)));
