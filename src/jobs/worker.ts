import { setTimeout as pause } from 'node:timers/promises';
import { counters } from '../counters.ts';
import { isUniqueViolation, type OpenDatabase } from '../database/index.ts';
import type { Log } from '../observability/index.ts';
import { jobKinds, jobNames, kindOf, storedWith, type JobName } from '../values/kinds/job-kinds.ts';
import { described, pauseAfter } from './failure.ts';
import type { Handler, Handlers } from './job.ts';
import {
  beginPeriods,
  claimJobs,
  claimOne,
  finishJob,
  leaseSeconds,
  releaseJob,
  renewLeases,
  type ClaimedRow,
} from './statements/queue.ts';

/** Milliseconds between two looks at the queue that nothing caused: for jobs of the future, and lost wake-ups. */
const polling = 5_000;
/** Milliseconds until the first look for periodic jobs, and between two of them. A start has other things to do. */
const firstPeriods = 20_000;
const lookingForPeriods = 10_000;
/** Seconds that a run may take, unless its kind says otherwise. */
const usualTimeout = 600;

export interface WorkerOptions {
  readonly database: OpenDatabase;
  readonly log: Log;
  readonly handlers: Partial<Handlers>;
  /** How many jobs this process runs at once. */
  readonly concurrency: number;
  /** Called when jobs wait that this process has no room for: others may have. */
  readonly onFull?: () => void;
}

/** A run under way. */
interface Running {
  readonly job: ClaimedRow;
  readonly stop: AbortController;
  done: Promise<unknown>;
}

