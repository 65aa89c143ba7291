import { availableParallelism } from 'node:os';
import { Busy } from '../errors.ts';

/** How many may wait for their turn: on two cores about two seconds of work. */
const waitingAtMost = 128;

/** Seconds after which the line is much shorter. */
const retryAfter = 2;

/**
 * Work that is costly by design: no more of it at once than there are cores, a
 * short waiting line, and whoever comes then is turned away before anything was
 * done for them. So a flood of passwords leaves the rest of the server at work.
 */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #waitingAtMost: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnce: number, waiting: number) {
    this.#atOnce = atOnce;
    this.#waitingAtMost = waiting;
  }

  /** @throws Busy when the line is full */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Who leaves hands the place on.
      if (next) next();
      else this.#running--;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#waitingAtMost) {
      throw new Busy('Too many passwords are being checked. Try again in a moment.', retryAfter);
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The one line of this process for checks of passwords. */
export const passwordQueue = new WorkQueue(availableParallelism(), waitingAtMost);
