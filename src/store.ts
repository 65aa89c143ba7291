import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { keysFor, loadInstanceKeys, type InstanceKeys } from './auth/index.ts';
import type { ChangeFeed } from './changes/index.ts';
import type { Config } from './config/index.ts';
import { reachEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedOptions } from './database/embedded/index.ts';
import { openDatabase, type OpenDatabase } from './database/index.ts';
import { migrate } from './database/migrations/index.ts';
import { databaseProbe, type DatabaseProbe } from './database/probe.ts';
import { refuseUnfitPooler } from './database/wire/pooler.ts';
import { Git } from './git/index.ts';
import { createLog, type Log } from './observability/index.ts';
import { packageFolder } from './package.ts';
import { changesOf, directly } from './services.ts';
import { Folder, type FileStore } from './storage/files.ts';

/**
 * What a gateway keeps: its database, its keys, its repositories and its files. This knows no schema, which takes most of
 * a start to load.
 */

export const mebibyte = 1_048_576;

/** The configured database, migrated and open. */
export interface Store {
  readonly database: OpenDatabase;
  readonly probe: DatabaseProbe;
  readonly changes: ChangeFeed;
  readonly keys: InstanceKeys;
  readonly git: Git;
  readonly log: Log;
  /** Closes the database, and stops it if it is the gateway's own. */
  close(): Promise<void>;
}

/** How the gateway's own PostgreSQL is started. */
type OwnDatabase = Pick<EmbeddedOptions, 'settings' | 'onStarting'>;

/** Starts the gateway's own PostgreSQL, with room for the connection pools of all processes. */
export function startOwnDatabase(
  { dataDir, workers, databaseConnections }: Config,
  log: Log,
  { settings, onStarting }: OwnDatabase = {},
) {
  // 20 more for commands, migrations and tools of an operator.
  const connections = Math.max(100, workers * databaseConnections + 20);
  return startEmbeddedPostgres({
    dataDir,
    settings: { max_connections: String(connections), ...settings },
    onNotice: (message) => log.info({}, message),
    ...(onStarting && { onStarting }),
  });
}

/**
 * Opens and migrates the database.
 * @param own for the embedded PostgreSQL, if it is used; `runs`: whether another process runs it
 */
export async function openStore(
  config: Config,
  { runs = cluster.isWorker, ...own }: OwnDatabase & { readonly runs?: boolean } = {},
): Promise<Store> {
  const log = createLog(config.logLevel);
  const onNotice = (message: string) => log.info({}, message);
  // Refuse a damaged key file before starting anything.
  loadInstanceKeys(config);
  const embedded = config.databaseUrl
    ? undefined
    : await (runs ? reachEmbeddedPostgres(config) : startOwnDatabase(config, log, own));
  const connection: pg.PoolConfig = embedded?.connection ?? { connectionString: config.databaseUrl };
  const cleanUp: (() => Promise<void>)[] = [async () => embedded?.stop()];
  const close = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  };
  try {
    if (!embedded) await refuseUnfitPooler(connection);
    const { all } = await migrate({
      connection: directly(config, connection),
      migrationsDir: join(packageFolder, 'prisma/migrations'),
      onNotice,
    });
    const { databaseConnections: connections, statementTimeout, connectionTimeout } = config;
    const replica = config.databaseReplicaUrl ? { connectionString: config.databaseReplicaUrl } : undefined;
    const database = openDatabase({
      connection,
      connections,
      statementTimeout,
      connectionTimeout,
      log,
      replica,
      movable: config.databaseMoves,
    });
    const probe = databaseProbe(connection, all, database.primary);
    cleanUp.push(
      () => database.close(),
      () => probe.close(),
    );
    const keys = await keysFor(database, config);
    const git = gitOf(config);
    cleanUp.push(() => git.close());
    const changes = await changesOf(config, keys, database, connection, log);
    cleanUp.push(() => changes.close());
    return { database, probe, changes, keys, git, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Settings of the embedded PostgreSQL for bulk loading: fewer checkpoints during one long write. */
export const filling = { max_wal_size: '8GB', checkpoint_timeout: '30min' };

/** The repositories below the data folder. Processes of one machine share it, and what git may do there at a time. */
export const gitOf = ({ dataDir, workers, repositories: { largest, largestPush } }: Config): Git =>
  new Git({
    root: join(dataDir, 'repositories'),
    program: join(packageFolder, 'dist/git-runner.js'),
    share: Math.ceil((4 * availableParallelism()) / Math.max(1, workers)),
    pooled: Math.ceil(64 / Math.max(1, workers)),
    limits: { push: largestPush * mebibyte, repository: largest === 0 ? Infinity : largest * mebibyte },
  });

/** Logs and artifacts of jobs, below the data folder. */
export const filesOf = ({ dataDir }: Config): FileStore => new Folder(join(dataDir, 'job-files'));
