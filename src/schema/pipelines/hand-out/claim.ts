import { newToken } from '../../../auth/index.ts';
import { changeOfPipeline } from '../../../changes/index.ts';
import { domainError, type Context } from '../../../context.ts';
import { RequestDatabase } from '../../../database/index.ts';
import { mayPass, Unavailable } from '../../../errors.ts';
import type { FailureReason } from '../../../values/ci/failure-reasons.ts';
import type { RunnerType } from '../../../values/ci/runners.ts';
import type { HandedJob } from '../../../values/ci/handed-job.ts';
import { lockPipelineById } from '../pipelines/open.ts';
import { settlePipeline } from '../pipelines/settle.ts';
import { finishJob } from '../processing/finish.ts';
import { MissingDependency } from './artifacts.ts';
import { NoEnvironment, Outdated } from './deploying.ts';
import { keepCommit } from './keep-commit.ts';
import { neededFeatures, payloadOf } from './payload.ts';
import { claimJob, noteKeptRef, isRefKept, putBack, type ClaimedRow } from './statements.ts';

/** Who asks for a job. */
export interface Asking {
  readonly runnerId: number;
  readonly kind: RunnerType;
  /** The machine. */
  readonly managerId: number;
  /** What it can do, by the names of features. */
  readonly features: ReadonlySet<string>;
}

/**
 * Gives a runner a job that waits for it. A job that it can’t carry out, or whose payload can’t be made, fails, so that it
 * doesn’t stop others.
 * @returns undefined if none waits
 */
export async function handOut(context: Context, asking: Asking): Promise<HandedJob | undefined> {
  for (;;) {
    const { secret, digest } = newToken('job');
    const { runnerId, kind, managerId, features } = asking;
    const [claimed] = await context.database.rows(claimJob[kind], [runnerId, managerId, digest]);
    if (!claimed) return undefined;
    // A claim locks no pipeline, and most change none: those who watch it see the job run.
    context.changes.publish(changeOfPipeline(claimed.pipelineId));
    if (claimed.plan && !neededFeatures(claimed.plan).every((one) => features.has(one))) {
      await fail(context, claimed, 'runner_unsupported');
      continue;
    }
    try {
      if (claimed.isFirst) await begin(context, claimed);
      const job = await payloadOf(context, claimed, secret);
      // A job that the runner doesn’t receive would be lost.
      if (hasLeft(context)) throw new Unavailable();
      return job;
    } catch (error) {
      // A job isn’t to fail for what works again soon.
      if (mayPass(domainError(error))) {
        // In a transaction, which goes on if the runner has left.
        await context.database.transaction((sql) => sql.rows(putBack, [claimed.id]));
        throw error;
      }
      await fail(context, claimed, reasonOf(error));
    }
  }
}

/** Whether the client of a request has disconnected. */
const hasLeft = ({ database }: Context) => database instanceof RequestDatabase && database.disconnect?.gone === true;

/** Why a job fails that can’t begin. */
function reasonOf(error: unknown): FailureReason {
  if (error instanceof NoEnvironment) return 'environment_creation_failure';
  if (error instanceof MissingDependency) return 'missing_dependency_failure';
  return error instanceof Outdated ? 'forward_deployment_failure' : 'scheduler_failure';
}

const fail = (context: Context, { id }: ClaimedRow, failureReason: FailureReason) =>
  finishJob(context, id, { status: 'failed', failureReason });

/** The first job of a pipeline that runs: the pipeline runs, too, and its commit is kept. */
async function begin(context: Context, { projectId, pipelineId }: ClaimedRow): Promise<void> {
  await context.database.transaction(async (sql) => {
    const pipeline = await lockPipelineById(sql, projectId, pipelineId);
    if (!pipeline) return;
    const [ref] = await sql.rows(isRefKept, [pipelineId]);
    if (!ref?.kept) {
      await keepCommit(context, pipeline);
      await sql.rows(noteKeptRef, [pipelineId, true]);
    }
    if (pipeline.status !== 'running') await settlePipeline(sql, pipeline, null);
  });
}
