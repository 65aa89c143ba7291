import { setMaxListeners } from 'node:events';

/**
 * Whether the client of a request disconnected before it was answered, as statements ask it.
 * The signal of the request says the same; listening to it once is cheaper than once for each statement.
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
    if (this.gone) controller.abort();
    else this.add(() => controller.abort());
    return controller.signal;
  }
}
