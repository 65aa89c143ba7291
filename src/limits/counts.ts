import type { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Rate } from '../config.ts';
import type { Log } from '../observability/index.ts';

/** What a process counted and has not told the others. */
export interface CounterIncrement {
  readonly key: string;
  readonly points: number;
  /** For which it counts. */
  readonly seconds: number;
}

/** What all processes together have counted. */
export interface Total {
  readonly key: string;
  readonly points: number;
  /** Until it begins anew. */
  readonly milliseconds: number;
}

/** Where processes tell each other what they counted. */
export interface SharedCounts {
  /** Adds to what the others counted. @throws whatever stands in the way */
  add(counted: readonly CounterIncrement[]): Promise<readonly Total[]>;
  close(): void;
}

/** How a counter stands. */
export interface RateUsage {
  readonly observed: number;
  /** Until it begins anew. */
  readonly milliseconds: number;
}

/**
 * Counters that a process remembers at most, about 10 MB: whoever comes from ever
 * new addresses lets the oldest be forgotten, and the memory doesn't grow.
 */
const maxKeys = 20_000;
/** Milliseconds between two times that processes tell each other. */
const pause = 1_000;
/** Counters that are told at once; what is left over waits for the next time. */
const maxShared = 1_000;
/**
 * What is less than this part of a limit isn't worth telling: of a hundred
 * processes each knows that much less than the truth, and people who use the API as
 * people do cost the database nothing.
 */
const worthSharing = 1 / 100;

/**
 * Counts in the memory of this process, and settles with the other processes in the
 * background: a request never waits for it, and none is refused because the others
 * can't be reached.
 */
export class Counts {
  readonly #local: RateLimiterMemory;
  readonly #shared: SharedCounts;
  readonly #log: Log;
  /** Every counter of the memory, the one that is forgotten next first. */
  readonly #keys = new Set<string>();
  readonly #unshared = new Map<string, { points: number; readonly rate: Rate }>();
  #alone = false;
  #closed = false;
  #round: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout;

  /** @param local which has no key yet */
  constructor(local: RateLimiterMemory, shared: SharedCounts, log: Log) {
    this.#local = local;
    this.#shared = shared;
    this.#log = log;
    this.#timer = this.#schedule();
  }

  /** Counts, and says how the counter stands then. */
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

  /** Tells the others what is worth it, and takes over what all have counted together. */
  async #settle(): Promise<void> {
    const told = [...this.#unshared]
      .filter(([, { points, rate }]) => points >= rate.most * worthSharing)
      .slice(0, maxShared);
    if (told.length === 0) return;
    for (const [key] of told) this.#unshared.delete(key);
    try {
      const totals = await this.#shared.add(
        told.map(([key, { points, rate }]) => ({ key, points, seconds: rate.seconds })),
      );
      for (const { key, points, milliseconds } of totals) {
        // What has been counted since stands beside the total.
        await this.#local.set(key, points + (this.#unshared.get(key)?.points ?? 0), milliseconds / 1000);
        // Those who ask much are forgotten last.
        this.#remember(key);
      }
      if (this.#alone) this.#log.info({}, 'request limits count what all processes are asked again');
      this.#alone = false;
    } catch (error) {
      for (const [key, { points, rate }] of told) {
        const since = this.#unshared.get(key);
        if (since) since.points += points;
        else if (this.#keys.has(key)) this.#unshared.set(key, { points, rate });
      }
      if (!this.#alone && !this.#closed)
        this.#log.warn(
          { error: (error as Error).message },
          'request limits count only what this process is asked, until the others can be reached',
        );
      this.#alone = true;
    }
  }
}
