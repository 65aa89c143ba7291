import type { Socket } from 'node:net';
import type pg from 'pg';
import { withSession } from '../migrations/index.ts';
import { BackupError } from './error.ts';

/** A watchdog for progress. */
export interface Watch {
  /** Restarts the timer after progress. @param step the next step, for the message; omitted: unchanged */
  moved(step?: string): void;
  /** Announces that the server works without output until the next call: the watch asks it whether it is working. */
  rest(): void;
}

/**
 * Runs work on a connection, and fails it after a time without progress: the server hangs, the network lost the
 * connection, another session holds a lock, or the disk accepts no data. Otherwise, a stuck backup would look like a
 * running one.
 * @param connection the connection settings of the client
 * @param milliseconds without progress
 * @throws BackupError that names the stuck step
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
      // Ends the pending query, and the session with its locks.
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

/**
 * Whether the server is executing the client's statement, and waits neither for a lock nor for the client. Asked over
 * another connection.
 */
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

/** Connection settings for a watched session: connecting has a timeout, and TCP keep-alive notices a lost server. */
export const watchedConnection = (connection: pg.PoolConfig, milliseconds: number): pg.PoolConfig => ({
  ...connection,
  connectionTimeoutMillis: milliseconds,
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
});

/** Members of pg's client that its types omit. */
const internals = (client: pg.Client) =>
  client as unknown as { readonly processID: number; readonly connection: { readonly stream: Socket } };
