import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import {
  CredentialWatch,
  fingerprintsOf,
  keysFor,
  loadInstanceKeys,
  randomPassword,
  type InstanceKeys,
} from './auth/index.ts';
import { ChangeFeed } from './changes/index.ts';
import { isNew, setUp, type FirstStart } from './first-start/index.ts';
import type { Config } from './config.ts';
import type { Application } from './context.ts';
import { reachEmbeddedPostgres, startEmbeddedPostgres } from './database/embedded/index.ts';
import { postgresPubSub } from './database/pub-sub.ts';
import { openDatabase, type OpenDatabase, type Sql } from './database/index.ts';
import { refuseUnfitPooler } from './database/wire/pooler.ts';
import { databaseProbe, type DatabaseProbe } from './database/probe.ts';
import { migrate } from './database/migrations/index.ts';
import { listen, monitoringDoor, lazyDoor, type Door, type HttpServer, type Readiness } from './http/index.ts';
import { defaultSettings, SettingsStore } from './instance/settings.ts';
import { startSweeping } from './jobs/sweep.ts';
import { startLimits } from './limits/index.ts';
import { noMail, startMail } from './mail/index.ts';
import { profileOf, Refusals } from './oauth/index.ts';
import {
  accessLog,
  alone,
  amongWorkers,
  createLog,
  createMetrics,
  flushLog,
  startTracing,
  type Log,
} from './observability/index.ts';
import { redisPubSub } from './redis/index.ts';
import { restDoor, restUnavailable } from './rest/index.ts';
import { schema } from './schema/index.ts';

/** The package's own folder, from the sources and from the bundle alike. */
export const packageFolder = fileURLToPath(new URL('..', import.meta.url));
export const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };

/** Set-up takes this advisory lock: of several processes that start at once, one does it. */
const setUpLock = 815_001;

/** Milliseconds after a start in which only requests open doors. */
const openingPause = 1_000;

/** What was started, as an operator is told it. */
export interface Started {
  /** Where people reach it. */
  readonly baseUrl: string;
  /** Where it listens, which may be behind a proxy. */
  readonly listening: string;
  /** Of its own PostgreSQL; undefined with a given one. */
  readonly dataDir: string | undefined;
  /** What to show once, if this start set the database up. */
  readonly firstStart: FirstStart | undefined;
  /** Lets requests under way finish, then stops the database too if it is the gateway's own. */
  stop(): Promise<void>;
}

/** A gateway that runs in this process. */
export interface Gateway extends Started {
  readonly application: Application;
}

/** The database that the settings name, migrated and open. */
interface Store {
  readonly database: OpenDatabase;
  readonly probe: DatabaseProbe;
  readonly changes: ChangeFeed;
  readonly keys: InstanceKeys;
  readonly log: Log;
  /** Closes it, and stops it too if it is the gateway's own. */
  close(): Promise<void>;
}

/**
 * Starts the gateway's own PostgreSQL, with room for the connections of every process.
 * @param settings of PostgreSQL
 */
export function startOwnDatabase(
  { dataDir, workers, databaseConnections }: Config,
  log: Log,
  settings: Record<string, string> = {},
) {
  // Beside them: commands, migrations, and whatever an operator looks with.
  const connections = Math.max(100, workers * databaseConnections + 20);
  return startEmbeddedPostgres({
    dataDir,
    settings: { max_connections: String(connections), ...settings },
    onNotice: (message) => log.info({}, message),
  });
}

