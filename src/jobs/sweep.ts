import type { Database, Statement } from '../database/index.ts';
import { eraseSeals, sweepAudit, sweeps } from '../database/statements/sweep.ts';
import type { Log } from '../observability/index.ts';
import { removeMarkedUsers } from './remove-users.ts';

/** Rows that one statement removes. */
const batch = 500;
/** Milliseconds between two rounds; each process waits a little differently, so that they don't meet. */
const pause = 20_000;

export interface SweepOptions {
  readonly database: Database;
  readonly log: Log;
  /** Seconds. */
  readonly refreshReuseWindow: number;
  /** Days for which audit events are kept. */
  readonly auditDays: number;
}

/** One round: people who are being removed, then every kind of row that has had its time, batch after batch. @returns how many rows of those went */
export async function sweep({ database, refreshReuseWindow, auditDays }: Omit<SweepOptions, 'log'>): Promise<number> {
  const kinds: (readonly [Statement<{ removed: number }>, readonly unknown[]])[] = [
    [eraseSeals, [batch, refreshReuseWindow]],
    ...Object.values(sweeps).map((one) => [one, [batch]] as const),
    [sweepAudit, [batch, auditDays]],
  ];
  await removeMarkedUsers(database);
  let total = 0;
  for (const [one, values] of kinds) {
    for (;;) {
      const [row] = await database.rows(one, values);
      total += row!.removed;
      if (row!.removed < batch) break;
    }
  }
  return total;
}

/** Sweeps from time to time. @returns what stops it, after the round under way */
export function startSweeping(options: SweepOptions): () => Promise<void> {
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  let timer = schedule();

  function schedule(): NodeJS.Timeout {
    return setTimeout(() => {
      round = sweep(options)
        .then(
          (removed) => options.log.debug({ removed }, 'swept'),
          // The next round tries again; whoever watches the log sees that this one failed.
          (error: Error) => options.log.warn({ error: error.message }, 'sweeping failed'),
        )
        .finally(() => {
          if (!stopped) timer = schedule();
        });
    }, pause * (0.75 + Math.random() / 2)).unref();
  }

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}
