import type { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Rate } from '../config/index.ts';
import type { Log } from '../observability/index.ts';

/** The increment of one counter that a process hasn't shared yet. */
export interface CounterIncrement {
  readonly key: string;
  readonly points: number;
  /** The length of its time window, in seconds. */
  readonly seconds: number;
}

/** The count of one counter over all processes. */
export interface Total {
  readonly key: string;
  readonly points: number;
  /** Until the counter starts again. */
  readonly milliseconds: number;
}

/** The store over which processes share their counts. */
export interface SharedCounts {
  /** Adds to the shared counts. @throws when the store fails */
  add(counted: readonly CounterIncrement[]): Promise<readonly Total[]>;
  close(): void;
}

/** The state of a counter. */
export interface RateUsage {
  readonly observed: number;
  /** Until the counter starts again. */
  readonly milliseconds: number;
}

/**
 * Most counters that a process keeps, about 10 MB: requests from many
 * addresses drop the oldest counters, so that memory doesn't grow.
 */
const maxKeys = 20_000;
/** Milliseconds between two exchanges with the store. */
const pause = 1_000;
/** Most counters shared at once; the rest waits for the next exchange. */
const maxShared = 1_000;
/**
 * Counts below this fraction of the limit aren't shared. So people with few requests cost the
 * database nothing; each process may miss that much of every other process.
 */
const worthSharing = 1 / 100;

/**
 * Rate limit counters. They count in the memory of this process, and exchange totals with the other processes in the
 * background: no request waits for that, and none is refused because the store
 * can't be reached.
 */
export class Counts {
  readonly #local: RateLimiterMemory;
  readonly #shared: SharedCounts;
  readonly #log: Log;
  /** The keys of all local counters; the first one is dropped next. */
  readonly #keys = new Set<string>();
  readonly #unshared = new Map<string, { points: number; readonly rate: Rate }>();
  #isolated = false;
  #closed = false;
  #round: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout;

  /** @param local an empty limiter */
  constructor(local: RateLimiterMemory, shared: SharedCounts, log: Log) {
    this.#local = local;
    this.#shared = shared;
    this.#log = log;
    this.#timer = this.#schedule();
  }

  /** Counts, and returns the new state of the counter. */
  async count(key: string, rate: Rate, points = 1): Promise<RateUsage> {
    const { consumedPoints, msBeforeNext, isFirstInDuration } = await this.#local.penalty(key, points, {
      customDuration: rate.seconds,
    });
    const unshared = isFirstInDuration ? undefined : this.#unshared.get(key);
    if (unshared) unshared.points += points;
    else this.#unshared.set(key, { points, rate });
    if (isFirstInDuration) this.#remember(key);
    return { observed: consumedPoints, milliseconds: msBeforeNext };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#shared.close();
    await this.#round;
  }

  #remember(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size <= maxKeys) return;
    const [oldest] = this.#keys;
    this.#keys.delete(oldest!);
    this.#unshared.delete(oldest!);
    void this.#local.delete(oldest!);
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#round = this.#settle().finally(() => {
        if (!this.#closed) this.#timer = this.#schedule();
      });
    }, pause).unref();
  }

  /** Shares the counts that are large enough, and takes over the totals. */
  async #settle(): Promise<void> {
    const shared = [...this.#unshared]
      .filter(([, { points, rate }]) => points >= rate.most * worthSharing)
      .slice(0, maxShared);
    if (shared.length === 0) return;
    for (const [key] of shared) this.#unshared.delete(key);
    try {
      const totals = await this.#shared.add(
        shared.map(([key, { points, rate }]) => ({ key, points, seconds: rate.seconds })),
      );
      for (const { key, points, milliseconds } of totals) {
        // What was counted since isn't in the total.
        await this.#local.set(key, points + (this.#unshared.get(key)?.points ?? 0), milliseconds / 1000);
        // Busy counters are dropped last.
        this.#remember(key);
      }
      if (this.#isolated) this.#log.info({}, 'rate limits are shared between processes again');
      this.#isolated = false;
    } catch (error) {
      for (const [key, { points, rate }] of shared) {
        const since = this.#unshared.get(key);
        if (since) since.points += points;
        else if (this.#keys.has(key)) this.#unshared.set(key, { points, rate });
      }
      if (!this.#isolated && !this.#closed)
        this.#log.warn(
          { error: (error as Error).message },
          'rate limits count only requests to this process, until the others can be reached',
        );
      this.#isolated = true;
    }
  }
}