/** @param settings of the embedded PostgreSQL, if it is the one */
export async function openStore(config: Config, settings: Record<string, string> = {}): Promise<Store> {
  const log = createLog(config.logLevel);
  const onNotice = (message: string) => log.info({}, message);
  // A file that holds no key is refused before anything is started.
  loadInstanceKeys(config);
  // A worker's is run by the process that watches over it.
  const embedded = config.databaseUrl
    ? undefined
    : await (cluster.isWorker ? reachEmbeddedPostgres(config) : startOwnDatabase(config, log, settings));
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
      movable: !embedded,
    });
    const probe = databaseProbe(connection, all, database.primary);
    cleanUp.push(
      () => database.close(),
      () => probe.close(),
    );
    const keys = await keysFor(database, config);
    const changes = await changesOf(config, keys, database, connection, log);
    cleanUp.push(() => changes.close());
    return { database, probe, changes, keys, log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Of the embedded PostgreSQL while it is filled: one long write wants no checkpoint every few seconds. */
export const filling = { max_wal_size: '8GB', checkpoint_timeout: '30min' };

/**
 * Composition: config → database → schema → doors → listen → drain. No logic.
 * @throws errors with a `remedy` where the operator can do something about them
 */
export async function startGateway(config: Config): Promise<Gateway> {
  const { database, probe, changes, keys, log, close } = await openStore(config);
  const cleanUp: (() => Promise<void>)[] = [close];
  const stop = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
    await flushLog();
  };
  try {
    const { url, from } = config.smtp;
    const mail = url && from ? await startMail({ url, from, log }) : noMail;
    cleanUp.push(() => mail.close());

    let address = config.baseUrl;
    const application: Application = {
      ...lasting(config, keys, database, log),
      changes,
      mail,
      // Known only once the gateway listens, if nobody configured it and the port is free to choose.
      get baseUrl() {
        return address ?? '';
      },
    };
    cleanUp.push(startSweeping({ database, log, auditDays: config.auditDays }));

    const { limits, close: closeLimits } = await startLimits(
      { limits: config.limits, redis: redisOf(config, keys) },
      database,
      log,
    );
    cleanUp.push(closeLimits);

    const rest = restDoor(application, schema, limits, log);
    const assetsDir = join(packageFolder, 'dist/assets');
    const web = lazyDoor(async () => {
      const [{ webDoor }, { contract }] = await Promise.all([import('./web/index.ts'), import('./contract.ts')]);
      const described = contract(version);
      return webDoor({
        application,
        schema,
        limits,
        log,
        assetsDir,
        ...described,
        sdl: config.introspection ? described.sdl : null,
      });
    });
    const graphql = lazyDoor(async () => {
      const [{ graphqlDoor }, { publicSchema }, { graphiqlPage }] = await Promise.all([
        import('./graphql/index.ts'),
        import('./schema/public.ts'),
        import('./web/documentation/graphiql.tsx'),
      ]);
      return graphqlDoor({
        application,
        schema: publicSchema,
        introspection: config.introspection,
        useFastLane: config.fastLane,
        requestLimits: limits,
        page: graphiqlPage(assetsDir, config.introspection),
        log,
      });
    });
    const tracing = await startTracing(config.tracing, version, log);
    if (tracing) cleanUp.push(() => tracing.close());
    let stopping = false;
    let isSetUp = false;
    const metrics = createMetrics(
      { pool: () => database.pool, load: () => server.load },
      cluster.isWorker ? amongWorkers : alone,
    );
    const monitoring = monitoringDoor({
      addresses: config.monitoringAddresses,
      readiness: () => readiness(probe, { isSetUp, stopping }),
      metrics: () => metrics.scrape(),
    });
    const refusals = {
      rest: restUnavailable,
      graphql: lazyDoor(async () => (await import('./graphql/unavailable.ts')).graphqlUnavailable).door,
      web: lazyDoor(async () => (await import('./web/site/unavailable.ts')).webUnavailable(application, assetsDir))
        .door,
    };
    const server: HttpServer = await listen({
      ...config,
      log,
      metrics,
      tracing,
      accessLog: config.accessLog ? accessLog(config.logLevel) : undefined,
      monitoring,
      congested: () => database.pool.waiting > 0,
      door: (path) => pickDoor(path, { rest, graphql: graphql.door, web: web.door }),
      refuse: (exchange) => pickDoor(exchange.path, refusals)(exchange),
    });
    cleanUp.push(async () => {
      stopping = true;
      await pause(config.drainDelay);
      // The drain would wait for them.
      changes.endFollowings();
      await server.drain(config.drainTimeout);
    });
    address ??= addressOf(config.host, server.port);
    // Last: its secrets are shown once, so nothing may fail between it and the showing.
    const firstStart = await setUpOnce(application, config);
    isSetUp = true;
    // Soon, so that hardly anyone waits for it, and a build that replaces the files under a gateway that runs does no harm.
    const opening = setTimeout(() => {
      Promise.all([graphql.open(), web.open()]).catch((error: Error) =>
        log.error({ error: error.message, stack: error.stack }, 'a door can’t be opened'),
      );
    }, openingPause).unref();
    cleanUp.push(async () => clearTimeout(opening));
    return {
      baseUrl: address,
      listening: originOf(config.host, server.port),
      dataDir: config.databaseUrl ? undefined : config.dataDir,
      application,
      firstStart,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What changes, told to every process on the database. */
export async function changesOf(
  config: Config,
  keys: InstanceKeys,
  database: Sql & Partial<Pick<OpenDatabase, 'primary'>>,
  connection: pg.PoolConfig,
  log: Log,
): Promise<ChangeFeed> {
  const redis = redisOf(config, keys);
  const pubSub = redis
    ? await redisPubSub(redis.url, `${redis.prefix} changes`, log)
    : postgresPubSub({ connection: directly(config, connection), sql: database, log, primary: database.primary });
  return new ChangeFeed(pubSub, log);
}

/**
 * The Redis of the settings, and what the gateway's names in it begin with: other instances, which have another
 * key, may use the same one. While a new key is put before the old one, that is still the old one for everybody.
 */
const redisOf = (config: Config, keys: InstanceKeys) =>
  config.redisUrl === undefined
    ? undefined
    : { url: config.redisUrl, prefix: `causeway ${fingerprintsOf(keys).at(-1)}` };

/** The same database past a pooler, if the settings name a way: for what needs a session of its own, or takes long. */
export const directly = ({ databaseUrl, databaseDirectUrl }: Config, connection: pg.PoolConfig): pg.PoolConfig =>
  databaseUrl && databaseDirectUrl ? { connectionString: databaseDirectUrl } : connection;

/** What of an application follows from its settings and its database. */
export function lasting(config: Config, keys: InstanceKeys, database: OpenDatabase, log: Log) {
  const profile = profileOf(config.oauth);
  return {
    database,
    keys,
    reportedVersion: config.reportedVersion,
    revision: version,
    profile,
    settingsStore: new SettingsStore(database, defaultSettings({ profile, signUp: config.signUp })),
    credentials: new CredentialWatch(database, ({ message, stack }) =>
      log.error({ error: message, stack }, 'a subscription couldn’t be told that its token has ended'),
    ),
    refusals: new Refusals(database),
    templatesDir: join(packageFolder, 'templates'),
  };
}

/** Where a gateway is found that nobody gave an address. Whoever listens everywhere is reached here in any case. */
export function addressOf(host: string, port: number): string {
  return originOf(['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host, port);
}

/** RFC 3986 §3.2.2: an address of version 6 stands in brackets. */
const originOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function setUpOnce(application: Application, config: Config): Promise<FirstStart | undefined> {
  if (!(await isNew(application, schema))) return undefined;
  return await application.database.exclusively(setUpLock, async () =>
    (await isNew(application, schema)) ? await setUp(application, schema, config, randomPassword) : undefined,
  );
}

/** What this process needs to serve, as an operator is told it. */
async function readiness(
  probe: DatabaseProbe,
  { isSetUp, stopping }: { isSetUp: boolean; stopping: boolean },
): Promise<Readiness> {
  const { database, migrated } = await probe.look();
  return {
    db: {
      ok: null,
      unreachable: 'The database doesn’t answer.',
      'read only': 'The database takes no changes.',
      moved: 'Another server has just become the primary.',
    }[database],
    ...(migrated !== undefined && { migrations: migrated ? null : 'The database lacks migrations of this version.' }),
    // Until then the first accounts and tokens may be missing.
    ...(!isSetUp && { set_up: 'The first set-up isn’t done.' }),
    draining: stopping ? 'The gateway is stopping.' : null,
  };
}

function pickDoor(path: string, doors: { rest: Door; graphql: Door; web: Door }): Door {
  if (graphqlPaths.has(path)) return doors.graphql;
  return restPaths.test(path) ? doors.rest : doors.web;
}

/** One endpoint under every name that clients have for it: glab's ends in a slash, the last is where people look for GraphiQL. */
const graphqlPaths = new Set(['/graphql', '/graphql/', '/api/graphql', '/api/graphql/', '/-/graphql-explorer']);

/** The API, and the endpoints of OAuth that aren't pages. */
const restPaths = /^\/api(\/|$)|^\/oauth\/(token|revoke|introspect|authorize_device)(\/|$)|^\/\.well-known\//;
