import type { Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { emptyCounters, sumOf, type CounterSnapshot, type Everything, type Measured } from './measured.ts';
import type { Gather } from './metrics.ts';

/**
 * A scrape reaches one of several workers, and is answered for all of them: the
 * one that is scraped asks the process that watches over it, and that one the others.
 */

/** Milliseconds that a worker has to tell of itself. */
const answerTimeout = 1_000;
/** Milliseconds after which the watching process itself doesn't answer. */
const longerAnswerTimeout = 2 * answerTimeout;

/** What a worker says, and what it is told. */
type FromWorker = { readonly kind: 'asks' | 'tells'; readonly measured: Measured };
type ToWorker = { readonly kind: 'asked' } | { readonly kind: 'told'; readonly everything: Everything };

/** For a worker. */
export const amongWorkers: Gather = (measure) => {
  let waiting: ((everything: Everything) => void)[] = [];
  // It may be gone at this moment, and this process with it.
  const say = async (kind: FromWorker['kind']) =>
    process.send?.({ kind, measured: await measure() }, undefined, {}, () => undefined);
  process.on('message', (message: ToWorker) => {
    // One that can't is silent.
    if (message.kind === 'asked') say('tells').catch(() => undefined);
    if (message.kind === 'told') for (const answer of waiting.splice(0)) answer(message.everything);
  });
  return async () => {
    const told = new Promise<Everything>((resolve) => waiting.push(resolve));
    await say('asks');
    return await Promise.race([told, pause(longerAnswerTimeout, undefined, { ref: false })]);
  };
};

interface Known {
  /** From 1 on: what replaces a worker has its number. */
  readonly number: number;
  listening: boolean;
  /** What it said last, and in which round. */
  last: Measured | undefined;
  round: number;
}

/**
 * For the process that watches over workers. It keeps what each said last, so that
 * sums don't shrink when one ends or is silent: to Prometheus a counter that shrinks
 * has begun anew, and all it holds came just now.
 */
export class WorkersMeasured {
  readonly #workers = new Map<Worker, Known>();
  #ended: CounterSnapshot = emptyCounters;
  #ends = 0;
  #round = 0;
  #underWay: Promise<Everything> | undefined;
  /** Called whenever one has told or ended. */
  #heard: () => void = () => undefined;

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
      this.#heard();
    });
    worker.on('message', ({ kind, measured }: FromWorker) => {
      if (kind !== 'asks' && kind !== 'tells') return;
      if (kind === 'asks' && !this.#underWay) this.#round++;
      Object.assign(known, { last: measured, round: this.#round });
      this.#heard();
      if (kind === 'asks') void this.#gather().then((everything) => say(worker, { kind: 'told', everything }));
    });
  }

  /** Those who ask at the same time are told the same. */
  #gather(): Promise<Everything> {
    return (this.#underWay ??= this.#askAll().finally(() => (this.#underWay = undefined)));
  }

  async #askAll(): Promise<Everything> {
    const asked = [...this.#workers].filter(([, { listening, round }]) => listening && round < this.#round);
    for (const [worker] of asked) say(worker, { kind: 'asked' });
    const silent = () => asked.filter(([worker, { round }]) => round < this.#round && this.#workers.has(worker)).length;
    const allHeard = new Promise<void>((resolve) => {
      this.#heard = () => silent() === 0 && resolve();
      this.#heard();
    });
    await Promise.race([allHeard, pause(answerTimeout, undefined, { ref: false })]);
    const known = [...this.#workers.values()];
    return {
      counted: sumOf([this.#ended, ...known.flatMap(({ last }) => last?.counted ?? [])]),
      processes: known
        .filter(({ round }) => round === this.#round)
        .map(({ number, last }) => ({ worker: number, gauges: last!.gauges, process: last!.process }))
        .sort((one, other) => one.worker - other.worker),
      workers: { silent: silent(), ended: this.#ends },
    };
  }
}

// One that is just ending can't be told.
const say = (worker: Worker, message: ToWorker) => void worker.send(message, () => undefined);
