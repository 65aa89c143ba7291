/** Who waits for one kind of event, each for a limited time. */
export class Waiters {
  readonly #waiting = new Set<() => void>();
  /** How often the event happened. */
  count = 0;

  /** The event happened. */
  wake(): void {
    this.count++;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Waits for the next event, at most this long. */
  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#waiting.add(end);
      if (signal?.aborted) end();
      else signal?.addEventListener('abort', end);
    });
  }
}
