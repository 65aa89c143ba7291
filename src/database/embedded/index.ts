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
  /** Made if it isn't there. The database lies in its folder `postgres`. */
  readonly dataDir: string;
  /** PostgreSQL settings beyond the defaults, by name. A server that is adopted keeps those it was started with. */
  readonly settings?: Record<string, string>;
  /** ErrorResponse what an operator may want to see in the log. */
  readonly onNotice?: (message: string) => void;
}

/** The gateway's own PostgreSQL, running. */
export interface EmbeddedPostgres {
  /** For node-postgres: the socket's folder as host, and a role that is no superuser. */
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** `adopted`: a killed gateway had left it running. */
  readonly origin: 'created' | 'started' | 'adopted';
  /** Of the postmaster, as it is now. */
  readonly pid: number;
  /** Fast shutdown; resolves when the postmaster is gone. May be called again. */
  stop(): Promise<void>;
}

/** The version of the PostgreSQL that is installed with the gateway. @throws EmbeddedPostgresError where there is none for this platform */
export const embeddedVersion = async (): Promise<string> => (await locatePackage()).version;

/**
 * Starts the gateway's own PostgreSQL: makes the cluster on first use, takes
 * over a server that a killed gateway has left, recovers after a crash.
 * @throws EmbeddedPostgresError with what to do about it
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, onNotice = () => {} } = options;
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
    return await own({ dataDir, cluster, account, binaries, settings, onNotice }, existing ? 'started' : 'created');
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw refusedBySystem(dataDir, error as NodeJS.ErrnoException);
  }
}

/** Makes the folder and those above it. Not by Node's own recursion, which never ends where nothing can be made, as in /proc. */
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
 * Reaches the database beside whoever runs it: over its socket while a gateway does,
 * and otherwise by starting it until `stop`.
 * @param create whether to make it where there is none
 * @throws EmbeddedPostgresError where there is none to reach
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

/** Milliseconds until a server that has ended is started again, and between two tries. */
const beforeAnother = 500;

/**
 * Holds the cluster's server until `stop`. One that ends by itself, killed or for
 * want of room on its disk, is started again at the same socket as often as it
 * takes, so whoever connects finds it there again.
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
    for (let told = ''; !stopping.signal.aborted;) {
      await pause(beforeAnother, undefined, { ref: false, signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        server = await bringUp({ ...site, socketFolder: connection.host }, onLost);
        return site.onNotice(`The PostgreSQL on ${site.dataDir} runs again.`);
      } catch (error) {
        const { message } = error as Error;
        if (message !== told) site.onNotice(message);
        told = message;
      }
    }
  }

  const stop = async () => {
    stopping.abort();
    leaveLog();
    await reviving;
    // The session ends with the server, not before: else another gateway could take over what is about to stop.
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
