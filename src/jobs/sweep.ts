import type { Database, Statement } from '../database/index.ts';
import { eraseSeals, sweepAudit, sweepRevokedFamilies, sweeps, sweepUnconfirmed } from './statements.ts';
import type { Log } from '../observability/index.ts';
import { counters } from '../counters.ts';
import { endExpiredMemberships } from './end-memberships.ts';
import { removeGroups } from './remove-groups.ts';
import { removeMarkedUsers } from './remove-users.ts';

/** Rows that one statement removes. */
const batch = 500;
/** Milliseconds between two rounds; each process waits a little differently, so that they don't meet. */
const pause = 20_000;

export interface SweepOptions {
  readonly database: Database;
  readonly log: Log;
  /** Days for which audit events are kept. */
  readonly auditDays: number;
}

/** How far the families that never expire were looked through: the id of the last one. */
export interface Progress {
  family: number;
}

/**
 * One round: what was taken out of sight, every kind of row that has had its time, batch after batch, and
 * the next batch of families that never expire.
 * @returns how many went
 */
export async function sweep(
  { database, auditDays }: Omit<SweepOptions, 'log'>,
  progress: Progress = { family: 0 },
): Promise<number> {
  const kinds: (readonly [Statement<{ removed: number }>, readonly unknown[]])[] = [
    ...[...eraseSeals, sweepUnconfirmed, ...Object.values(sweeps)].map((one) => [one, [batch]] as const),
    [sweepAudit, [batch, auditDays]],
  ];
  let total = (await removeGroups(database)) + (await endExpiredMemberships(database));
  for (const [one, values] of kinds) {
    for (;;) {
      const [row] = await database.rows(one, values);
      total += row!.removed;
      if (row!.removed < batch) break;
    }
  }
  // After those who were just marked.
  await removeMarkedUsers(database);
  const [families] = await database.rows(sweepRevokedFamilies, [batch, progress.family]);
  progress.family = families!.last ?? 0;
  return total + families!.removed;
}

/** Sweeps from time to time. @returns what stops it, after the round under way */
export function startSweeping(options: SweepOptions): () => Promise<void> {
  const progress: Progress = { family: 0 };
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  let timer = schedule();

  function schedule(): NodeJS.Timeout {
    return setTimeout(
      () => {
        round = sweep(options, progress)
          .then(
            (removed) => {
              counters.jobs.count('done');
              counters.removed.count('sweep', removed);
              options.log.debug({ removed }, 'swept');
            },
            // The next round tries again; whoever watches the log sees that this one failed.
            (error: Error) => {
              counters.jobs.count('failed');
              options.log.warn({ error: error.message }, 'sweeping failed');
            },
          )
          .finally(() => {
            if (!stopped) timer = schedule();
          });
      },
      pause * (0.75 + Math.random() / 2),
    ).unref();
  }

  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}
