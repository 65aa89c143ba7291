import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../src/database/embedded/index.ts';
import { query } from './database.ts';
import { scratch } from './scratch.ts';

/** A PostgreSQL of a test's own that can crash. */
export interface CrashingPostgres {
  readonly url: string;
  /** Kills one of the processes that answer clients: PostgreSQL ends all the others and recovers from its log. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one with an empty database. */
export async function crashingPostgres(): Promise<CrashingPostgres> {
  const dataDir = await mkdtemp(join(scratch(), 'causeway-crashing-'));
  const { connection, stop } = await startEmbeddedPostgres({ dataDir });
  const { host, user, password, database } = connection;
  const url = `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`;
  return {
    url,
    async crash() {
      const [row] = await query<{ pid: number }>(
        url,
        `select pid from pg_stat_activity
          where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid() limit 1`,
      );
      process.kill(row!.pid, 'SIGKILL');
    },
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
