import cluster from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CredentialWatch, randomPassword } from './auth/index.ts';
import { changeOfPipeline } from './changes/index.ts';
import { isNew, setUp, type FirstStart } from './first-start/index.ts';
import type { Config } from './config/index.ts';
import type { Application } from './context.ts';
import { longestForm, pickDoor, readiness } from './doors.ts';
import type { Git } from './git/index.ts';
import { gitHttpDoor, gitUnavailable, goGetDoor } from './git-http/index.ts';
import { listen, monitoringDoor, lazyDoor, type HttpServer } from './http/index.ts';
import { once } from './values/once.ts';
import { defaultSettings, SettingsStore } from './instance/settings.ts';
import { jobHandlers } from './jobs/handlers.ts';
import { startWorker } from './jobs/start.ts';
import { startLimits } from './limits/index.ts';
import { profileOf, Refusals } from './oauth/index.ts';
import { accessLog, alone, amongWorkers, createMetrics, flushLog, startTracing } from './observability/index.ts';
import { packageFolder, version } from './package.ts';
import { restDoor, restUnavailable } from './rest/index.ts';
import { jobArtifactsDoor, jobTraceDoor, runnerUnavailable } from './runner-api/index.ts';
import { schema } from './schema/index.ts';
import { schemaJobs } from './schema/jobs.ts';
import { pipelineClock } from './schema/pipelines/processing/clock.ts';
import { addressOf, mailOf, originOf, redisOf } from './services.ts';
import { filesOf, mebibyte, openStore, type Store } from './store.ts';
import { reconcile, reconcileSoon } from './schema/repository/writing/reconcile.ts';

/** The advisory lock of the set-up: if several processes start at once, one does it. */
const setUpLock = 815_001;

/** Milliseconds after the start until all doors are loaded; before that, a door loads on its first request. */
const openingPause = 1_000;

/** A started gateway, as shown to the operator. */
export interface Started {
  /** The URL for people and clients. */
  readonly baseUrl: string;
  /** The address that it listens on, perhaps behind a proxy. */
  readonly listening: string;
  /** The folder of its own PostgreSQL; undefined with an external one. */
  readonly dataDir: string | undefined;
  /** What to show once, if this start set up the database. */
  readonly firstStart: FirstStart | undefined;
  /** Graceful shutdown: finishes requests in progress, then stops the database if it is the gateway's own. */
  stop(): Promise<void>;
}

/** A gateway that runs in this process. */
export interface Gateway extends Started {
  readonly application: Application;
}

/**
 * Composition: config → database → schema → doors → listen → drain. No logic.
 * @param opened the database of the settings, which the gateway closes; by default it opens it
 * @throws errors with a `remedy` if the operator can do something about them
 */
