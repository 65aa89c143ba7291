import type { ChangeFeed } from '../changes/index.ts';
import { Worker, type WorkerOptions } from './worker.ts';

/**
 * Starts the worker of a gateway. What this process enqueues wakes it after the commit; when it is full, the feed wakes
 * the other processes.
 * @param drainTimeout milliseconds for which a stop waits for running jobs
 * @returns stops it: claims nothing more from the call on. Does nothing for a concurrency of 0
 */
export function startWorker(
  options: Omit<WorkerOptions, 'onFull'>,
  changes: ChangeFeed,
  drainTimeout: number,
): () => Promise<void> {
  if (options.concurrency === 0) return () => Promise.resolve();
  const worker = new Worker({ ...options, onFull: () => changes.publishJobs() }).start();
  const stopListening = options.database.onEnqueued(() => worker.wake());
  void changes.listenForJobs(() => worker.wake());
  let closed: Promise<void> | undefined;
  return () => {
    stopListening();
    return (closed ??= worker.close(drainTimeout));
  };
}
