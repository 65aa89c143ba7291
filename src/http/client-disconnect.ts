import { setMaxListeners } from 'node:events';

/**
 * Whether the client of a request disconnected before the answer. Statements listen to this instead of the request's
 * `AbortSignal`: one listener on the signal is cheaper than one for each statement.
 */
export class ClientDisconnect {
  readonly #listeners = new Set<() => void>();
  readonly #signal: AbortSignal;

  constructor({ signal }: Pick<Request, 'signal'>) {
    this.#signal = signal;
    signal.addEventListener('abort', () => {
      for (const listener of this.#listeners) listener();
    });
  }

  get gone(): boolean {
    return this.#signal.aborted;
  }

  /** @param listener called when the client disconnects; never if it has disconnected already */
  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  delete(listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** The same as an `AbortSignal`. */
  signal(): AbortSignal {
    const controller = new AbortController();
    // Many listeners are normal: every operation of a batch adds one.
    setMaxListeners(0, controller.signal);
    if (this.gone) controller.abort();
    else this.add(() => controller.abort());
    return controller.signal;
  }
}