/** Why a run is stopped. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Claims jobs and runs them, a few at once. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #names: readonly JobName[];
  readonly #running = new Set<Running>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #claiming: Promise<void> | undefined;
  /** Whether something was enqueued since the claim under way began. */
  #again = false;
  #stopping = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#names = jobNames().filter((name) => options.handlers[name]);
  }

  /** Starts to work: looks at the queue now and then, and renews leases. */
  start(): this {
    this.#every('poll', polling, () => this.wake());
    this.#every('renew', (leaseSeconds * 1_000) / 3, () => this.#renew());
    this.#every('periods', lookingForPeriods, () => this.#beginPeriods(), firstPeriods);
    return this;
  }

  /** Looks at the queue now. */
  wake(): void {
    if (this.#stopping) return;
    if (this.#claiming) this.#again = true;
    else if (this.#running.size >= this.#options.concurrency) this.#options.onFull?.();
    else this.#claiming = this.#claim().finally(() => (this.#claiming = undefined));
  }

  /**
   * Claims nothing from now on, and waits for the running jobs. Those that take longer are aborted and given back, for
   * another process to run.
   * @param milliseconds to wait
   */
  async close(milliseconds: number): Promise<void> {
    this.#stopping = true;
    for (const name of ['poll', 'periods']) this.#cancel(name);
    await this.#claiming;
    const all = Promise.all([...this.#running].map(({ done }) => done));
    const waited = new AbortController();
    await Promise.race([all, pause(milliseconds, undefined, { signal: waited.signal }).catch(() => undefined)]);
    waited.abort();
    for (const { stop } of this.#running) stop.abort(new Stopped('the gateway stops'));
    await all;
    this.#cancel('renew');
  }

  /**
   * Runs the waiting job of this name and key now, in this process, and waits for it.
   * @returns false if there is none, or if it runs elsewhere
   * @throws what the handler throws
   */
  async runNow(name: JobName, key: string): Promise<boolean> {
    const [job] = await this.#options.database.rows(claimOne, [name, key]);
    if (!job) return false;
    this.#every('renew', (leaseSeconds * 1_000) / 3, () => this.#renew());
    try {
      const failure = await this.#run(job);
      if (failure !== undefined) throw failure;
      return true;
    } finally {
      this.#cancel('renew');
    }
  }

  async #claim(): Promise<void> {
    const { database, log, concurrency } = this.#options;
    try {
      do {
        this.#again = false;
        const room = concurrency - this.#running.size;
        if (room <= 0) break;
        const jobs = await database.rows(claimJobs, [this.#names, room]);
        // The shutdown began while this claim was under way: another process runs them.
        if (this.#stopping) await Promise.all(jobs.map((job) => this.#giveBack(job)));
        else for (const job of jobs) void this.#run(job);
        if (jobs.length === room) this.#options.onFull?.();
      } while (this.#again && !this.#stopping);
    } catch (error) {
      // The next look tries again.
      log.warn({ error: (error as Error).message }, 'jobs could not be claimed');
    }
  }

  /** Runs a job to its end. @returns why it failed, if it did */
  async #run(job: ClaimedRow): Promise<unknown> {
    const running: Running = { job, stop: new AbortController(), done: Promise.resolve() };
    this.#running.add(running);
    const work = this.#work(running);
    running.done = work;
    const failure = await work;
    this.#running.delete(running);
    // There is room again, and perhaps a job that waited for this one.
    this.wake();
    return failure;
  }

  async #work({ job, stop }: Running): Promise<unknown> {
    const { log } = this.#options;
    let failure: unknown;
    try {
      await this.#handle(job, stop);
    } catch (error) {
      failure = error ?? new Error('failed');
    }
    try {
      if (failure === undefined) await this.#finish(job);
      else if (failure instanceof Stopped && this.#stopping) await this.#giveBack(job);
      else await this.#fail(job, failure);
    } catch (error) {
      // The lease ends by itself, and the job runs again.
      log.warn({ job: job.name, id: job.id, error: (error as Error).message }, 'the end of a job could not be stored');
    }
    return failure;
  }

  /** @throws what the handler throws, or Stopped as soon as the run is aborted */
  async #handle({ name, payload, attempts, max_attempts: most }: ClaimedRow, stop: AbortController): Promise<void> {
    if (attempts > most) throw new Error('its process ended during every attempt');
    const known = name as JobName;
    const { timeout = usualTimeout } = kindOf(known);
    const handler = this.#options.handlers[known] as Handler<JobName>;
    const { database, log } = this.#options;
    const timer = setTimeout(() => stop.abort(new Error(`took longer than ${timeout} s`)), timeout * 1_000).unref();
    const stopped = new Promise<never>((_resolve, reject) =>
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error)),
    );
    try {
      const run = { payload: jobKinds[known].payload.parse(payload), database, log, signal: stop.signal };
      await Promise.race([handler(run), stopped]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #finish({ id, lease, name }: ClaimedRow): Promise<void> {
    await this.#options.database.rows(finishJob, [id, lease]);
    counters.jobs.count('done');
    this.#options.log.debug({ job: name, id }, 'a job is done');
  }

  async #fail({ id, lease, name, attempts, max_attempts: most }: ClaimedRow, failure: unknown): Promise<void> {
    const error = described(failure);
    const dead = attempts >= most;
    const seconds = dead ? 0 : pauseAfter(attempts, kindOf(name as JobName).every);
    await this.#release([id, lease, seconds, error, dead, true]);
    counters.jobs.count(dead ? 'dead' : 'failed');
    const { log } = this.#options;
    if (dead) log.error({ job: name, id, attempts, error }, 'a job has failed for good');
    else log.warn({ job: name, id, attempts, error, seconds: Math.round(seconds) }, 'a job has failed');
  }

  async #giveBack({ id, lease }: ClaimedRow): Promise<void> {
    await this.#release([id, lease, 0, null, false, false]);
    counters.jobs.count('given back');
  }

  async #release(values: readonly unknown[]): Promise<void> {
    for (;;) {
      try {
        return void (await this.#options.database.rows(releaseJob, values));
      } catch (error) {
        // Another job of its key has just begun to wait: the next attempt sees it.
        if (!isUniqueViolation(error)) throw error;
      }
    }
  }

  /** Renews the leases of the running jobs, and aborts those that lost theirs. */
  async #renew(): Promise<void> {
    const running = [...this.#running];
    if (running.length === 0) return;
    const kept = await this.#options.database.rows(renewLeases, [
      running.map(({ job }) => job.id),
      running.map(({ job }) => job.lease),
    ]);
    const ids = new Set(kept.map(({ id }) => id));
    for (const one of running) {
      if (!ids.has(one.job.id) && this.#running.has(one)) one.stop.abort(new Error('its lease was lost'));
    }
  }

  async #beginPeriods(): Promise<void> {
    const periodic = this.#names.filter((name) => kindOf(name).every !== undefined);
    const stored = periodic.map(storedWith);
    await this.#options.database.rows(beginPeriods, [
      periodic,
      periodic.map((name) => kindOf(name).every),
      stored.map(({ priority }) => priority),
      stored.map(({ attempts }) => attempts),
    ]);
  }

  /** Repeats work, with jitter, so that processes don't do it at the same time. It may fail: the next time tries again. */
  #every(name: string, milliseconds: number, work: () => void | Promise<void>, first = milliseconds): void {
    const next = (after: number) =>
      this.#timers.set(
        name,
        setTimeout(
          () => {
            Promise.resolve(work())
              .catch((error: Error) => this.#options.log.warn({ error: error.message }, `the queue: ${name} failed`))
              .finally(() => this.#timers.has(name) && next(milliseconds));
          },
          after * (0.75 + Math.random() / 2),
        ).unref(),
      );
    next(first);
  }

  #cancel(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }
}
