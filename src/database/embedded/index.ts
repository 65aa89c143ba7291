import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseAccount } from './account.ts';
import { locatePackage, provideBinaries } from './binaries.ts';
import {
  createCluster,
  findCluster,
  readPasswords,
  refuseOtherMajor,
  refuseUnreachable,
  removeDrafts,
  role,
} from './cluster.ts';
import { EmbeddedPostgresError, refusedBySystem } from './error.ts';
import { watchLog } from './log-file.ts';
import { findPostmaster, removeSocketFolder, stopPostmaster } from './postmaster.ts';
import { bringUp, logOf, type Site } from './server.ts';

export { EmbeddedPostgresError };

export interface EmbeddedOptions {
  /** Created if missing. The database is in its folder `postgres`. */
  readonly dataDir: string;
  /** PostgreSQL settings beyond the defaults, by name. An adopted server keeps the settings it was started with. */
  readonly settings?: Record<string, string>;
  /** Called with messages for the log. */
  readonly onNotice?: (message: string) => void;
  /** Called once the server was started, while it isn’t ready yet: a caller may do other work in that time. */
  readonly onStarting?: () => void;
}

/** The gateway's own PostgreSQL, running. */
export interface EmbeddedPostgres {
  /** For node-postgres: the socket's folder as host, and a role that isn't superuser. */
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** `adopted`: a killed gateway had left it running. */
  readonly origin: 'created' | 'started' | 'adopted';
  /** The current process id of the postmaster. */
  readonly pid: number;
  /** Fast shutdown; resolves when the postmaster has ended. May be called again. */
  stop(): Promise<void>;
}

/** The version of the PostgreSQL that is installed with the gateway. @throws EmbeddedPostgresError where there is none for this platform */
export const embeddedVersion = async (): Promise<string> => (await locatePackage()).version;

/**
 * Starts the gateway's own PostgreSQL: creates the cluster on first use, adopts a server that a killed gateway left
 * running, recovers after a crash.
 * @throws EmbeddedPostgresError with a remedy
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, onNotice = () => {}, onStarting } = options;
  const dataDir = resolve(options.dataDir);
  try {
    const found = await locatePackage();
    await makeFolder(dataDir);
    const existing = await findCluster(dataDir);
    const account = await chooseAccount(existing?.owner);
    const binaries = await provideBinaries(found, account, dataDir);
    const cluster = existing ?? (await createCluster(dataDir, account, binaries, onNotice));
    refuseOtherMajor(cluster, binaries);
    await refuseUnreachable(cluster, account);
    return await own(
      { dataDir, cluster, account, binaries, settings, onNotice, onStarting },
      existing ? 'started' : 'created',
    );
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw refusedBySystem(dataDir, error as NodeJS.ErrnoException);
  }
}

/** Creates the folder and its parents. Node's recursive mkdir never ends where nothing can be created, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder || (await stat(dirname(folder)).catch(() => undefined)))
      throw error;
    await makeFolder(dirname(folder));
    await makeFolder(folder);
  }
}

/**
 * Reaches the database beside a running gateway over its socket; without one, starts PostgreSQL until `stop`.
 * @param create whether to create a missing database
 * @throws EmbeddedPostgresError when there is no database to reach
 */
export async function reachEmbeddedPostgres(
  { dataDir }: Pick<EmbeddedOptions, 'dataDir'>,
  create = false,
): Promise<Pick<EmbeddedPostgres, 'connection' | 'stop'>> {
  const cluster = await findCluster(dataDir);
  if (!cluster && create) return await startEmbeddedPostgres({ dataDir });
  if (!cluster)
    throw new EmbeddedPostgresError(
      `There is no database in ${dataDir} yet.`,
      'Start the gateway first, or set DATA_DIR to its folder.',
    );
  const postmaster = await findPostmaster(cluster.folder);
  if (postmaster?.status !== 'ready') return await startEmbeddedPostgres({ dataDir });
  const { gateway: password } = await readPasswords(cluster);
  const connection = { host: postmaster.socketFolder, port: postmaster.port, user: role, password, database: role };
  return { connection, stop: () => Promise.resolve() };
}

/** Milliseconds before a server that ended is restarted, and between attempts. */
const restartDelay = 500;

/**
 * Keeps the cluster's server running until `stop`. A server that ends by itself (killed, disk full) is restarted on the
 * same socket until it runs, so clients find it at the same address.
 */
async function own(site: Site, begun: 'created' | 'started'): Promise<EmbeddedPostgres> {
  const stopping = new AbortController();
  let reviving: Promise<void> | undefined;

  const onLost = (error: Error) => {
    if (stopping.signal.aborted || reviving) return;
    site.onNotice(`The PostgreSQL on ${site.dataDir} has ended, or recovers: ${error.message}`);
    reviving = revive().finally(() => (reviving = undefined));
  };
  let server = await bringUp(site, onLost);
  const { connection, adopted } = server;
  const leaveLog = watchLog(logOf(site.dataDir));

  async function revive(): Promise<void> {
    for (let lastMessage = ''; !stopping.signal.aborted;) {
      await pause(restartDelay, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        server = await bringUp({ ...site, socketFolder: connection.host }, onLost);
        return site.onNotice(`The PostgreSQL on ${site.dataDir} runs again.`);
      } catch (error) {
        const { message } = error as Error;
        if (message !== lastMessage) site.onNotice(message);
        lastMessage = message;
      }
    }
  }

  const stop = async () => {
    stopping.abort();
    leaveLog();
    await reviving;
    // End the session with the server, not before: another gateway could adopt a server that is about to stop.
    await stopPostmaster(site.cluster.folder, server.postmaster.pid);
    await removeSocketFolder(server.postmaster.socketFolder);
    void server.session.end().catch(() => {});
  };
  await removeDrafts(site.dataDir);
  let stopped: Promise<void> | undefined;
  return {
    connection,
    origin: adopted ? 'adopted' : begun,
    get pid() {
      return server.postmaster.pid;
    },
    stop: () => (stopped ??= stop()),
  };
}
