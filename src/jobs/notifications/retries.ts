/** Minutes before each further attempt. After the last one, a message has failed. */
const pauses = [1, 5, 30, 120, 480] as const;

/** Seconds before the next attempt, with a quarter of jitter; undefined after the last one. @param attempts how many failed */
export function pauseBeforeRetry(attempts: number, random = Math.random()): number | undefined {
  const minutes = pauses[attempts - 1];
  return minutes === undefined ? undefined : minutes * 60 * (0.75 + random / 2);
}

const firstRest = 1_000;
const longestRest = 60_000;

/**
 * Keeps a process from asking a mail server again and again that takes no message at all: it rests for longer each time.
 * Messages wait meanwhile, without losing an attempt.
 */
export class Rest {
  #failures = 0;
  #until = 0;

  /** Milliseconds until the server may be asked again; 0: now. */
  left(now = performance.now()): number {
    return Math.max(0, this.#until - now);
  }

  /** Whether the last message found the server unreachable: one message finds out whether it still is. */
  get isProbing(): boolean {
    return this.#failures > 0;
  }

  begin(now = performance.now(), random = Math.random()): void {
    // Several messages under way at the same time count as one failure.
    if (this.left(now) > 0) return;
    this.#until = now + Math.min(firstRest * 2 ** this.#failures, longestRest) * (0.75 + random / 2);
    this.#failures += 1;
  }

  end(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}
