import type { Sql } from '../../../database/index.ts';
import type { CiStatus } from '../../../values/ci/statuses.ts';
import {
  problemsOfEnvironmentName,
  problemsOfExternalUrl,
  type DeploymentStatus,
  type DeploymentTier,
  type EnvironmentAction,
} from '../../../values/ci/environments.ts';
import { afterJob, rememberJob } from '../environments/of-jobs.ts';
import { environmentOf } from '../environments/make.ts';
import { insertDeployment, lockDeploymentOfJob } from './statements/change.ts';
import { isFinished, settle } from './settle.ts';
import { findOutdated } from './statements/reading.ts';

/** What jobs of pipelines do with environments. Code that changes jobs locks their pipeline first, and then calls these. */

/** A job with an environment. */
export interface DeployingJob {
  readonly id: number;
  readonly projectId: number;
  readonly ref: string;
  readonly tag: boolean;
  readonly sha: string;
  readonly userId: number | null;
}

/** What the configuration says of the environment of a job, with the variables in it already expanded. */
export interface EnvironmentPlan {
  readonly name: string;
  readonly url?: string | null | undefined;
  readonly action?: EnvironmentAction | undefined;
  readonly tier?: DeploymentTier | null | undefined;
  /** Seconds. */
  readonly autoStopIn?: number | null | undefined;
  /** The name of the job that stops it. */
  readonly onStop?: string | null | undefined;
}

/** What `CI_ENVIRONMENT_*` of the job are made of. */
export interface PreparedEnvironment {
  readonly environmentId: number;
  readonly name: string;
  readonly slug: string;
  readonly tier: string;
  readonly url: string | null;
  /** Null for a job that only looks at an environment, or stops it. */
  readonly deploymentId: number | null;
}

/**
 * When a job with an environment is created, or starts: its environment is there then, made if it has to be, and its
 * deployment, if it deploys. May be repeated.
 * @returns undefined for a name that no environment can have: the job fails with `environment_creation_failure`
 */
export async function prepareDeployment(
  sql: Sql,
  job: DeployingJob,
  plan: EnvironmentPlan,
): Promise<PreparedEnvironment | undefined> {
  const { name, url, action = 'start', tier, autoStopIn = null, onStop = null } = plan;
  if (problemsOfEnvironmentName(name).length > 0) return undefined;
  const externalUrl = url && problemsOfExternalUrl(url).length === 0 ? url : null;
  const environment = await environmentOf(sql, job.projectId, { name, externalUrl, tier });
  await rememberJob(sql, job.id, { environmentId: environment.id, action, autoStopIn, onStop });
  const deploys = action === 'start';
  return {
    environmentId: environment.id,
    name: environment.name,
    slug: environment.slug,
    tier: environment.tier,
    url: externalUrl ?? environment.externalUrl,
    deploymentId: deploys ? await deploymentFor(sql, job, environment.id) : null,
  };
}

/**
 * Whether a job may not run, because it would bring something older to its environment than what is there. One that ran
 * before may run again where the project allows that: a rollback.
 */
export async function isOutdatedDeployment(
  sql: Sql,
  jobId: number,
  { ranBefore }: { readonly ranBefore: boolean },
): Promise<boolean> {
  const [found] = await sql.rows(findOutdated, [jobId]);
  return found !== undefined && !(ranBefore && found.allowsRollback);
}

async function deploymentFor(sql: Sql, job: DeployingJob, environmentId: number): Promise<number> {
  const [known] = await sql.rows(lockDeploymentOfJob, [job.id]);
  if (known) return known.id;
  const { id, projectId, ref, tag, sha, userId } = job;
  const values = [projectId, environmentId, ref, tag, sha, 'created', userId, id, false];
  const [made] = await sql.rows(insertDeployment, values);
  return made!.id;
}

/** How far a deployment is while its job has a status. */
const statusOf: Readonly<Record<CiStatus, DeploymentStatus>> = {
  created: 'created',
  waiting_for_resource: 'created',
  waiting_for_callback: 'created',
  preparing: 'created',
  pending: 'created',
  manual: 'created',
  scheduled: 'created',
  running: 'running',
  canceling: 'running',
  success: 'success',
  failed: 'failed',
  canceled: 'canceled',
  skipped: 'skipped',
};

/**
 * When the status of a job changes: that of its deployment follows, and with its end the state of the environment. A job
 * without an environment costs one look-up.
 * @param url where the environment is, if the job found out only now; with variables expanded
 */
export async function settleDeployment(
  sql: Sql,
  job: { readonly id: number; readonly status: CiStatus; readonly url?: string | null | undefined },
): Promise<void> {
  const status = statusOf[job.status];
  const does = await afterJob(sql, job.id, status);
  if (!does) return;
  const [deployment] = await sql.rows(lockDeploymentOfJob, [job.id]);
  if (!deployment || deployment.status === status) return;
  // A job that runs again after its end has a new row of its own.
  if (isFinished(deployment.status) && !isFinished(status)) return;
  await settle(sql, deployment, { status, url: job.url, autoStopIn: does.autoStopIn });
}
