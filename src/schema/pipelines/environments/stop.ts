import type { Sql } from '../../../database/index.ts';
import type { Application } from '../../../context.ts';
import { activeStatuses } from '../../../values/ci/statuses.ts';
import {
  dueEnvironments,
  environmentsOfBranch,
  keepEnvironment,
  lockEnvironment,
  setState,
} from './statements/change.ts';
import { stopJob } from './statements/jobs.ts';

/** A job that stops an environment, as it is now. */
interface StopJob {
  readonly id: number;
  readonly projectId: number;
  readonly pipelineId: number;
  readonly status: string;
}

/**
 * Starts a job in the transaction of the stop.
 * @param actorId who stops the environment; null: its time is over
 * @returns whether the job was started
 */
export type PlayStopJob = (sql: Sql, job: StopJob, actorId: number | null) => Promise<boolean>;

let play: PlayStopJob | undefined;

/** Jobs know environments, so they say themselves how one is started. @returns what was said before */
export function stopsBy(player: PlayStopJob | undefined): PlayStopJob | undefined {
  const before = play;
  play = player;
  return before;
}

interface Stopped {
  readonly id: number;
  readonly actorId: number | null;
  /** Whether it stops without the job that stops it. */
  readonly force?: boolean | undefined;
}

const isUnderWay = (status: string) => (activeStatuses as readonly string[]).includes(status);

/**
 * Stops an environment: by the job that stops it, if its last deployment named one that can be started; it is `stopping`
 * until that ends. Otherwise at once. What is stopped stays so.
 */
export async function stopEnvironment(sql: Sql, { id, actorId, force = false }: Stopped): Promise<void> {
  const [job] = force ? [] : await sql.rows(stopJob, [id]);
  // Pipelines are locked before environments, as when a job ends.
  const runs = job !== undefined && (isUnderWay(job.status) || ((await play?.(sql, job, actorId)) ?? false));
  const [environment] = await sql.rows(lockEnvironment, [id]);
  if (!environment || environment.state === 'stopped') return;
  await sql.rows(setState, [id, runs ? 'stopping' : 'stopped']);
}

/** Environments that one run of the job stops. */
const batch = 500;

/** Stops the environments whose time is over. The job `stop_environments`; may be repeated. */
export async function stopDueEnvironments({ database }: Application, signal: AbortSignal): Promise<void> {
  for (const { id, needsJob } of await database.rows(dueEnvironments, [batch])) {
    signal.throwIfAborted();
    await database.transaction(async (sql) => {
      if (needsJob && (await sql.rows(stopJob, [id])).length === 0) await sql.rows(keepEnvironment, [id]);
      else await stopEnvironment(sql, { id, actorId: null });
    });
  }
}

/**
 * Stops what shows a branch that was deleted, as far as a job does that: what nothing takes down stays. May be repeated.
 * @param actorId who deleted it
 */
export async function stopEnvironmentsOf(
  database: Application['database'],
  projectId: number,
  branch: string,
  actorId: number | null,
): Promise<void> {
  for (const { id } of await database.rows(environmentsOfBranch, [projectId, branch, batch]))
    await stopByJob(database, id, actorId);
}

/** Stops an environment if a job does that. */
export const stopByJob = (database: Application['database'], id: number, actorId: number | null): Promise<void> =>
  database.transaction(async (sql) => {
    if ((await sql.rows(stopJob, [id])).length > 0) await stopEnvironment(sql, { id, actorId });
  });
