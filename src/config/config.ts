import { resolve } from 'node:path';
import { settings } from './settings.ts';
import { addressGroups, type LogLevel, type Rate, type Setting, type TraceSampler } from './values.ts';

/**
 * The settings, read once from the environment: one frozen `Config`, or one error that lists
 * every problem with its remedy.
 */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The absolute path of the folder with the embedded database and the instance key. */
  readonly dataDir: string;
  /** Undefined: the gateway runs its own PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** The same database without the connection pooler. Undefined: the same address. */
  readonly databaseDirectUrl: string | undefined;
  /** A streaming replica that answers reads. Undefined: there is none. */
  readonly databaseReplicaUrl: string | undefined;
  /** Whether the address of the database may lead to another server later: after a failover, or through a pooler. */
  readonly databaseMoves: boolean;
  /** The public address, without a slash at the end. Undefined: made from host and port once the gateway listens. */
  readonly baseUrl: string | undefined;
  /** Git over SSH; undefined: it isn't served. */
  readonly ssh:
    | {
        readonly port: number;
        /** Where people reach it; undefined: at the host of the gateway's address, on `port`. */
        readonly reachedAt: { readonly host: string; readonly port: number } | undefined;
      }
    | undefined;
  /** The first key encrypts; all of them decrypt. Empty: `secret.key` in the data folder. */
  readonly secretKeys: readonly string[];
  readonly rootPassword: string | undefined;
  readonly rootToken: string | undefined;
  readonly demo: boolean;
  readonly demoContent: boolean;
  readonly demoPassword: string | undefined;
  readonly reportedVersion: string;
  readonly trustedProxies: readonly string[];
  readonly introspection: boolean;
  /** Whether common GraphQL requests are answered before Yoga parses them. */
  readonly fastLane: boolean;
  /** Grants and lifetimes of the authorization server. */
  readonly oauth: {
    readonly profile: 'compatible' | 'strict';
    readonly production: boolean;
    readonly passwordWithoutClient: boolean;
    readonly lenientVerifier: boolean;
    /** Seconds; 0: never expires. */
    readonly accessTokenLifetime: number;
    /** Seconds. */
    readonly refreshTokenLifetime: number;
    /** Seconds. */
    readonly codeLifetime: number;
    /** Seconds. */
    readonly refreshReuseWindow: number;
  };
  /** Both undefined: no mail is sent. */
  readonly smtp: { readonly url: string | undefined; readonly from: string | undefined };
  /** Whether messages are kept for the inbox page where there is no mail server and the gateway is on one's own machine. */
  readonly inbox: boolean;
  /** Whether strangers may sign up, until an administrator changes it. */
  readonly signUp: boolean;
  /** Rate limits; undefined: no limit. */
  readonly limits: {
    /** For one address, without a valid credential. */
    readonly unauthenticatedApi: Rate | undefined;
    /** For one person, or for one application that acts for itself. */
    readonly authenticatedApi: Rate | undefined;
    /** For one runner, with its token and those of its jobs. */
    readonly runnerApi: Rate | undefined;
    /** For one address, on paths such as sign-in. */
    readonly protectedPaths: Rate | undefined;
    /** Whether routes have limits of their own. */
    readonly endpoints: boolean;
  };
  /** Undefined: processes exchange messages through the database. */
  readonly redisUrl: string | undefined;
  readonly accessLog: boolean;
  readonly logLevel: LogLevel;
  /** Days for which audit events are kept. */
  readonly auditDays: number;
  /** Days for which domain events are kept. */
  readonly eventDays: number;
  /** The time zone of people who chose none. */
  readonly timeZone: string;
  /** Jobs of the queue that one process runs at once. */
  readonly jobs: number;
  /** Processes that share the port. */
  readonly workers: number;
  /** The maximum number of connections of one process to the database. */
  readonly databaseConnections: number;
  /** The longest time that one statement may run, in milliseconds. */
  readonly statementTimeout: number;
  /** The longest time that a request waits for a database connection, in milliseconds. */
  readonly connectionTimeout: number;
  /** The longest time that a request may take to arrive, in milliseconds. */
  readonly bodyTimeout: number;
  /** The longest time from a complete request to its answer, in milliseconds. */
  readonly requestTimeout: number;
  /** The maximum number of request bodies that are received at once. */
  readonly arrivals: {
    readonly bodies: number;
    readonly bodiesPerAddress: number;
  };
  /** Load shedding: above these bounds the gateway answers 503. */
  /** Bounds of what jobs leave, in mebibytes. */
  readonly jobFiles: {
    readonly longestTrace: number;
    readonly largestArtifact: number;
  };
  /** Bounds of repositories, in mebibytes. */
  readonly repositories: {
    readonly largestPush: number;
    /** What one holds; 0: no bound. */
    readonly largest: number;
  };
  readonly overload: {
    /** The maximum number of requests in progress at once. */
    readonly requests: number;
    /** Mean delay of the event loop, in milliseconds; 0: no bound. */
    readonly eventLoopDelay: number;
  };
  /** How long a stopping gateway still serves while it reports that it isn't ready, in milliseconds. */
  readonly drainDelay: number;
  /** The longest time that a stopping gateway waits for requests in progress, in milliseconds. */
  readonly drainTimeout: number;
  /** Addresses that may see metrics and the details of readiness. */
  readonly monitoringAddresses: readonly string[];
  readonly tracing: TracingConfig;
}

