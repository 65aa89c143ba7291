import type { Database } from '../../../database/index.ts';
import { endJobIn } from './finish.ts';
import { findStuck } from './statements.ts';

/** Jobs that one look finds of each kind. */
const most = 100;

/**
 * The job `drop_stuck_jobs`: fails jobs that run longer than they may, whose runner is silent, that waited for one too
 * long, and delayed ones that were never started.
 * @returns how many it ended
 */
export async function dropStuckJobs(database: Database, signal: AbortSignal): Promise<number> {
  let dropped = 0;
  for (;;) {
    let ended = 0;
    for (const { id, status, reason } of await database.rows(findStuck, [most])) {
      signal.throwIfAborted();
      const outcome = { status: 'failed', failureReason: reason } as const;
      if (await database.transaction((sql) => endJobIn(sql, id, outcome, [status]))) ended += 1;
    }
    dropped += ended;
    // None: others end them just now.
    if (ended === 0) return dropped;
  }
}
