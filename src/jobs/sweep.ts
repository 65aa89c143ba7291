import type { Database, Statement } from '../database/index.ts';
import { eraseSeals, sweepAudit, sweepRevokedFamilies, sweeps, sweepUnconfirmed } from './statements.ts';
import type { Log } from '../observability/index.ts';
import { counters } from '../counters.ts';
import { endExpiredShares } from './end-shares.ts';
import { endExpiredMemberships } from './end-memberships.ts';
import { removeGroups } from './remove-groups.ts';
import { removeMarkedUsers } from './remove-users.ts';

/** Rows that one statement removes. */
const batch = 500;
/** Milliseconds between two rounds; randomized, so that processes don't run at the same time. */
const pause = 20_000;

export interface SweepOptions {
  readonly database: Database;
  readonly log: Log;
  /** Days for which audit events are kept. */
  readonly auditDays: number;
}

/** Where the next round continues among token families that never expire. */
export interface Progress {
  family: number;
}

/**
 * One round: removes what is marked as deleted and what has expired, batch by batch, and the next batch of revoked
 * families.
 * @returns how many rows were removed
 */
export async function sweep(
  { database, auditDays }: Omit<SweepOptions, 'log'>,
  progress: Progress = { family: 0 },
): Promise<number> {
  const kinds: (readonly [Statement<{ removed: number }>, readonly unknown[]])[] = [
    ...[...eraseSeals, sweepUnconfirmed, ...Object.values(sweeps)].map((one) => [one, [batch]] as const),
    [sweepAudit, [batch, auditDays]],
  ];
  let total =
    (await removeGroups(database)) + (await endExpiredMemberships(database)) + (await endExpiredShares(database));
  for (const [one, values] of kinds) {
    for (;;) {
      const [row] = await database.rows(one, values);
      total += row!.removed;
      if (row!.removed < batch) break;
    }
  }
  // Last, because the sweeps above may mark more users.
  await removeMarkedUsers(database);
  const [families] = await database.rows(sweepRevokedFamilies, [batch, progress.family]);
  progress.family = families!.last ?? 0;
  return total + families!.removed;
}

/** Starts the sweep. @returns stops it, after the current round */
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
            // The next round retries; the log shows that this one failed.
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
