import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { GraphQLSchema } from 'graphql';
import type pg from 'pg';
import {
  adopt,
  fingerprintsOf,
  hostKeyFingerprint,
  keyFault,
  keysFor,
  loadInstanceKeys,
  type KnownKey,
} from './auth/index.ts';
import type { Config } from './config/index.ts';
import type { Application } from './context.ts';
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
import { packageFolder } from './package.ts';
import { closeRedis, openRedis } from './redis/index.ts';
import { schema } from './schema/index.ts';
import { pipelineClock } from './schema/pipelines/processing/clock.ts';
import { countedRepositories, storageFits } from './schema/repository/storage/mark.ts';
import { jobNames, kindOf } from './values/kinds/job-kinds.ts';
import { lasting, settling } from './server.ts';
import { addressOf, changesOf, directly, notifiesPeople } from './services.ts';
import { filling, filesOf, gitOf, openStore } from './store.ts';

/**
 * Composition for commands that work on the gateway's database, whether a gateway is running or not. They throw errors
 * with a `remedy` if the operator can fix the cause.
 */

export type { DatabaseFacts, KnownKey, MigrationReport, MigrationStatus, SeedPlan, SeedProgress };

export { embeddedVersion, fingerprintsOf, keyFault, loadInstanceKeys, reachMailServer };

export const migrationsDir = join(packageFolder, 'prisma/migrations');

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
export const withDirectConnection: typeof withConnection = (config, work, create) =>
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

/** What the repositories need, for the doctor. */
export interface RepositoryFacts {
  /** Of git. */
  readonly version: string;
  /** Whether it is new enough. */
  readonly supported: boolean;
  /** Whether the data folder belongs to the database; undefined before the first migration. */
  readonly belongs: boolean | undefined;
  /** Repositories that something was written to. */
  readonly count: number;
  /** Their bytes, as they were counted after the last writes. */
  readonly bytes: number;
  /** Projects whose repository isn’t in the data folder, by number. */
  readonly missing: readonly number[];
}

/** @throws if git can't be run */
export async function repositoryFacts(config: Config): Promise<RepositoryFacts> {
  const git = gitOf(config);
  try {
    const facts = await git.version();
    // Before the first migration there is nothing to belong to, and nothing to count.
    const stored = await withSql(config, async (database) => ({
      belongs: await storageFits({ database, git }),
      ...(await countedRepositories({ database, git })),
    })).catch(() => ({ belongs: undefined, count: 0, bytes: 0, missing: [] }));
    return { ...facts, ...stored };
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
        notifies: notifiesPeople(config),
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
  const { database, close } = await openStore({ ...config, statementTimeout: 0 }, { settings: filling });
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
