import type { Database, Statement } from '../database/index.ts';
import { eraseSeals, sweepAudit, sweepRevokedFamilies, sweeps, sweepUnconfirmed } from './statements/sweep.ts';
import { endExpiredShares } from './end-shares.ts';
import { sweepEvents } from '../events/statements.ts';
import { endExpiredMemberships } from './end-memberships.ts';
import { removeGroups } from './remove-groups.ts';
import { removeMarkedUsers } from './remove-users.ts';

/** Rows that one statement removes. */
const batch = 500;

export interface SweepOptions {
  readonly database: Database;
  /** Days for which audit events are kept. */
  readonly auditDays: number;
  /** Days for which domain events are kept. Default: for ever. */
  readonly eventDays?: number | undefined;
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
  { database, auditDays, eventDays }: SweepOptions,
  progress: Progress = { family: 0 },
): Promise<number> {
  const kinds: (readonly [Statement<{ removed: number }>, readonly unknown[]])[] = [
    ...[...eraseSeals, sweepUnconfirmed, ...Object.values(sweeps)].map((one) => [one, [batch]] as const),
    [sweepAudit, [batch, auditDays]],
    ...(eventDays === undefined ? [] : [[sweepEvents, [batch, eventDays]] as const]),
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
