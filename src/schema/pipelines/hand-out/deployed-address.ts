import type { Context } from '../../../context.ts';
import { variablesOfNeeded } from '../artifacts/reports.ts';
import { neededJobs } from './artifacts.ts';
import { findDeployedAddress, readHandOut } from './statements.ts';
import { allVariables } from './variables.ts';

/**
 * Where people see what a running job has deployed, by `environment: url`. Only the job may know: what it left in a `dotenv`
 * report counts, too, over what the jobs that it needs left. Its token isn’t among the variables, so that no address keeps it.
 * @returns undefined for a job that deploys nothing, or without saying where
 */
export async function deployedAddress(context: Context, jobId: number): Promise<string | undefined> {
  const [found] = await context.database.rows(findDeployedAddress, [jobId]);
  if (!found || !/[$%]/.test(found.url)) return found?.url;
  const [row] = await context.database.rows(readHandOut, [jobId]);
  if (!row?.plan) return undefined;
  const needed = await neededJobs(context, { id: jobId, hasEarlier: true }, row.plan);
  const ids = needed.map(({ id }) => id);
  const left = [...(await variablesOfNeeded(context, ids)), ...(await variablesOfNeeded(context, [jobId]))];
  const of = { jobId, token: '', repoUrl: '', row, left, environment: found };
  return (await allVariables(context, of)).find(({ key }) => key === 'CI_ENVIRONMENT_URL')?.value;
}
