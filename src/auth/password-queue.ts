import { availableParallelism } from 'node:os';
import { Busy } from '../errors.ts';
import { FairLine, type Flow } from './fair-line.ts';

/** How many may wait for their turn: on two cores about two seconds of work. */
const waitingAtMost = 128;

/** Seconds after which the line is much shorter. */
const retryAfter = 2;

/** Work that waits for its turn. */
interface Waiting {
  begin(): void;
  turnAway(): void;
}

/**
 * Work that is costly by design: no more of it at once than there are cores, and a short line that takes turns by
 * address and client. So a flood of passwords leaves the rest of the server at work, and one sender's flood leaves
 * others their turn: what finds the line full takes the place of the sender who has the most in it.
 */
export class WorkQueue {
  readonly #atOnce: number;
  readonly #waitingAtMost: number;
  readonly #line = new FairLine<Waiting>();
  #running = 0;

  constructor(atOnce: number, waiting: number) {
    this.#atOnce = atOnce;
    this.#waitingAtMost = waiting;
  }

  /** @throws Busy when the line is full, before the work has begun */
  async run<T>(flow: Flow, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(flow);
    try {
      return await work();
    } finally {
      const next = this.#line.next();
      // Finished work hands its place on.
      if (next) next.begin();
      else this.#running--;
    }
  }

  #turn(flow: Flow): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#line.add(flow, {
        begin: resolve,
        turnAway: () => reject(new Busy('Too many passwords are being checked. Try again in a moment.', retryAfter)),
      });
      if (this.#line.size > this.#waitingAtMost) this.#line.dropLast()!.turnAway();
    });
  }
}

/** The one line of this process for checks of passwords. */
export const passwordQueue = new WorkQueue(availableParallelism(), waitingAtMost);
