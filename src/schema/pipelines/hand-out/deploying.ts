import { secondsOf } from '../../../ci/config/duration.ts';
import type { Context } from '../../../context.ts';
import type { DeploymentTier } from '../../../values/ci/environments.ts';
import {
  isOutdatedDeployment,
  prepareDeployment,
  settleDeployment,
  type PreparedEnvironment,
} from '../deployments/of-jobs.ts';
import { lockPipelineById } from '../pipelines/open.ts';
import type { HandOutRow } from './statements.ts';

/** The environment of a job that begins. */

/** A name that no environment can have. */
export class NoEnvironment extends Error {}

/** Something newer is on the environment. */
export class Outdated extends Error {}

/**
 * The environment that a job deploys to, made if it has to be; null without one.
 * @throws NoEnvironment, Outdated
 */
export async function environmentOf(
  { database }: Pick<Context, 'database'>,
  id: number,
  { projectId, pipelineId, ref, tag, sha, userId, environment: name, plan }: HandOutRow,
): Promise<PreparedEnvironment | null> {
  if (name === null) return null;
  const { action, tier, autoStopIn, onStop } = plan?.environment ?? {};
  const prepared = await database.transaction(async (sql) => {
    await lockPipelineById(sql, projectId, pipelineId);
    if (await isOutdatedDeployment(sql, id, { ranBefore: false })) throw new Outdated(`The job ${id} is too late.`);
    const job = { id, projectId, ref, tag, sha, userId };
    return await prepareDeployment(sql, job, {
      name,
      action,
      tier: tier as DeploymentTier | undefined,
      autoStopIn: autoStopIn === undefined ? null : (secondsOf(autoStopIn) ?? null),
      onStop: onStop ?? null,
    });
  });
  if (!prepared) throw new NoEnvironment(`The job ${id} names no environment.`);
  return prepared;
}

/** Notes that the job deploys now. */
export const noteDeploying = (
  { database }: Pick<Context, 'database'>,
  id: number,
  { projectId, pipelineId }: HandOutRow,
): Promise<void> =>
  database.transaction(async (sql) => {
    await lockPipelineById(sql, projectId, pipelineId);
    await settleDeployment(sql, { id, status: 'running' });
  });
