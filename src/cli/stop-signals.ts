/**
 * Milliseconds within which further signals are the same request: one Ctrl-C
 * under `npm start` reaches the process twice, from the terminal and from npm.
 */
const sameRequest = 2_000;

/** What a process does when it is asked to stop. */
export interface Stopping {
  /** Says how to stop what has started by now; it is done at once if that was asked for already. */
  ready(stop: () => Promise<void>): Promise<void>;
}

/**
 * Listens for SIGINT and SIGTERM: the first lets `stop` finish and ends with 0,
 * one that comes later ends at once, whatever is under way.
 * @param fail ends the process over an error
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
