import type { Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { countedHere } from '../counters.ts';
import { emptyCounters, sumOf, type CounterSnapshot, type Everything, type Measured } from './measured.ts';
import type { Gather } from './metrics.ts';

/**
 * Metrics of several workers. A scrape reaches one worker, which asks the primary process, which asks the other
 * workers.
 */

/** Milliseconds that a worker has to answer. */
const answerTimeout = 1_000;
/** Milliseconds after which the primary process counts as unresponsive. */
const longerAnswerTimeout = 2 * answerTimeout;

/** Messages between a worker and the primary process. */
type FromWorker = { readonly kind: 'asks' | 'answers'; readonly measured: Measured };
type ToWorker = { readonly kind: 'asked' } | { readonly kind: 'everything'; readonly everything: Everything };

/** For a worker. */
export const amongWorkers: Gather = (measure) => {
  let waiting: ((everything: Everything) => void)[] = [];
  // The primary process may be ending, and this process with it.
  const say = async (kind: FromWorker['kind']) =>
    process.send?.({ kind, measured: await measure() }, undefined, {}, () => undefined);
  process.on('message', (message: ToWorker) => {
    // A worker that fails here counts as silent.
    if (message.kind === 'asked') say('answers').catch(() => undefined);
    if (message.kind === 'everything') for (const answer of waiting.splice(0)) answer(message.everything);
  });
  return async () => {
    const answered = new Promise<Everything>((resolve) => waiting.push(resolve));
    await say('asks');
    return await Promise.race([answered, pause(longerAnswerTimeout, undefined, { ref: false })]);
  };
};

interface Known {
  /** Starts at 1. A replacement gets the number of the worker it replaces. */
  readonly number: number;
  listening: boolean;
  /** Its last report, and the round of that report. */
  last: Measured | undefined;
  round: number;
}

/**
 * The metrics of all workers, in the primary process, with what that counts itself. It keeps the last report of each worker, so that sums don't
 * decrease when a worker ends or is silent: to Prometheus, a counter that decreases has restarted, and its whole value
 * is new.
 */
export class WorkersMeasured {
  readonly #workers = new Map<Worker, Known>();
  #ended: CounterSnapshot = emptyCounters;
  #ends = 0;
  #round = 0;
  #underWay: Promise<Everything> | undefined;
  /** Called whenever a worker has answered or ended. */
  #onReport: () => void = () => undefined;

  /** @param worker that was just forked */
  join(worker: Worker): void {
    const taken = new Set([...this.#workers.values()].map(({ number }) => number));
    let number = 1;
    while (taken.has(number)) number++;
    const known: Known = { number, listening: false, last: undefined, round: 0 };
    this.#workers.set(worker, known);
    worker.once('listening', () => (known.listening = true));
    worker.once('exit', () => {
      this.#workers.delete(worker);
      this.#ends++;
      if (known.last) this.#ended = sumOf([this.#ended, known.last.counted]);
      this.#onReport();
    });
    worker.on('message', ({ kind, measured }: FromWorker) => {
      if (kind !== 'asks' && kind !== 'answers') return;
      if (kind === 'asks' && !this.#underWay) this.#round++;
      Object.assign(known, { last: measured, round: this.#round });
      this.#onReport();
      if (kind === 'asks') void this.#gather().then((everything) => say(worker, { kind: 'everything', everything }));
    });
  }

  /** Concurrent scrapes share one round. */
  #gather(): Promise<Everything> {
    return (this.#underWay ??= this.#askAll().finally(() => (this.#underWay = undefined)));
  }

  async #askAll(): Promise<Everything> {
    const asked = [...this.#workers].filter(([, { listening, round }]) => listening && round < this.#round);
    for (const [worker] of asked) say(worker, { kind: 'asked' });
    const silent = () => asked.filter(([worker, { round }]) => round < this.#round && this.#workers.has(worker)).length;
    const allAnswered = new Promise<void>((resolve) => {
      this.#onReport = () => silent() === 0 && resolve();
      this.#onReport();
    });
    await Promise.race([allAnswered, pause(answerTimeout, undefined, { ref: false })]);
    const known = [...this.#workers.values()];
    return {
      counted: sumOf([
        this.#ended,
        { ...emptyCounters, counters: countedHere() },
        ...known.flatMap(({ last }) => last?.counted ?? []),
      ]),
      processes: known
        .filter(({ round }) => round === this.#round)
        .map(({ number, last }) => ({ worker: number, gauges: last!.gauges, process: last!.process }))
        .sort((one, other) => one.worker - other.worker),
      workers: { silent: silent(), ended: this.#ends },
    };
  }
}

// A worker that is just ending can't receive it.
const say = (worker: Worker, message: ToWorker) => void worker.send(message, () => undefined);
