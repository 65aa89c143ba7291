import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type pg from 'pg';
import {
  adopt,
  fingerprintsOf,
  hostKeyFingerprint,
  InstanceKeyError,
  keyFault,
  keyFingerprints,
  keysFor,
  loadInstanceKeys,
  type KnownKey,
} from './auth/index.ts';
import type { Config } from './config.ts';
import type { Application } from './context.ts';
import {
  backUp,
  BackupError,
  checkBackup,
  restore,
  type BackupHeader,
  type CopyProgress,
  type RestoreOptions,
  watchedConnection,
} from './database/backup/index.ts';
import { embeddedVersion, reachEmbeddedPostgres } from './database/embedded/index.ts';
import { databaseFacts, knownKey, type DatabaseFacts } from './database/facts.ts';
import { openDatabase, type OpenDatabase } from './database/index.ts';
import {
  migrate,
  migrationStatus,
  withSession,
  type MigrationReport,
  type MigrationStatus,
} from './database/migrations/index.ts';
import { refuseUnfitPooler } from './database/wire/pooler.ts';
import { seed, type SeedPlan, type SeedProgress } from './database/seeding/index.ts';
import { enqueue } from './jobs/enqueue.ts';
import { jobHandlers } from './jobs/handlers.ts';
import { periodKey } from './jobs/statements/queue.ts';
import { Worker } from './jobs/worker.ts';
import { noMail, reachMailServer } from './mail/index.ts';
import { createLog, type Log } from './observability/index.ts';
import { closeRedis, openRedis } from './redis/index.ts';
import { schema } from './schema/index.ts';
import { pipelineClock } from './schema/pipelines/processing/clock.ts';
import { storageFits } from './schema/repository/storage/mark.ts';
import { jobNames, kindOf } from './values/job-kinds.ts';
import { filling, filesOf, gitOf, lasting, openStore, packageFolder, settling, version } from './server.ts';
import { addressOf, changesOf, directly, tellsPeople } from './services.ts';

/**
 * Composition for commands that work on the gateway's database, whether a gateway is running or not. They throw errors
 * with a `remedy` if the operator can fix the cause.
 */

export type {
  BackupHeader,
  CopyProgress,
  DatabaseFacts,
  KnownKey,
  MigrationReport,
  MigrationStatus,
  SeedPlan,
  SeedProgress,
};

export { embeddedVersion, fingerprintsOf, keyFault, loadInstanceKeys, reachMailServer };

const migrationsDir = join(packageFolder, 'prisma/migrations');

/** Runs work with a connection to the database. @param create whether to create a missing embedded database */
async function withConnection<T>(
  config: Config,
  work: (connection: pg.PoolConfig) => Promise<T>,
  create = false,
): Promise<T> {
  const embedded = config.databaseUrl ? undefined : await reachEmbeddedPostgres(config, create);
  try {
    return await work(embedded?.connection ?? { connectionString: config.databaseUrl });
  } finally {
    await embedded?.stop();
  }
}

/** The same, but without the pooler. */
const withDirectConnection: typeof withConnection = (config, work, create) =>
  withConnection(config, (connection) => work(directly(config, connection)), create);

/** Lets a command run operations. It migrates nothing and sends no mail. */
export function withDatabase<T>(
  config: Config,
  work: (application: Application, whole: GraphQLSchema) => Promise<T>,
): Promise<T> {
  return withSql(config, async (database, connection, log) => {
    const keys = await keysFor(database, config);
    const changes = await changesOf(config, keys, database, connection, log);
    const git = gitOf(config);
    try {
      // Only a running gateway knows a port that it chose itself: without a URL, links are paths.
      const baseUrl = config.baseUrl ?? (config.port === 0 ? '' : addressOf(config.host, config.port));
      return await work({ ...lasting(config, { keys, database, git, log }), changes, mail: noMail, baseUrl }, schema);
    } finally {
      await git.close();
      await changes.close();
    }
  });
}

function withSql<T>(
  config: Config,
  work: (database: OpenDatabase, connection: pg.PoolConfig, log: Log) => Promise<T>,
): Promise<T> {
  return withConnection(config, async (connection) => {
    if (config.databaseUrl) await refuseUnfitPooler(connection);
    const log = createLog('error');
    const database = openDatabase({ connection, connections: 2, statementTimeout: config.statementTimeout, log });
    try {
      return await work(database, connection, log);
    } finally {
      await database.close();
    }
  });
}

/**
 * Accepts an instance key that differs from the one that the database knows. @returns the fingerprint of the former
 * key, if it differed
 */
export const adoptInstanceKey = (config: Config): Promise<string | null> =>
  withSql(config, async (database) => (await adopt(database, config)).former);

/**
 * What the repositories need, for the doctor.
 * @returns the version of git, whether it is new enough, and whether the data folder belongs to the database
 * @throws if git can't be run
 */
export async function repositoryFacts(
  config: Config,
): Promise<{ version: string; supported: boolean; belongs: boolean | undefined }> {
  const git = gitOf(config);
  try {
    const { version: found, supported } = await git.version();
    // Before the first migration there is nothing to belong to.
    const belongs = await withSql(config, (database) => storageFits({ database, git })).catch(() => undefined);
    return { version: found, supported, belongs };
  } finally {
    await git.close();
  }
}

/** The fingerprint of the SSH host key, for the doctor; undefined before the first start that needs it. */
export const sshFingerprint = (config: Config): Promise<string | undefined> => withSql(config, hostKeyFingerprint);

/**
 * Runs a job by the clock now, in this process.
 * @returns false if it is running elsewhere, undefined if there is no such job
 * @throws what the job throws
 */
