import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import * as z from 'zod';
import { isTimeZone } from './values/time-zone.ts';

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

/** The samplers, by their names in OpenTelemetry. */
const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type TraceSampler = (typeof traceSamplers)[number];

/** A rate limit: at most `most` in `seconds`. */
export interface Rate {
  readonly most: number;
  readonly seconds: number;
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** All problems of the settings at once; `message` can be printed as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The gateway can't start with these settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

interface Setting<T> {
  /** What the setting means, for the table of settings in the documentation. */
  readonly meaning: string;
  /** The default, in words. */
  readonly otherwise: string;
  /** The valid values; completes "…: it must be". */
  readonly remedy: string;
  readonly type: z.ZodType<T, string>;
}

const setting = <T>(meaning: string, otherwise: string, remedy: string, type: z.ZodType<T, string>): Setting<T> => ({
  meaning,
  otherwise,
  remedy,
  type,
});

const text = z.string();
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);
const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
const rate = z
  .string()
  .regex(/^(off|\d{1,9}\/\d{1,5})$/)
  .transform((value): Rate | undefined => {
    const [most = 0, seconds = 0] = value.split('/').map(Number);
    return value === 'off' ? undefined : { most, seconds };
  })
  .refine((value) => value === undefined || (value.most > 0 && value.seconds > 0 && value.seconds <= 86_400));
const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const aRate = (example: string) => `a number of requests and of seconds up to 86400, like ${example}, or \`off\``;