export interface TracingConfig {
  /** Address of the collector; undefined: tracing is off. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  readonly sampler: TraceSampler;
  /** The share of traces to record, from 0 to 1; only for the samplers with a ratio. */
  readonly ratio: number;
}

/** All problems of the settings at once; `message` can be printed as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The gateway can't start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Name = keyof typeof settings;
type Values = { [N in Name]?: (typeof settings)[N] extends Setting<infer T> ? T : never };

/**
 * Reads the settings from an environment. An empty value counts as not set.
 * @throws ConfigError with every problem
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values: Values = {};
  const problems: string[] = [];
  for (const name of Object.keys(settings) as Name[]) {
    const given = environment[name];
    if (given === undefined || given === '') continue;
    const read = settings[name].type.safeParse(given);
    if (read.success) (values as Record<string, unknown>)[name] = read.data;
    else problems.push(`${name}: it must be ${settings[name].remedy}.`);
  }
  if (environment.DATABASE_URL && !environment.CAUSEWAY_SECRET_KEY) {
    problems.push(
      `CAUSEWAY_SECRET_KEY: it is needed with DATABASE_URL, the same for every process; it must be ${settings.CAUSEWAY_SECRET_KEY.remedy}.`,
    );
  }
  if (environment.CAUSEWAY_SSH_URL && !environment.CAUSEWAY_SSH_PORT)
    problems.push('CAUSEWAY_SSH_PORT: it is needed with CAUSEWAY_SSH_URL: without it, git over SSH isn’t served.');
  if (values.CAUSEWAY_SSH_PORT !== undefined && values.CAUSEWAY_SSH_PORT === (values.PORT ?? 3000))
    problems.push('CAUSEWAY_SSH_PORT: it must differ from PORT.');
  if (environment.CAUSEWAY_SMTP_URL && !environment.CAUSEWAY_SMTP_FROM) {
    problems.push(
      `CAUSEWAY_SMTP_FROM: it is needed with CAUSEWAY_SMTP_URL; it must be ${settings.CAUSEWAY_SMTP_FROM.remedy}.`,
    );
  }
  if (values.CAUSEWAY_SIGN_UP && !environment.CAUSEWAY_SMTP_URL) {
    problems.push(
      'CAUSEWAY_SIGN_UP: it can’t be on without a mail server, which confirms the addresses of new people; set CAUSEWAY_SMTP_URL and CAUSEWAY_SMTP_FROM, or set it to off.',
    );
  }
  for (const name of Object.keys(environment)) {
    if (name.startsWith('CAUSEWAY_') && !(name in settings)) {
      problems.push(`${name}: there is no such setting; see the table of settings in docs/configuration.md.`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);

  return Object.freeze({
    port: values.PORT ?? 3000,
    host: values.HOST ?? '127.0.0.1',
    dataDir: resolve(values.DATA_DIR ?? './data'),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    databaseMoves: values.DATABASE_URL !== undefined,
    baseUrl: values.CAUSEWAY_BASE_URL,
    ssh:
      values.CAUSEWAY_SSH_PORT === undefined
        ? undefined
        : Object.freeze({ port: values.CAUSEWAY_SSH_PORT, reachedAt: values.CAUSEWAY_SSH_URL }),
    secretKeys: Object.freeze(values.CAUSEWAY_SECRET_KEY ?? []),
    rootPassword: values.CAUSEWAY_ROOT_PASSWORD,
    rootToken: values.CAUSEWAY_ROOT_TOKEN,
    demo: values.CAUSEWAY_DEMO ?? values.DATABASE_URL === undefined,
    demoContent: values.CAUSEWAY_DEMO_CONTENT ?? values.DATABASE_URL === undefined,
    demoPassword: values.CAUSEWAY_DEMO_PASSWORD,
    reportedVersion: values.CAUSEWAY_REPORTED_VERSION ?? '13.12.0',
    trustedProxies: Object.freeze(values.CAUSEWAY_TRUSTED_PROXIES ?? []),
    introspection: values.CAUSEWAY_INTROSPECTION ?? true,
    fastLane: values.CAUSEWAY_FAST_LANE ?? true,
    oauth: Object.freeze({
      profile: values.CAUSEWAY_PROFILE ?? 'compatible',
      production: environment.NODE_ENV === 'production' || values.CAUSEWAY_BASE_URL?.startsWith('https:') === true,
      passwordWithoutClient: values.CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT ?? false,
      lenientVerifier: values.CAUSEWAY_LENIENT_VERIFIER ?? false,
      accessTokenLifetime: values.CAUSEWAY_ACCESS_TOKEN_LIFETIME ?? 7_200,
      refreshTokenLifetime: values.CAUSEWAY_REFRESH_TOKEN_LIFETIME ?? 7_776_000,
      codeLifetime: values.CAUSEWAY_CODE_LIFETIME ?? 60,
      refreshReuseWindow: values.CAUSEWAY_REFRESH_REUSE_WINDOW ?? 30,
    }),
    smtp: Object.freeze({ url: values.CAUSEWAY_SMTP_URL, from: values.CAUSEWAY_SMTP_FROM }),
    inbox: values.CAUSEWAY_INBOX ?? true,
    signUp: values.CAUSEWAY_SIGN_UP ?? false,
    limits: Object.freeze({
      unauthenticatedApi: values.CAUSEWAY_LIMIT_UNAUTHENTICATED_API,
      authenticatedApi: values.CAUSEWAY_LIMIT_AUTHENTICATED_API,
      runnerApi: values.CAUSEWAY_LIMIT_RUNNER_API,
      protectedPaths: values.CAUSEWAY_LIMIT_PROTECTED_PATHS,
      endpoints: values.CAUSEWAY_LIMIT_ENDPOINTS ?? false,
    }),
    redisUrl: values.REDIS_URL,
    accessLog: values.CAUSEWAY_ACCESS_LOG ?? true,
    logLevel: values.CAUSEWAY_LOG_LEVEL ?? 'info',
    auditDays: values.CAUSEWAY_AUDIT_DAYS ?? 365,
    eventDays: values.CAUSEWAY_EVENT_DAYS ?? 1_096,
    timeZone: values.CAUSEWAY_TIME_ZONE ?? 'UTC',
    jobs: values.CAUSEWAY_JOBS ?? 4,
    workers: values.CAUSEWAY_WORKERS ?? 1,
    databaseConnections: values.CAUSEWAY_DATABASE_CONNECTIONS ?? 10,
    statementTimeout: values.CAUSEWAY_STATEMENT_TIMEOUT ?? 15_000,
    connectionTimeout: values.CAUSEWAY_CONNECTION_TIMEOUT ?? 5_000,
    bodyTimeout: values.CAUSEWAY_BODY_TIMEOUT ?? 30_000,
    requestTimeout: values.CAUSEWAY_REQUEST_TIMEOUT ?? 30_000,
    arrivals: Object.freeze({
      bodies: values.CAUSEWAY_MAX_BODIES ?? 1_000,
      bodiesPerAddress: values.CAUSEWAY_MAX_BODIES_PER_ADDRESS ?? 100,
    }),
    jobFiles: Object.freeze({
      longestTrace: values.CAUSEWAY_MAX_JOB_LOG ?? 100,
      largestArtifact: values.CAUSEWAY_MAX_ARTIFACT ?? 1_024,
    }),
    repositories: Object.freeze({
      largestPush: values.CAUSEWAY_MAX_PUSH ?? 5_120,
      largest: values.CAUSEWAY_MAX_REPOSITORY ?? 0,
    }),
    overload: Object.freeze({
      requests: values.CAUSEWAY_MAX_REQUESTS ?? 1_000,
      eventLoopDelay: values.CAUSEWAY_MAX_EVENT_LOOP_DELAY ?? 250,
    }),
    drainDelay: values.CAUSEWAY_DRAIN_DELAY ?? 0,
    drainTimeout: values.CAUSEWAY_DRAIN_TIMEOUT ?? 10_000,
    monitoringAddresses: Object.freeze(values.CAUSEWAY_MONITORING_ADDRESSES ?? addressGroups),
    tracing: Object.freeze({
      endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
      serviceName: values.OTEL_SERVICE_NAME ?? 'causeway',
      sampler: values.OTEL_TRACES_SAMPLER ?? 'parentbased_always_on',
      ratio: values.OTEL_TRACES_SAMPLER_ARG ?? 1,
    }),
  });
}