export async function startGateway(config: Config, opened?: Store): Promise<Gateway> {
  const store = opened ?? (await openStore(config));
  const { database, probe, changes, keys, log, close } = store;
  const cleanUp: (() => Promise<void>)[] = [close];
  const stop = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
    await flushLog();
  };
  try {
    const { mail, notifies } = await mailOf(config, database, log);
    cleanUp.push(() => mail.close());

    let address = config.baseUrl;
    const application: Application = {
      ...lasting(config, store),
      changes,
      mail,
      // Known only once the gateway listens, if no URL is configured and the port is chosen by the system.
      get baseUrl() {
        return address ?? '';
      },
    };
    const loadWriter = async () => (await import('./notify/letters/write.ts')).write;
    const sending = { mail, keys, baseUrl: () => address ?? '', loadWriter };
    const handlers = jobHandlers({
      ...config,
      git: store.git,
      files: application.files,
      schemaJobs: schemaJobs(application),
      settleRepositories: settling(store.git),
      pipelineClock,
      notifies,
      sending,
    });
    database.onCiJobsQueued(() => changes.publishCiJobs());
    database.onPipelineChanged((id) => changes.publish(changeOfPipeline(id)));
    const stopJobs = startWorker({ database, log, handlers, concurrency: config.jobs }, changes, config.drainTimeout);
    cleanUp.push(stopJobs);

    const { limits, close: closeLimits } = await startLimits(
      { limits: config.limits, redis: redisOf(config, keys) },
      database,
      log,
    );
    cleanUp.push(closeLimits);

    const rest = restDoor(application, schema, limits, log);
    const git = gitHttpDoor(application, schema, limits, log);
    const module = goGetDoor(application, schema, limits, log);
    const trace = jobTraceDoor(application, schema, limits, log);
    const artifacts = jobArtifactsDoor(application, schema, limits, log);
    const assetsDir = join(packageFolder, 'dist/assets');
    const web = lazyDoor(async () => {
      const { webDoor } = await import('./web/index.ts');
      return webDoor({
        application,
        schema,
        limits,
        log,
        assetsDir,
        documentation: once(async () => (await import('./contract.ts')).contract(version)),
        introspection: config.introspection,
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
      { pool: () => database.pool, git: () => store.git.load, load: () => server.load },
      cluster.isWorker ? amongWorkers : alone,
    );
    const monitoring = monitoringDoor({
      addresses: config.monitoringAddresses,
      readiness: () => readiness(probe, { isSetUp, stopping }),
      metrics: () => metrics.scrape(),
    });
    const refusals = {
      rest: restUnavailable,
      git: gitUnavailable,
      module: gitUnavailable,
      trace: runnerUnavailable,
      artifacts: runnerUnavailable,
      graphql: lazyDoor(async () => (await import('./graphql/unavailable.ts')).graphqlUnavailable).door,
      web: lazyDoor(async () =>
        (await import('./web/site/layout/unavailable.ts')).webUnavailable(application, assetsDir),
      ).door,
    };
    const pages = Object.assign(web.door, { longestBody: longestForm });
    const doors = { rest, git, module, trace, artifacts, graphql: graphql.door, web: pages };
    const server: HttpServer = await listen({
      ...config,
      log,
      metrics,
      tracing,
      accessLog: config.accessLog ? accessLog(config.logLevel) : undefined,
      monitoring,
      congested: () => database.pool.waiting > 0,
      door: (exchange) => pickDoor(exchange, doors),
      refuse: (exchange) => pickDoor(exchange, refusals)(exchange),
    });
    cleanUp.push(async () => {
      stopping = true;
      const jobsEnd = stopJobs();
      await pause(config.drainDelay);
      // Subscriptions end now: the drain would wait for them.
      changes.endSubscriptions();
      await Promise.all([server.drain(config.drainTimeout), jobsEnd]);
    });
    address ??= addressOf(config.host, server.port);
    // Do this last: its secrets are shown once, so nothing may fail between creating and showing them.
    const firstStart = await setUpOnce(application, config);
    isSetUp = true;
    if (config.jobs > 0) await reconcileSoon(database);
    // Load the other doors soon, so that few requests wait for that. It also makes a build harmless that replaces
    // files of a running gateway.
    const opening = setTimeout(() => {
      Promise.all([graphql.open(), web.open()]).catch((error: Error) =>
        log.error({ error: error.message, stack: error.stack }, 'a door can’t be loaded'),
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

/** The job that finishes what writers of repositories left. */
export const settling =
  (git: Git): NonNullable<Parameters<typeof jobHandlers>[0]['settleRepositories']> =>
  (database, how) =>
    reconcile(database, git, how);

/** The parts of an application that depend only on its settings and its database. */
export function lasting(
  config: Config,
  { keys, database, git, log }: Pick<Store, 'keys' | 'database' | 'git' | 'log'>,
) {
  const profile = profileOf(config.oauth);
  return {
    database,
    keys,
    git,
    files: filesOf(config),
    jobFiles: {
      longestTrace: config.jobFiles.longestTrace * mebibyte,
      largestArtifact: config.jobFiles.largestArtifact * mebibyte,
    },
    ssh: config.ssh,
    reportedVersion: config.reportedVersion,
    timeZone: config.timeZone,
    // Loaded when an administrator asks.
    examine: async () => await (await import('./cli/doctor/index.ts')).examineRunning(config),
    revision: version,
    profile,
    settingsStore: new SettingsStore(database, defaultSettings({ profile, signUp: config.signUp })),
    credentials: new CredentialWatch(database, ({ message, stack }) =>
      log.error({ error: message, stack }, 'ending a subscription whose token ended failed'),
    ),
    refusals: new Refusals(database),
    templatesDir: join(packageFolder, 'templates'),
  };
}

async function setUpOnce(application: Application, config: Config): Promise<FirstStart | undefined> {
  if (!(await isNew(application, schema))) return undefined;
  return await application.database.exclusively(setUpLock, async () =>
    (await isNew(application, schema)) ? await setUp(application, schema, config, randomPassword) : undefined,
  );
}
