import type { CiStatus } from '../values/ci/statuses.ts';
import { compositeStatus, type JobState } from './composite.ts';
import { startOf, type Start, type When } from './start.ts';

/** A job of a pipeline, as its turn is decided by: the latest of its name. */
export interface TurnJob extends JobState {
  readonly name: string;
  readonly stageIndex: number;
  /** Null: something that was reported, which takes no turns. */
  readonly when: When | null;
  /** The jobs that it waits for; null: all of earlier stages. */
  readonly needs: readonly string[] | null;
}

/** What became of a job that waited for its turn. */
export type Turn = Exclude<Start, 'wait'>;

/** Whether a job didn’t run and won’t by itself. */
const isSkipped = ({ status, allowFailure }: JobState) => status === 'skipped' || (status === 'manual' && allowFailure);

/** The composite status of each stage’s earlier ones. They change while jobs are skipped. */
class Stages {
  readonly #jobs: readonly TurnJob[];
  readonly #statusOf: (job: TurnJob) => JobState;
  readonly #known = new Map<number, CiStatus | undefined>();

  constructor(jobs: readonly TurnJob[], statusOf: (job: TurnJob) => JobState) {
    this.#jobs = jobs;
    this.#statusOf = statusOf;
  }

  before(index: number): CiStatus | undefined {
    if (!this.#known.has(index)) {
      const earlier = this.#jobs.filter(({ stageIndex }) => stageIndex < index);
      this.#known.set(index, compositeStatus(earlier.map(this.#statusOf)));
    }
    return this.#known.get(index);
  }

  changed(index: number): void {
    for (const known of this.#known.keys()) if (known > index) this.#known.delete(known);
  }
}

/**
 * What becomes of the jobs of a pipeline that wait for their turn (`created`): those that aren’t in the answer wait on.
 * What one job becomes may decide what the next ones do, so this goes on until nothing changes.
 * @param jobs the latest of each name
 */
export function turnsOf<Job extends TurnJob>(jobs: readonly Job[]): Map<Job, Turn> {
  const turns = new Map<TurnJob, Turn>();
  const stateOf = (job: TurnJob): JobState => ({
    status: turns.get(job) ?? job.status,
    allowFailure: job.allowFailure,
  });
  const byName = new Map<string, TurnJob>();
  for (const job of jobs) if (job.when !== null) byName.set(job.name, job);
  const stages = new Stages(jobs, stateOf);
  let waiting: TurnJob[] = jobs
    .filter(({ status, when }) => status === 'created' && when !== null)
    .toSorted((one, other) => one.stageIndex - other.stageIndex);
  for (let before = -1; waiting.length !== before;) {
    before = waiting.length;
    waiting = waiting.filter((job) => {
      const turn = turnOf(job, byName, stages, stateOf);
      if (turn === 'wait') return true;
      turns.set(job, turn);
      stages.changed(job.stageIndex);
      return false;
    });
  }
  return turns as Map<Job, Turn>;
}

function turnOf(
  job: TurnJob,
  byName: ReadonlyMap<string, TurnJob>,
  stages: Stages,
  stateOf: (job: TurnJob) => JobState,
): Start {
  if (job.needs === null) return startOf(job.when!, stages.before(job.stageIndex));
  const needed = job.needs.flatMap((name) => byName.get(name) ?? []).map(stateOf);
  return startOf(job.when!, compositeStatus(needed), { anySkipped: needed.some(isSkipped) });
}

/** Whether everything that a job comes after has ended, however it did: then a person may start it again. */
export function isItsTurn(job: TurnJob, jobs: readonly TurnJob[]): boolean {
  const earlier =
    job.needs === null
      ? jobs.filter(({ stageIndex }) => stageIndex < job.stageIndex)
      : jobs.filter(({ name, when }) => when !== null && job.needs!.includes(name));
  return startOf('always', compositeStatus(earlier)) !== 'wait';
}

/** The jobs that come after one, directly or not: of later stages, and those that need it or one of these. */
export function laterThan<Job extends TurnJob>(job: TurnJob, jobs: readonly Job[]): Job[] {
  const names = new Set([job.name]);
  const later = new Set<Job>();
  for (let before = -1; later.size !== before;) {
    before = later.size;
    for (const one of jobs) {
      if (one.when === null || later.has(one)) continue;
      const follows = one.needs === null ? one.stageIndex > job.stageIndex : one.needs.some((name) => names.has(name));
      if (!follows) continue;
      later.add(one);
      names.add(one.name);
    }
  }
  return [...later];
}