/** Groups of addresses that proxy-addr has names for. */
const addressGroups = ['loopback', 'linklocal', 'uniquelocal'];
const isAddressRange = (value: string): boolean => {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return addressGroups.includes(value);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

const isUrl = (value: string, ...protocols: string[]): boolean => {
  try {
    return protocols.includes(new URL(value).protocol);
  } catch {
    return false;
  }
};

const isSshAddress = (value: string): boolean =>
  /^ssh:\/\/(?:git@)?[^@/?#]+\/?$/.test(value) && isUrl(value, 'ssh:') && new URL(value).hostname !== '';

/** All settings. The table in the documentation is generated from them. */
export const settings = {
  PORT: setting(
    'Port to listen on; 0 picks a free one and prints it.',
    '3000',
    'a whole number from 0 to 65535',
    wholeNumber(0, 65_535),
  ),
  HOST: setting(
    'Address to listen on.',
    '127.0.0.1',
    'an IP address or `localhost`; 0.0.0.0 listens on every network',
    text.refine((value) => isIP(value) > 0 || value === 'localhost'),
  ),
  DATA_DIR: setting(
    'Folder for the embedded database and the instance key.',
    './data',
    'the path of a folder',
    text.min(1),
  ),
  DATABASE_URL: setting(
    'Address of a PostgreSQL 14 or later.',
    'the gateway runs its own PostgreSQL under `DATA_DIR`',
    'an address like postgres://user:password@host:5432/database',
    text.refine((value) => isUrl(value, 'postgres:', 'postgresql:')),
  ),
  DATABASE_DIRECT_URL: setting(
    'The database of `DATABASE_URL` without the pooler: for migrations, backups, and the connection that listens for changes.',
    'the same address',
    'an address like postgres://user:password@host:5432/database',
    text.refine((value) => isUrl(value, 'postgres:', 'postgresql:')),
  ),
  DATABASE_REPLICA_URL: setting(
    'A streaming replica of `DATABASE_URL`, which answers reads when it has caught up.',
    'the primary answers everything',
    'an address like postgres://user:password@host:5432/database',
    text.refine((value) => isUrl(value, 'postgres:', 'postgresql:')),
  ),
  CAUSEWAY_BASE_URL: setting(
    'Address that people and clients use to reach the gateway.',
    '`http://HOST:PORT`',
    'an http or https address without path, query or credentials, like https://causeway.example',
    text.refine(isBareOrigin).transform((value) => value.replace(/\/$/, '')),
  ),
  CAUSEWAY_SSH_PORT: setting(
    'Port for git over SSH, on `HOST`; a process of its own serves it.',
    'git over SSH isn’t served',
    'a whole number from 1 to 65535',
    wholeNumber(1, 65_535),
  ),
  CAUSEWAY_SSH_URL: setting(
    'Address at which people reach git over SSH, where it isn’t `CAUSEWAY_SSH_PORT` of the gateway’s own host.',
    'the host of `CAUSEWAY_BASE_URL`, with `CAUSEWAY_SSH_PORT`',
    'an address like ssh://git@git.example.com or ssh://git@git.example.com:2222; needs `CAUSEWAY_SSH_PORT`',
    text.refine(isSshAddress).transform((value) => {
      const { hostname, port } = new URL(value);
      return { host: hostname, port: port === '' ? 22 : Number(port) };
    }),
  ),
  CAUSEWAY_SECRET_KEY: setting(
    'Instance key: encrypts stored secrets, and protects tokens that an operator chose. Several, separated by commas: the first encrypts, all decrypt.',
    '`secret.key` under `DATA_DIR`; needed with `DATABASE_URL`',
    'at least 32 characters without spaces or commas; make one with: openssl rand -hex 32',
    list.refine((keys) => keys.length > 0 && keys.every((key) => key.length >= 32 && !/\s/.test(key))),
  ),
  CAUSEWAY_ROOT_PASSWORD: setting(
    'Password of the administrator `root`, used on an empty database.',
    'a random one, printed once',
    '8 to 128 characters',
    text.min(8).max(128),
  ),
  CAUSEWAY_ROOT_TOKEN: setting(
    'Personal access token of `root`, used on an empty database.',
    'a random one, printed once',
    'at least 20 and at most 255 printable characters without spaces, not beginning with `cw`',
    text.regex(/^(?!cw)[\x21-\x7e]{20,255}$/),
  ),
  CAUSEWAY_DEMO: setting(
    'Whether an empty database gets the demo workspace.',
    '`on` with the embedded database, `off` with `DATABASE_URL`',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_DEMO_CONTENT: setting(
    'Whether the demo workspace gets something to look at: a repository, issues, merge requests, pipelines.',
    '`on` with the embedded database, `off` with `DATABASE_URL`',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_DEMO_PASSWORD: setting(
    'Password of the demo users, used on an empty database.',
    'a random one, printed once',
    '8 to 128 characters',
    text.min(8).max(128),
  ),
  CAUSEWAY_REPORTED_VERSION: setting(
    'Version that `/api/v4/version` reports, for clients that compare it.',
    '13.12.0',
    'a version like 13.12.0',
    text.regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
  ),
  CAUSEWAY_TRUSTED_PROXIES: setting(
    'Proxies whose forwarding headers are trusted for the client’s address, separated by commas.',
    'none: the address of the connection is used',
    'IP addresses, ranges like 10.0.0.0/8, or `loopback`, `linklocal`, `uniquelocal`',
    list.refine((parts) => parts.every(isAddressRange)),
  ),
  CAUSEWAY_PROFILE: setting(
    'Which OAuth grants are allowed, and how strictly: `compatible` allows all of the interface, `strict` only what RFC 9700 recommends.',
    'compatible',
    '`compatible` or `strict`',
    z.enum(['compatible', 'strict']),
  ),
  CAUSEWAY_ACCESS_TOKEN_LIFETIME: setting(
    'Lifetime of an OAuth access token, in seconds; 0: it never expires.',
    '7200',
    'a whole number from 0 to 31536000',
    wholeNumber(0, 31_536_000),
  ),
  CAUSEWAY_REFRESH_TOKEN_LIFETIME: setting(
    'How long tokens can be refreshed after a person’s consent, in seconds.',
    '7776000 (90 days)',
    'a whole number from 60 to 31536000',
    wholeNumber(60, 31_536_000),
  ),
  CAUSEWAY_CODE_LIFETIME: setting(
    'Lifetime of an authorization code, in seconds.',
    '60',
    'a whole number from 10 to 600',
    wholeNumber(10, 600),
  ),
  CAUSEWAY_REFRESH_REUSE_WINDOW: setting(
    'How long a rotated refresh token still returns its successor, in seconds.',
    '30',
    'a whole number from 0 to 600',
    wholeNumber(0, 600),
  ),
  CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: setting(
    'Whether the password grant works without a confidential application. Never in the profile `strict`.',
    'off',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_LENIENT_VERIFIER: setting(
    'Whether a PKCE verifier may contain any printable characters, for old clients that send standard base64.',
    'off',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_SMTP_URL: setting(
    'Mail server, for notifications, password resets and the confirmation of addresses.',
    'no mail is sent; administrators make password links instead',
    'an address like smtp://user:password@mail.example:587 (STARTTLS) or smtps://user:password@mail.example:465',
    text.refine((value) => isUrl(value, 'smtp:', 'smtps:') && new URL(value).hostname !== ''),
  ),
  CAUSEWAY_SMTP_FROM: setting(
    'Sender of every message. One without a name gets that of the instance: Causeway, and its host.',
    'needed with `CAUSEWAY_SMTP_URL`',
    'an address like causeway@example.com, or one with a name like Causeway <causeway@example.com>',
    text.regex(/^([^<>@\r\n]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/),
  ),
  CAUSEWAY_INBOX: setting(
    'Whether a gateway without a mail server keeps the last messages for its inbox page, if its address is a loopback one.',
    'on',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_SIGN_UP: setting(
    'Whether strangers may sign up; their address is confirmed by mail. Needs a mail server.',
    'off',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_INTROSPECTION: setting(
    'Whether GraphQL clients may read the schema: by introspection, at `/docs/schema.graphql`, and in “did you mean” hints.',
    'on',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_FAST_LANE: setting(
    'Whether common GraphQL requests skip most of the GraphQL server. Answers are the same; switch it off to rule it out as a cause.',
    'on',
    '`on` or `off`',
    onOff,
  ),
  CAUSEWAY_LIMIT_UNAUTHENTICATED_API: setting(
    'Rate limit for API requests without a valid credential, for each address.',
    'off',
    aRate('3600/3600'),
    rate,
  ),
  CAUSEWAY_LIMIT_AUTHENTICATED_API: setting(
    'Rate limit for API requests of one person, or of one application that acts for itself.',
    'off',
    aRate('7200/3600'),
    rate,
  ),
  CAUSEWAY_LIMIT_RUNNER_API: setting(
    'Rate limit for API requests of one runner, or with the token of one job.',
    'off',
    aRate('7200/3600'),
    rate,
  ),
  CAUSEWAY_LIMIT_PROTECTED_PATHS: setting(
    'Rate limit, for each address, for signing in (password grant too), resetting a password, signing up and typing a device code. Failed attempts are limited without it.',
    'off',
    aRate('10/60'),
    rate,
  ),
  CAUSEWAY_LIMIT_ENDPOINTS: setting(
    'Whether some REST routes have rate limits of their own.',
    'off',
    '`on` or `off`',
    onOff,
  ),
  REDIS_URL: setting(
    'Redis or Valkey, through which processes share rate limits and publish changes for subscriptions.',
    'they use the database for it',
    'an address like redis://user:password@host:6379/0, or rediss:// for TLS',
    text.refine((value) => isUrl(value, 'redis:', 'rediss:') && new URL(value).hostname !== ''),
  ),
  CAUSEWAY_ACCESS_LOG: setting('Whether each request is logged, as one JSON line.', 'on', '`on` or `off`', onOff),
  CAUSEWAY_LOG_LEVEL: setting(
    'The lowest level that is logged.',
    'info',
    'one of debug, info, warn, error, silent',
    z.enum(logLevels),
  ),
  CAUSEWAY_AUDIT_DAYS: setting(
    'How long audit events are kept, in days.',
    '365',
    'a whole number from 1 to 36500',
    wholeNumber(1, 36_500),
  ),
  CAUSEWAY_EVENT_DAYS: setting(
    'How long the record of what happened (activity) is kept, in days.',
    '1096',
    'a whole number from 1 to 36500',
    wholeNumber(1, 36_500),
  ),
  CAUSEWAY_TIME_ZONE: setting(
    'Time zone of people who chose none: when their day begins, for mail about what is due.',
    'UTC',
    'a name of the IANA database like Europe/Vienna',
    z.string().refine(isTimeZone),
  ),
  CAUSEWAY_JOBS: setting(
    'Most background jobs that one process runs at once; 0 leaves them to other processes.',
    '4',
    'a whole number from 0 to 64',
    wholeNumber(0, 64),
  ),
  CAUSEWAY_WORKERS: setting(
    'Worker processes that share the port; `auto`: one for each processor.',
    '1',
    'a whole number from 1 to 64, or `auto`',
    z.union([z.literal('auto').transform(() => availableParallelism()), wholeNumber(1, 64)]),
  ),
  CAUSEWAY_DATABASE_CONNECTIONS: setting(
    'Most connections of one process to PostgreSQL.',
    '10',
    'a whole number from 2 to 500',
    wholeNumber(2, 500),
  ),
  CAUSEWAY_STATEMENT_TIMEOUT: setting(
    'Longest one statement may run, in milliseconds.',
    '15000',
    'a whole number from 100 to 600000',
    wholeNumber(100, 600_000),
  ),
  CAUSEWAY_CONNECTION_TIMEOUT: setting(
    'Longest a request waits for a connection to PostgreSQL, in milliseconds.',
    '5000',
    'a whole number from 100 to 600000',
    wholeNumber(100, 600_000),
  ),
  CAUSEWAY_REQUEST_TIMEOUT: setting(
    'Longest time from a complete request to its answer, in milliseconds; then it is answered 503.',
    '30000',
    'a whole number from 1000 to 600000',
    wholeNumber(1_000, 600_000),
  ),
  CAUSEWAY_BODY_TIMEOUT: setting(
    'Longest a request with its body may take to arrive, in milliseconds; then it is answered 408.',
    '30000',
    'a whole number from 1000 to 600000',
    wholeNumber(1_000, 600_000),
  ),
  CAUSEWAY_MAX_BODIES: setting(
    'Most request bodies that one process receives at once; above it, the oldest body of the address that has the most is answered 503.',
    '1000',
    'a whole number from 10 to 100000',
    wholeNumber(10, 100_000),
  ),
  CAUSEWAY_MAX_BODIES_PER_ADDRESS: setting(
    'Most request bodies received at once from one address; above it, its oldest is answered 503.',
    '100',
    'a whole number from 1 to 100000',
    wholeNumber(1, 100_000),
  ),
  CAUSEWAY_MAX_JOB_LOG: setting(
    'Longest log of a job, in mebibytes; a job that writes more fails.',
    '100',
    'a whole number from 1 to 10000',
    wholeNumber(1, 10_000),
  ),
  CAUSEWAY_MAX_ARTIFACT: setting(
    'Largest file that a job leaves as an artifact, in mebibytes; a larger one is refused with 413.',
    '1024',
    'a whole number from 1 to 100000',
    wholeNumber(1, 100_000),
  ),
  CAUSEWAY_MAX_PUSH: setting(
    'Most that one push brings, in mebibytes, packed; git refuses a larger one.',
    '5120',
    'a whole number from 1 to 1000000',
    wholeNumber(1, 1_000_000),
  ),
  CAUSEWAY_MAX_REPOSITORY: setting(
    'Most that the repository of a project holds, in mebibytes; what makes it larger is refused, and deleting isn’t. 0: no bound.',
    '0',
    'a whole number from 0 to 100000000',
    wholeNumber(0, 100_000_000),
  ),
  CAUSEWAY_MAX_REQUESTS: setting(
    'Most requests in progress at once in one process; more are answered 503 at once.',
    '1000',
    'a whole number from 10 to 100000',
    wholeNumber(10, 100_000),
  ),
  CAUSEWAY_MAX_EVENT_LOOP_DELAY: setting(
    'Mean delay of the event loop, in milliseconds, above which requests are answered 503 at once; 0: no bound.',
    '250',
    'a whole number from 0 to 60000',
    wholeNumber(0, 60_000),
  ),
  CAUSEWAY_DRAIN_DELAY: setting(
    'How long a stopping gateway still serves while `/-/readiness` is red, in milliseconds, so that load balancers notice.',
    '0',
    'a whole number from 0 to 600000',
    wholeNumber(0, 600_000),
  ),
  CAUSEWAY_DRAIN_TIMEOUT: setting(
    'Longest a stopping gateway waits for requests in progress, in milliseconds.',
    '10000',
    'a whole number from 0 to 600000',
    wholeNumber(0, 600_000),
  ),
  CAUSEWAY_MONITORING_ADDRESSES: setting(
    'Addresses that may see `/-/metrics` and the details of `/-/readiness`, separated by commas.',
    'loopback, linklocal, uniquelocal',
    'IP addresses, ranges like 10.0.0.0/8, or `loopback`, `linklocal`, `uniquelocal`',
    list.refine((parts) => parts.length > 0 && parts.every(isAddressRange)),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'OpenTelemetry collector for traces (OTLP over HTTP).',
    'tracing is off',
    'an address like http://localhost:4318',
    text.refine((value) => isUrl(value, 'http:', 'https:')),
  ),
  OTEL_SERVICE_NAME: setting(
    'Service name of the gateway in traces.',
    'causeway',
    'at most 255 characters',
    text.max(255),
  ),
  OTEL_TRACES_SAMPLER: setting(
    'Which requests are traced.',
    'parentbased_always_on',
    `one of ${traceSamplers.join(', ')}`,
    z.enum(traceSamplers),
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    'Share of requests that is traced, for a sampler with `traceidratio`.',
    '1',
    'a number from 0 to 1, like 0.01',
    z
      .string()
      .regex(/^(0(\.\d+)?|1(\.0+)?)$/)
      .transform(Number),
  ),
} satisfies Record<string, Setting<unknown>>;

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

function isBareOrigin(value: string): boolean {
  if (!isUrl(value, 'http:', 'https:')) return false;
  const url = new URL(value);
  return (
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password &&
    !value.endsWith('#') &&
    !value.endsWith('?')
  );
}
