/**
 * Milliseconds during which further signals count as the same one. Under `npm start`, one Ctrl-C
 * reaches the process twice: from the terminal and from npm.
 */
const sameRequest = 2_000;

/** Graceful shutdown of a process. */
export interface Stopping {
  /** Sets the function that stops the process. If a signal has already come, stops at once. */
  ready(stop: () => Promise<void>): Promise<void>;
}

/**
 * Listens for SIGINT and SIGTERM. The first runs `stop` and exits with 0 (graceful shutdown);
 * a later one exits at once.
 * @param fail is called with the error if stopping fails; it must exit
 */
export function listenForStop(fail: (error: unknown) => never): Stopping {
  let askedAt: number | undefined;
  let stop: (() => Promise<void>) | undefined;

  const finish = () => stop?.().then(() => process.exit(0), fail);
  const asked = () => {
    const now = performance.now();
    if (askedAt !== undefined && now - askedAt > sameRequest) process.exit(1);
    if (askedAt !== undefined) return;
    askedAt = now;
    process.stdout.write('Stopping…\n');
    void finish();
  };
  process.on('SIGINT', asked);
  process.on('SIGTERM', asked);

  return {
    async ready(started) {
      stop = started;
      if (askedAt !== undefined) await finish();
    },
  };
}
