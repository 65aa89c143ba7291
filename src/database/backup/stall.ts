import type { Socket } from 'node:net';
import type pg from 'pg';
import { withSession } from '../migrations/index.ts';
import { BackupError } from './error.ts';

/** Watches that work makes progress. */
export interface Watch {
  /** Progress was made: the time starts again. @param step what comes next, for the message; left out: the same as before */
  moved(step?: string): void;
  /** Until the next progress the server works on its own and says nothing. It counts as progress that it works. */
  rest(): void;
}

/**
 * Runs work on a connection, and fails it after a time without progress: the server hangs, the network lost the
 * connection, another session holds a lock, or the disk takes nothing. A backup that never ends looks like one
 * that runs.
 * @param connection the client's
 * @param milliseconds without progress
 * @throws BackupError that names the step at which the work stood still
 */
export async function failWhenStalled<T>(
  client: pg.Client,
  connection: pg.PoolConfig,
  milliseconds: number,
  work: (watch: Watch) => Promise<T>,
): Promise<T> {
  let step = 'beginning';
  let resting = false;
  let timer: NodeJS.Timeout | undefined;
  let arm!: () => void;
  const stalled = new Promise<never>((_resolve, reject) => {
    const giveUp = () => {
      reject(
        new BackupError(
          `No progress for ${milliseconds / 1_000} seconds while ${step}.`,
          'Nothing was kept. Look for a server or a disk that hangs, and for a session that holds a lock (pg_stat_activity), or allow more with --stall-timeout.',
        ),
      );
      // Frees what waits for its answer, and the session with its locks.
      internals(client).connection.stream.destroy();
    };
    const look = async () => {
      const looked = timer;
      const works = resting && (await isWorking(client, connection, milliseconds));
      // There was progress meanwhile, or the work is done.
      if (timer !== looked) return;
      if (works) arm();
      else giveUp();
    };
    arm = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void look(), milliseconds);
    };
  });
  arm();
  const watch: Watch = {
    moved(next = step) {
      step = next;
      resting = false;
      arm();
    },
    rest() {
      resting = true;
    },
  };
  try {
    return await Promise.race([work(watch), stalled]);
  } finally {
    clearTimeout(timer);
    timer = undefined;
  }
}

/** Whether the server works on what the client asked, and waits neither for a lock nor for the client. Asked by another connection. */
async function isWorking(client: pg.Client, connection: pg.PoolConfig, milliseconds: number): Promise<boolean> {
  try {
    return await withSession(
      { ...connection, connectionTimeoutMillis: milliseconds, query_timeout: milliseconds },
      async (other) => {
        const { rowCount } = await other.query(
          `SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND coalesce(wait_event_type, '') NOT IN ('Lock', 'Client')`,
          [internals(client).processID],
        );
        return rowCount === 1;
      },
    );
  } catch {
    return false;
  }
}

/** How a session is opened that is watched: a server that doesn't answer is given up, and TCP notices one that vanishes. */
export const watchedConnection = (connection: pg.PoolConfig, milliseconds: number): pg.PoolConfig => ({
  ...connection,
  connectionTimeoutMillis: milliseconds,
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
});

/** What pg keeps on a client and leaves out of its types. */
const internals = (client: pg.Client) =>
  client as unknown as { readonly processID: number; readonly connection: { readonly stream: Socket } };