export async function runJob(config: Config, given: string): Promise<boolean | undefined> {
  const name = jobNames().find((one) => one === given && kindOf(one).every !== undefined);
  if (!name) return undefined;
  return await withSql(config, async (database, _connection, log) => {
    await enqueue(database, name, {} as never, { key: periodKey });
    const git = gitOf(config);
    const worker = new Worker({
      database,
      log,
      handlers: jobHandlers({
        ...config,
        git,
        files: filesOf(config),
        tells: tellsPeople(config),
        settleRepositories: settling(git),
        pipelineClock,
      }),
      concurrency: 1,
    });
    try {
      return await worker.runNow(name, periodKey);
    } finally {
      await git.close();
    }
  });
}

/** Fills the database with made-up rows; see `src/database/seeding`. */
export async function seedDatabase(
  config: Config,
  plan: SeedPlan,
  prefix: string,
  progress: SeedProgress,
): Promise<void> {
  // Batches have no time limit.
  const { database, close } = await openStore({ ...config, statementTimeout: 0 }, filling);
  try {
    await seed(database, plan, prefix, progress);
  } finally {
    await close();
  }
}

export function migrateDatabase(config: Config, onNotice: (message: string) => void): Promise<MigrationReport> {
  return withDirectConnection(config, (connection) => migrate({ connection, migrationsDir, onNotice }), true);
}

export function statusOfMigrations(config: Config): Promise<MigrationStatus> {
  return withDirectConnection(config, (connection) => migrationStatus({ connection, migrationsDir }));
}

/** Writes a backup of the database to a file. */
export function backUpDatabase(
  config: Config,
  file: string,
  progress: CopyProgress,
  stallTimeout = usualStallTimeout,
): Promise<BackupHeader> {
  return withDirectConnection(config, (to) => {
    const connection = { ...watchedConnection(to, stallTimeout), application_name: 'causeway backup' };
    return withSession(connection, (client) =>
      backUp(client, {
        connection,
        file,
        gateway: version,
        keys: () => keysInUse(client, config),
        progress,
        stallTimeout,
      }),
    );
  });
}

/**
 * The keys under which values may be sealed: those of the settings; if these are wrong or damaged, the key that the
 * database knows. A wrong key must not prevent a backup.
 */
async function keysInUse(client: pg.Client, config: Config): Promise<string[]> {
  const { fingerprint } = await knownKey(client);
  let ours: string[] = [];
  try {
    ours = keyFingerprints(config);
  } catch (error) {
    if (!(error instanceof InstanceKeyError)) throw error;
  }
  return fingerprint === null || ours.includes(fingerprint) ? ours : [fingerprint];
}

/**
 * Milliseconds without progress before a backup or restore fails: longer than a slow disk or a migration takes, but
 * short enough to be noticed the same night.
 */
export const usualStallTimeout = 300_000;

export interface RestoreChoices
  extends Pick<RestoreOptions, 'signOut' | 'progress' | 'onNotice'>, Partial<Pick<RestoreOptions, 'stallTimeout'>> {
  /** Whether to restore without a key under which something in the backup is sealed. */
  readonly otherKey: boolean;
}

/** Restores a backup into an empty database. */
export async function restoreDatabase(
  config: Config,
  file: string,
  { otherKey, ...choices }: RestoreChoices,
): Promise<BackupHeader> {
  const { progress } = choices;
  const header = await checkBackup(file, progress);
  if (!otherKey) refuseOtherKey(config, header);
  await withDirectConnection(
    config,
    (connection) => restore({ connection, migrationsDir, file, stallTimeout: usualStallTimeout, ...choices }),
    true,
  );
  if (otherKey) await adoptInstanceKey(config);
  return header;
}

/** Refuses a backup that needs a missing key. @throws BackupError */
function refuseOtherKey(config: Config, { keys, tables }: BackupHeader): void {
  const ours = keyFingerprints(config);
  if (keys.every((key) => ours.includes(key))) return;
  const people = tables.find(({ name }) => name === 'second_factors')?.rows ?? 0;
  throw new BackupError(
    `The backup was made under another instance key. Without it the second factors of ${people} people, their recovery codes, and tokens that an operator chose stop working.`,
    'Set CAUSEWAY_SECRET_KEY to the key that the backed-up gateway had (its secret.key, where it had an embedded database), or restore without it with --other-key.',
  );
}

/** Whether there is a database: an embedded one may not exist yet. */
export const hasDatabase = (config: Config): boolean =>
  config.databaseUrl !== undefined || existsSync(join(config.dataDir, 'postgres'));

/** Facts about the database: its server, the instance key that it knows, and its migrations. */
export interface Examined {
  readonly facts: DatabaseFacts;
  readonly known: KnownKey;
  readonly migrations: MigrationStatus;
}

export function examineDatabase(config: Config): Promise<Examined> {
  return withConnection(config, async (connection) => {
    if (config.databaseUrl) await refuseUnfitPooler(connection);
    return {
      ...(await withSession(
        { ...connection, application_name: 'causeway doctor', connectionTimeoutMillis: 10_000 },
        async (client) => ({
          facts: await databaseFacts(client),
          known: await knownKey(client),
        }),
      )),
      // Without the pooler, as at every start.
      migrations: await migrationStatus({ connection: directly(config, connection), migrationsDir }),
    };
  });
}

/** Milliseconds to wait for an answer of Redis. */
const redisTimeout = 3_000;

/** Whether Redis answers and accepts the credentials. */
export async function redisAnswers(url: string): Promise<boolean> {
  const connection = await openRedis(url, 'waits');
  try {
    return await Promise.race([
      connection.ping().then(
        () => true,
        () => false,
      ),
      pause(redisTimeout, false, { ref: false }),
    ]);
  } finally {
    closeRedis(connection);
  }
}
