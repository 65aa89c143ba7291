import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Whether the client of a request has left before it was answered. An AbortSignal tells
 * the same; making one, and listening to it for each statement, costs more than most
 * statements cost to send.
 */
export class Leaving {
  readonly #listeners = new Set<() => void>();
  #gone = false;

  constructor(response: ServerResponse) {
    response.on('close', () => {
      if (response.writableFinished) return;
      this.#gone = true;
      for (const listener of this.#listeners) listener();
    });
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** @param listener is called at once when the client leaves; never for one that has left already */
  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  delete(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** The same as others know it. */
  signal(): AbortSignal {
    const controller = new AbortController();
    // Every operation of a batch listens.
    setMaxListeners(0, controller.signal);
    if (this.#gone) controller.abort();
    else this.add(() => controller.abort());
    return controller.signal;
  }
}
