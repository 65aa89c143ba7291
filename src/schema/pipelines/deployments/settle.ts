import type { Sql } from '../../../database/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import type { DeploymentStatus } from '../../../values/ci/environments.ts';
import { becomeDeployed } from '../environments/deployed.ts';
import { setDeploymentStatus, type LockedDeployment } from './statements/change.ts';

const finished: readonly DeploymentStatus[] = ['success', 'failed', 'canceled', 'skipped'];

export const isFinished = (status: DeploymentStatus): boolean => finished.includes(status);

interface Settled {
  readonly status: DeploymentStatus;
  /** Where the environment is now; null keeps what is known. */
  readonly url?: string | null | undefined;
  /** Seconds until the environment stops by itself; null: never. */
  readonly autoStopIn?: number | null | undefined;
}

/** Sets the status of a deployment that this transaction has locked, with what follows for its environment. */
export async function settle(sql: Sql, deployment: LockedDeployment, settled: Settled): Promise<void> {
  const { status } = settled;
  await sql.rows(setDeploymentStatus, [deployment.id, status, isFinished(status)]);
  if (status === 'success') await succeed(sql, deployment, settled);
}

/** A deployment has succeeded: it is what is on its environment now. */
export async function succeed(
  sql: Sql,
  { id, environmentId }: Pick<LockedDeployment, 'id' | 'environmentId'>,
  { url, autoStopIn }: Omit<Settled, 'status'> = {},
): Promise<void> {
  await becomeDeployed(sql, environmentId, { url, autoStopIn });
  // Last: with a key, others that enqueue the same would wait.
  await enqueue(sql, 'link_deployment', { deploymentId: id });
}
