import type { CiStatus } from '../values/ci/statuses.ts';

/** What the status of a stage or a pipeline is made of: a job, the latest of its name. */
export interface JobState {
  readonly status: CiStatus;
  readonly allowFailure: boolean;
}

/** A status, or what a job that may fail counts as: `warning` if it didn't succeed, `ignored` if no one started it. */
type Counted = CiStatus | 'warning' | 'ignored';

const counted = ({ status, allowFailure }: JobState): Counted => {
  if (!allowFailure) return status;
  if (status === 'failed' || status === 'canceled') return 'warning';
  return status === 'manual' ? 'ignored' : status;
};

interface Row {
  /** It holds if all jobs are among these … */
  readonly only?: readonly Counted[];
  /** … or if at least one is. */
  readonly any?: readonly Counted[];
  readonly status: CiStatus;
}

/** The table: the first row that holds gives the status; `failed`, if none does. */
const table: readonly Row[] = [
  { only: ['skipped', 'ignored'], status: 'skipped' },
  { only: ['success', 'skipped', 'warning', 'ignored'], status: 'success' },
  { only: ['created', 'warning', 'ignored'], status: 'created' },
  { only: ['preparing', 'warning', 'ignored'], status: 'preparing' },
  { only: ['canceled', 'success', 'skipped', 'warning', 'ignored'], status: 'canceled' },
  { only: ['pending', 'created', 'skipped', 'warning', 'ignored'], status: 'pending' },
  { any: ['running', 'pending'], status: 'running' },
  { any: ['waiting_for_resource'], status: 'waiting_for_resource' },
  { any: ['waiting_for_callback'], status: 'waiting_for_callback' },
  { any: ['manual'], status: 'manual' },
  { any: ['scheduled'], status: 'scheduled' },
  { any: ['preparing'], status: 'preparing' },
  { any: ['created'], status: 'running' },
  { any: ['canceling'], status: 'canceling' },
];

/**
 * The status of a stage or a pipeline; undefined without jobs, which change nothing. A pipeline follows its jobs, so that
 * it may go from each status to each other: a finished one goes on when a job is retried or reported again.
 */
export function compositeStatus(jobs: Iterable<JobState>): CiStatus | undefined {
  const kinds = new Set<Counted>();
  for (const job of jobs) kinds.add(counted(job));
  if (kinds.size === 0) return undefined;
  const all = [...kinds];
  const row = table.find(({ only, any }) =>
    only ? all.every((kind) => only.includes(kind)) : any!.some((kind) => kinds.has(kind)),
  );
  return row?.status ?? 'failed';
}

/** Whether a job that may fail didn't succeed: what is a success then passed with warnings. */
export const hasWarnings = (jobs: Iterable<JobState>): boolean => {
  for (const job of jobs) if (counted(job) === 'warning') return true;
  return false;
};

/** The jobs of one stage. */
export interface StageOf<Job> {
  readonly name: string;
  readonly index: number;
  readonly jobs: readonly Job[];
  readonly status: CiStatus;
}

/** Jobs by stage, in the order of the stages, each with its status. */
export function stagesOf<Job extends JobState & { readonly stage: string; readonly stageIndex: number }>(
  jobs: readonly Job[],
): StageOf<Job>[] {
  const stages = new Map<string, { index: number; jobs: Job[] }>();
  for (const job of jobs) {
    const known = stages.get(job.stage);
    if (known) known.jobs.push(job);
    else stages.set(job.stage, { index: job.stageIndex, jobs: [job] });
  }
  return [...stages]
    .map(([name, stage]) => ({ name, ...stage, status: compositeStatus(stage.jobs)! }))
    .toSorted((one, other) => one.index - other.index || (one.name < other.name ? -1 : 1));
}
