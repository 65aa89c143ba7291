import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { batchedLists, batchedRows } from '../../engine/batched.ts';
import { idOf } from '../../engine/global-id.ts';
import { environmentsIn, type EnvironmentsPlace } from '../environments/read.ts';
import { findDeployment, lastDeployments, readDeployments, type DeploymentRecord } from './statements/reading.ts';
import { recordNumber } from '../../../values/integers.ts';

/** A deployment by id; those of a page are read in one statement. Asks no one's rights. */
export const deploymentById = batchedRows(readDeployments);

const newest = batchedLists(
  ({ database }, environments, status: string) => database.rows(lastDeployments, [environments, status]),
  ({ environmentId }: DeploymentRecord) => environmentId,
);

/** The newest deployment to an environment with a status. Those of a page are read in one statement. */
export const lastDeployment = async (
  context: Context,
  environmentId: number,
  status: string,
): Promise<DeploymentRecord | null> => (await newest(context, environmentId, status))[0] ?? null;

/** A deployment of a project. @throws NotFound, Forbidden */
export async function deploymentIn(
  context: Context,
  project: string,
  id: string,
): Promise<{ place: EnvironmentsPlace; deployment: DeploymentRecord }> {
  const place = await environmentsIn(context, project);
  const [deployment] = await context.database.rows(findDeployment, [place.id, idOf(id, 'Deployment'), null]);
  if (!deployment) throw new NotFound('Deployment');
  return { place, deployment };
}

/** A deployment of a project by its number there. Asks no one's rights. */
export async function deploymentNumbered(
  { database }: Context,
  projectId: number,
  iid: string,
): Promise<DeploymentRecord | null> {
  return (await database.rows(findDeployment, [projectId, null, recordNumber(iid)]))[0] ?? null;
}
