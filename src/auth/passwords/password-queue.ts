import { availableParallelism } from 'node:os';
import { Busy } from '../../errors.ts';
import { FairLine, type Flow } from './fair-line.ts';

/** Maximum length of the queue: about two seconds of work on two cores. */
const waitingAtMost = 128;

/** Seconds after which a refused sender may retry: the queue is much shorter then. */
const retryAfter = 2;

/** Queued work. */
interface Waiting {
  begin(): void;
  drop(): void;
}

/**
 * A bounded work queue with load shedding, for password hashing, which is slow by design. It runs as many items at
 * once as there are cores, and queues a few more, with fair turns by address and client. A full queue drops an item
 * of the sender that has the most, so a flood of passwords stops neither the server nor other senders.
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

  /** @throws Busy when the queue is full, before the work has begun */
  async run<T>(flow: Flow, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#turn(flow);
    try {
      return await work();
    } finally {
      const next = this.#line.next();
      // Start the next item in the slot of the finished one.
      if (next) next.begin();
      else this.#running--;
    }
  }

  #turn(flow: Flow): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#line.add(flow, {
        begin: resolve,
        drop: () => reject(new Busy('Too many passwords are being checked. Try again in a moment.', retryAfter)),
      });
      if (this.#line.size > this.#waitingAtMost) this.#line.dropLast()!.drop();
    });
  }
}

/** The one queue of this process for password checks. */
export const passwordQueue = new WorkQueue(availableParallelism(), waitingAtMost);
