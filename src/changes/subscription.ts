import { keyOf, type Change } from './change.ts';

/** Maximum number of different changes that wait for a reader: more than one bulk update causes. */
const maxWaiting = 250;

/**
 * The queue of changes for one subscriber, in order and bounded (backpressure). It is ended from outside, or when its
 * reader is too slow.
 */
export class Subscription implements AsyncIterableIterator<Change> {
  /** The same change waits only once: the record is read when its turn comes. */
  readonly #waiting = new Map<string, Change>();
  readonly #wants: (change: Change) => boolean;
  readonly #onEnd: () => void;
  #wake: (() => void) | undefined;
  #ended = false;

  constructor(wants: (change: Change) => boolean, onEnd: () => void) {
    this.#wants = wants;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(change: Change): void {
    if (this.#ended || !this.#wants(change)) return;
    this.#waiting.set(keyOf(change), change);
    if (this.#waiting.size > maxWaiting) this.end();
    else this.#wake?.();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting.clear();
    this.#onEnd();
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Change, undefined>> {
    while (!this.#ended && this.#waiting.size === 0) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    for (const [key, change] of this.#waiting) {
      this.#waiting.delete(key);
      return { done: false, value: change };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Change, undefined>> {
    this.end();
    return { done: true, value: undefined };
  }
}
