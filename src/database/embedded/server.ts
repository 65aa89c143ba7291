import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { type Cluster, readPasswords, role } from './cluster.ts';
import { EmbeddedPostgresError, failedProgram } from './error.ts';
import { OccupiedError, takeGatewayLock } from './lock.ts';
import {
  findPostmaster,
  type Postmaster,
  removeSocketFolder,
  startPostmaster,
  type StartedPostmaster,
  stopPostmaster,
} from './postmaster.ts';

/** The inputs for starting a server on a cluster. */
export interface Site {
  readonly dataDir: string;
  readonly cluster: Cluster;
  readonly account: Account;
  readonly binaries: Binaries;
  readonly settings: Record<string, string>;
  readonly onNotice: (message: string) => void;
  readonly onStarting?: (() => void) | undefined;
  /** The folder of the server's socket, if clients know the address already; omitted: a new folder. */
  readonly socketFolder?: string;
}

/** A server that only this gateway uses. */
export interface Server {
  readonly postmaster: Postmaster;
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** Holds the gateway's lock. */
  readonly session: pg.Client;
  /** Whether it was running already. */
  readonly adopted: boolean;
}

/** Milliseconds for a server to stop, or to answer after it reports ready. Recovery has no limit. */
const startTimeout = 30_000;

/**
 * Finds or starts the cluster's server, and takes the gateway's lock on it. It checks again in each round: the server
 * may run already, be stopping, or be started by another gateway at the same moment.
 * @param onLost called when the session with the lock breaks
 */
export async function bringUp(site: Site, onLost: (error: Error) => void): Promise<Server> {
  const { folder } = site.cluster;
  const { gateway: password } = await readPasswords(site.cluster);
  const notice = setTimeout(
    () =>
      site.onNotice(`Waiting for the PostgreSQL on ${folder}. After a crash, or on a busy machine, it takes longer.`),
    3_000,
  );
  let started: StartedPostmaster | undefined;
  try {
    for (let deadline = Date.now() + startTimeout; ; await pause(5)) {
      const postmaster = await findPostmaster(folder);
      if (postmaster?.status === 'ready') {
        const connection = {
          host: postmaster.socketFolder,
          port: postmaster.port,
          user: role,
          password,
          database: role,
        };
        const session = await takeGatewayLock(connection, site.dataDir, onLost);
        if (session) return { postmaster, connection, session, adopted: postmaster.pid !== started?.child.pid };
      }
      if (!postmaster) {
        started = await startOnce(site, started, deadline);
        site.onStarting?.();
      }
      if (postmaster?.status === 'starting') deadline = Date.now() + startTimeout;
      if (postmaster && Date.now() > deadline) throw silent(folder, postmaster);
    }
  } catch (error) {
    // Don't stop a server that another gateway uses by now, whichever process started it.
    if (started && !(error instanceof OccupiedError)) await stopPostmaster(folder, started.child.pid);
    throw error;
  } finally {
    clearTimeout(notice);
  }
}

/** The log file of a data folder's server. */
export const logOf = (dataDir: string): string => join(dataDir, 'postgres.log');

/** Starts the server. Retries only if the start failed because another server was still there. */
async function startOnce(
  { cluster, account, binaries, dataDir, settings, socketFolder }: Site,
  started: StartedPostmaster | undefined,
  deadline: number,
) {
  if (started?.child.exitCode === null && started.child.signalCode === null) return started;
  const log = logOf(dataDir);
  if (started) {
    await removeSocketFolder(started.socketFolder);
    const words = await started.lastWords();
    // Another start was faster, or sessions of a killed server haven't ended yet.
    if (Date.now() > deadline || !/lock file|shared memory block/.test(words)) {
      throw await failedProgram(
        `PostgreSQL does not start on ${cluster.folder}`,
        words,
        cluster.folder,
        `Remove the cause it names (${log} has more), or set DATA_DIR to another folder, or set DATABASE_URL.`,
      );
    }
    await pause(100);
  }
  return startPostmaster(binaries.postgres, cluster.folder, account, log, settings, socketFolder);
}

function silent(folder: string, { pid }: Postmaster): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The PostgreSQL on ${folder} (process ${pid}) does not answer.`,
    `End it (kill -INT ${pid}), and start the gateway again.`,
  );
}
