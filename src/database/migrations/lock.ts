import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { MigrationError } from './error.ts';

/** Prisma's advisory lock, which `prisma migrate deploy` takes too. */
const advisoryLock = 72707369;

/**
 * Waits until no other process migrates. The lock ends with the session. It polls instead of waiting inside a
 * statement: that would hold a snapshot, and `CREATE INDEX CONCURRENTLY` in the other process waits for snapshots.
 */
export async function lock(client: pg.Client, lockTimeout: number, onNotice: (message: string) => void): Promise<void> {
  const deadline = Date.now() + lockTimeout;
  for (let waited = false; ; waited = true) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      advisoryLock,
    ]);
    if (rows[0]?.locked) return;
    if (Date.now() >= deadline) break;
    if (!waited) onNotice('Another process is migrating the database; waiting for it.');
    await pause(100);
  }
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [advisoryLock],
  );
  const holder = rows.map(({ pid }) => pid).join(', ');
  throw new MigrationError(
    `Another process (PostgreSQL session ${holder}) has been migrating the database for more than ${lockTimeout / 1000} s.`,
    `Start again when it is done. If no process is migrating, end that session: SELECT pg_terminate_backend(${holder});`,
  );
}
