import type { PlannedJob } from '../../../ci/plan.ts';
import type { Context } from '../../../context.ts';
import type { HandedDependency } from '../../../values/ci/handed-job.ts';
import { artifactsOfJob } from '../artifacts/read.ts';
import { expiryOf } from '../artifacts/receive.ts';
import { findNeededJobs, type ClaimedRow, type NeededRow } from './statements.ts';

/** The jobs whose artifacts a job fetches. */
export async function neededJobs(
  { database }: Pick<Context, 'database'>,
  { id, hasEarlier }: Pick<ClaimedRow, 'id' | 'hasEarlier'>,
  plan: PlannedJob,
): Promise<NeededRow[]> {
  const names = neededNames(plan);
  const hasSome = names === null ? hasEarlier : names.length > 0;
  return hasSome ? await database.rows(findNeededJobs, [id, names]) : [];
}

/** The names of the jobs whose artifacts are fetched; null: all of earlier stages. */
function neededNames({ needs, dependencies }: PlannedJob): readonly string[] | null {
  const ofNeeds = needs?.filter(({ artifacts }) => artifacts).map(({ job }) => job) ?? null;
  if (dependencies === null) return ofNeeds;
  return ofNeeds === null ? dependencies : dependencies.filter((name) => ofNeeds.includes(name));
}

/** The archives that jobs left, by the jobs: what another one fetches. */
async function archivesOf(
  context: Context,
  jobs: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, NonNullable<HandedDependency['artifactsFile']>>> {
  const found = await Promise.all(jobs.map(({ id }) => artifactsOfJob(context, id)));
  const archives = found.flat().filter(({ kind }) => kind === 'archive');
  return new Map(archives.map(({ jobId, filename, size }) => [jobId, { filename, size }]));
}

/** Something that a job fetches isn’t there any more. */
export class MissingDependency extends Error {}

/**
 * What a job fetches.
 * @param token its own: with it, the runner fetches
 * @throws MissingDependency if artifacts of a needed job were erased or have expired: a deployment of nothing would do harm
 */
export async function dependenciesOf(
  context: Context,
  needed: readonly NeededRow[],
  token: string,
): Promise<HandedDependency[]> {
  const files = await archivesOf(context, needed);
  const missing = needed.find((one) => one.erased || (!files.has(one.id) && haveExpired(one)));
  if (missing) throw new MissingDependency(`The artifacts of the job ${missing.id} are gone.`);
  return needed.map(({ id, name }) => ({ id, name, token, artifactsFile: files.get(id) ?? null }));
}

/** The status with which a job leaves what its configuration says. */
const leftBy = { on_success: 'success', on_failure: 'failed' } as const;

/** Whether what a job left has expired by now. */
function haveExpired({ artifacts, status, finishedAt }: NeededRow): boolean {
  if (!artifacts || (artifacts.paths.length === 0 && !artifacts.untracked)) return false;
  if (artifacts.when !== 'always' && leftBy[artifacts.when] !== status) return false;
  const seconds = expiryOf(artifacts.expireIn);
  return seconds !== null && finishedAt !== null && +finishedAt + seconds * 1000 < Date.now();
}
