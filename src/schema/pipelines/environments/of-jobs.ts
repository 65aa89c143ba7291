import type { Sql } from '../../../database/index.ts';
import type { DeploymentStatus, EnvironmentAction } from '../../../values/ci/environments.ts';
import { lockEnvironment, setState } from './statements/change.ts';
import { environmentOfJob, insertJobEnvironment, type JobEnvironmentRow } from './statements/jobs.ts';

/** What a job does with an environment. */
interface Does {
  readonly environmentId: number;
  readonly action: EnvironmentAction;
  readonly autoStopIn: number | null;
  readonly onStop: string | null;
}

/** Remembers it, in the transaction that creates the job or starts it. */
export async function rememberJob(
  sql: Sql,
  jobId: number,
  { environmentId, action, autoStopIn, onStop }: Does,
): Promise<void> {
  await sql.rows(insertJobEnvironment, [jobId, environmentId, action, autoStopIn, onStop]);
}

/**
 * After a change of a job: an environment is stopped when the job that stops it succeeds, and available again when that
 * fails.
 * @returns what the job does; undefined for one without an environment
 */
export async function afterJob(
  sql: Sql,
  jobId: number,
  status: DeploymentStatus,
): Promise<JobEnvironmentRow | undefined> {
  const [does] = await sql.rows(environmentOfJob, [jobId]);
  if (does?.action === 'stop') await afterStopJob(sql, does.environmentId, status);
  return does;
}

async function afterStopJob(sql: Sql, environmentId: number, status: DeploymentStatus): Promise<void> {
  const isOver = status === 'failed' || status === 'canceled' || status === 'skipped';
  if (status !== 'success' && !isOver) return;
  const [environment] = await sql.rows(lockEnvironment, [environmentId]);
  if (!environment || environment.state === 'stopped') return;
  if (status === 'success') await sql.rows(setState, [environmentId, 'stopped']);
  else if (environment.state === 'stopping') await sql.rows(setState, [environmentId, 'available']);
}
