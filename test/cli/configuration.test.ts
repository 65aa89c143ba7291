import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, settings, type Config } from '../../src/config/index.ts';

type Name = keyof typeof settings;

interface Case {
  /** The path in `Config`. */
  readonly at: string;
  readonly otherwise: unknown;
  readonly good: readonly (readonly [value: string, read: unknown])[];
  readonly bad: readonly string[];
}

const number = (at: string, otherwise: number | undefined, least: number, most: number): Case => ({
  at,
  otherwise,
  good: [
    [String(least), least],
    [String(most), most],
  ],
  bad: [String(least - 1), String(most + 1), 'many', '1e3', '0x10', ' 1', '1.5', '-', '９'],
});
const switched = (at: string, otherwise: boolean): Case => ({
  at,
  otherwise,
  good: [
    ['on', true],
    ['off', false],
  ],
  bad: ['ON', 'true', '1', 'yes', ' on'],
});
const rate = (at: string): Case => ({
  at,
  otherwise: undefined,
  good: [
    ['off', undefined],
    ['1/1', { most: 1, seconds: 1 }],
    ['999999999/86400', { most: 999_999_999, seconds: 86_400 }],
  ],
  bad: ['on', '10', '0/60', '10/0', '10/86401', '10/60/60', '10 / 60', '1e3/60', '-1/60'],
});
const password = (at: string): Case => ({
  at,
  otherwise: undefined,
  good: [
    ['8 letter', '8 letter'],
    ['x'.repeat(128), 'x'.repeat(128)],
  ],
  bad: ['7 chars', 'x'.repeat(129)],
});
const key = 'k'.repeat(32);

const cases: Record<Name, Case> = {
  PORT: number('port', 3000, 0, 65_535),
  HOST: {
    at: 'host',
    otherwise: '127.0.0.1',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
      ['localhost', 'localhost'],
    ],
    bad: ['example.com', '127.0.0', '127.0.0.1:80', '[::1]', 'http://127.0.0.1'],
  },
  DATA_DIR: {
    at: 'dataDir',
    otherwise: resolve('./data'),
    good: [
      ['/srv/causeway', '/srv/causeway'],
      ['below', resolve('below')],
    ],
    bad: [],
  },
  DATABASE_URL: {
    at: 'databaseUrl',
    otherwise: undefined,
    good: [
      ['postgres://a:b@c:5/d', 'postgres://a:b@c:5/d'],
      ['postgresql:///d?host=/run', 'postgresql:///d?host=/run'],
    ],
    bad: ['mysql://a:hunter22@c/d', 'localhost:5432', 'postgres', '//a/b'],
  },
  DATABASE_DIRECT_URL: {
    at: 'databaseDirectUrl',
    otherwise: undefined,
    good: [['postgres://a:b@c:5/d', 'postgres://a:b@c:5/d']],
    bad: ['redis://a:hunter22@c/d', 'localhost:5432'],
  },
  DATABASE_REPLICA_URL: {
    at: 'databaseReplicaUrl',
    otherwise: undefined,
    good: [['postgres://a:b@c:5/d', 'postgres://a:b@c:5/d']],
    bad: ['redis://a:hunter22@c/d', 'localhost:5432'],
  },
  CAUSEWAY_BASE_URL: {
    at: 'baseUrl',
    otherwise: undefined,
    good: [
      ['https://causeway.example', 'https://causeway.example'],
      ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ],
    bad: [
      'causeway.example',
      'ftp://causeway.example',
      'https://causeway.example/path',
      'https://a:b@causeway.example',
      'https://causeway.example?',
      'https://causeway.example/#',
      'https://',
    ],
  },
  CAUSEWAY_SSH_PORT: number('ssh.port', undefined, 1, 65_535),
  CAUSEWAY_SSH_URL: {
    at: 'ssh.reachedAt',
    otherwise: undefined,
    good: [
      ['ssh://git.example', { host: 'git.example', port: 22 }],
      ['ssh://git@git.example:2222/', { host: 'git.example', port: 2222 }],
      ['ssh://git@[::1]:22', { host: '[::1]', port: 22 }],
    ],
    bad: [
      'git@git.example',
      'git.example:22',
      'ssh://',
      'ssh://root@git.example',
      'ssh://git@git.example/path',
      'https://a',
    ],
  },
  CAUSEWAY_SECRET_KEY: {
    at: 'secretKeys',
    otherwise: [],
    good: [
      [key, [key]],
      [`${key}1, ${key}2`, [`${key}1`, `${key}2`]],
    ],
    bad: ['k'.repeat(31), `${key},short`, `${key} ${key}`, ',', ' '],
  },
  CAUSEWAY_ROOT_PASSWORD: password('rootPassword'),
  CAUSEWAY_ROOT_TOKEN: {
    at: 'rootToken',
    otherwise: undefined,
    good: [
      ['t'.repeat(20), 't'.repeat(20)],
      ['it\'s-a-$token-"of"-`mine`', 'it\'s-a-$token-"of"-`mine`'],
      ['!'.repeat(255), '!'.repeat(255)],
    ],
    bad: [
      't'.repeat(19),
      't'.repeat(256),
      `with a space${'t'.repeat(20)}`,
      `cwpat_${'t'.repeat(43)}`,
      `ümlaut${'t'.repeat(20)}`,
    ],
  },
  CAUSEWAY_DEMO: switched('demo', true),
  CAUSEWAY_DEMO_CONTENT: switched('demoContent', true),
  CAUSEWAY_DEMO_PASSWORD: password('demoPassword'),
  CAUSEWAY_REPORTED_VERSION: {
    at: 'reportedVersion',
    otherwise: '13.12.0',
    good: [
      ['16.11.2', '16.11.2'],
      ['17.0.0-ee', '17.0.0-ee'],
    ],
    bad: ['13', 'v13.12.0', '13.12', '13.12.0 ee'],
  },
  CAUSEWAY_TRUSTED_PROXIES: {
    at: 'trustedProxies',
    otherwise: [],
    good: [['10.0.0.0/8, ::1,loopback', ['10.0.0.0/8', '::1', 'loopback']]],
    bad: ['10.0.0.0/33', 'fe80::/129', 'proxy.example', '10.0.0.0/', '10.0.0.0/8/8', 'everyone'],
  },
  CAUSEWAY_PROFILE: {
    at: 'oauth.profile',
    otherwise: 'compatible',
    good: [
      ['strict', 'strict'],
      ['compatible', 'compatible'],
    ],
    bad: ['Strict', 'lenient'],
  },
  CAUSEWAY_ACCESS_TOKEN_LIFETIME: number('oauth.accessTokenLifetime', 7_200, 0, 31_536_000),
  CAUSEWAY_REFRESH_TOKEN_LIFETIME: number('oauth.refreshTokenLifetime', 7_776_000, 60, 31_536_000),
  CAUSEWAY_CODE_LIFETIME: number('oauth.codeLifetime', 60, 10, 600),
  CAUSEWAY_REFRESH_REUSE_WINDOW: number('oauth.refreshReuseWindow', 30, 0, 600),
  CAUSEWAY_PASSWORD_GRANT_WITHOUT_CLIENT: switched('oauth.passwordWithoutClient', false),
  CAUSEWAY_LENIENT_VERIFIER: switched('oauth.lenientVerifier', false),
  CAUSEWAY_SMTP_URL: {
    at: 'smtp.url',
    otherwise: undefined,
    good: [
      ['smtp://mail.example', 'smtp://mail.example'],
      ['smtps://user:p%40ss@mail.example:465', 'smtps://user:p%40ss@mail.example:465'],
    ],
    bad: ['mail.example:25', 'http://mail.example', 'smtp:', 'smtp://'],
  },
  CAUSEWAY_SMTP_FROM: {
    at: 'smtp.from',
    otherwise: undefined,
    good: [
      ['causeway@example.com', 'causeway@example.com'],
      ['Causeway <causeway@example.com>', 'Causeway <causeway@example.com>'],
    ],
    bad: ['Causeway', 'a@b@c', 'a@example.com, b@example.com', 'Causeway <causeway>', 'x\r\nBcc: <a@example.com>'],
  },
  CAUSEWAY_INBOX: switched('inbox', true),
  CAUSEWAY_SIGN_UP: switched('signUp', false),
  CAUSEWAY_INTROSPECTION: switched('introspection', true),
  CAUSEWAY_FAST_LANE: switched('fastLane', true),
  CAUSEWAY_LIMIT_UNAUTHENTICATED_API: rate('limits.unauthenticatedApi'),
  CAUSEWAY_LIMIT_AUTHENTICATED_API: rate('limits.authenticatedApi'),
  CAUSEWAY_LIMIT_RUNNER_API: rate('limits.runnerApi'),
  CAUSEWAY_LIMIT_PROTECTED_PATHS: rate('limits.protectedPaths'),
  CAUSEWAY_LIMIT_ENDPOINTS: switched('limits.endpoints', false),
  REDIS_URL: {
    at: 'redisUrl',
    otherwise: undefined,
    good: [
      ['redis://127.0.0.1', 'redis://127.0.0.1'],
      ['rediss://a:b@c:6380/2', 'rediss://a:b@c:6380/2'],
    ],
    bad: ['127.0.0.1:6379', 'http://c:6379', 'redis:', 'redis://', 'valkey://c'],
  },
  CAUSEWAY_ACCESS_LOG: switched('accessLog', true),
  CAUSEWAY_LOG_LEVEL: {
    at: 'logLevel',
    otherwise: 'info',
    good: ['debug', 'info', 'warn', 'error', 'silent'].map((level) => [level, level] as const),
    bad: ['INFO', 'trace', 'all'],
  },
  CAUSEWAY_AUDIT_DAYS: number('auditDays', 365, 1, 36_500),
  CAUSEWAY_EVENT_DAYS: number('eventDays', 1_096, 1, 36_500),
  CAUSEWAY_TIME_ZONE: {
    at: 'timeZone',
    otherwise: 'UTC',
    good: [
      ['Europe/Vienna', 'Europe/Vienna'],
      ['America/Argentina/Ushuaia', 'America/Argentina/Ushuaia'],
    ],
    bad: ['Vienna', '+02:00', 'Europe/Vienna; drop', 'Mars/Olympus_Mons'],
  },
  CAUSEWAY_JOBS: number('jobs', 4, 0, 64),
  CAUSEWAY_WORKERS: {
    at: 'workers',
    otherwise: 1,
    good: [
      ['1', 1],
      ['64', 64],
      ['auto', availableParallelism()],
    ],
    bad: ['0', '65', '-1', 'all'],
  },
  CAUSEWAY_DATABASE_CONNECTIONS: number('databaseConnections', 10, 2, 500),
  CAUSEWAY_STATEMENT_TIMEOUT: number('statementTimeout', 15_000, 100, 600_000),
  CAUSEWAY_CONNECTION_TIMEOUT: number('connectionTimeout', 5_000, 100, 600_000),
  CAUSEWAY_REQUEST_TIMEOUT: number('requestTimeout', 30_000, 1_000, 600_000),
  CAUSEWAY_BODY_TIMEOUT: number('bodyTimeout', 30_000, 1_000, 600_000),
  CAUSEWAY_MAX_BODIES: number('arrivals.bodies', 1_000, 10, 100_000),
  CAUSEWAY_MAX_BODIES_PER_ADDRESS: number('arrivals.bodiesPerAddress', 100, 1, 100_000),
  CAUSEWAY_MAX_JOB_LOG: number('jobFiles.longestTrace', 100, 1, 10_000),
  CAUSEWAY_MAX_ARTIFACT: number('jobFiles.largestArtifact', 1_024, 1, 100_000),
  CAUSEWAY_MAX_PUSH: number('repositories.largestPush', 5_120, 1, 1_000_000),
  CAUSEWAY_MAX_REPOSITORY: number('repositories.largest', 0, 0, 100_000_000),
  CAUSEWAY_MAX_REQUESTS: number('overload.requests', 1_000, 10, 100_000),
  CAUSEWAY_MAX_EVENT_LOOP_DELAY: number('overload.eventLoopDelay', 250, 0, 60_000),
  CAUSEWAY_DRAIN_DELAY: number('drainDelay', 0, 0, 600_000),
  CAUSEWAY_DRAIN_TIMEOUT: number('drainTimeout', 10_000, 0, 600_000),
  CAUSEWAY_MONITORING_ADDRESSES: {
    at: 'monitoringAddresses',
    otherwise: ['loopback', 'linklocal', 'uniquelocal'],
    good: [['192.0.2.7, 10.0.0.0/8', ['192.0.2.7', '10.0.0.0/8']]],
    bad: ['10.0.0.0/33', 'monitor.example', 'everyone', ','],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    at: 'tracing.endpoint',
    otherwise: undefined,
    good: [
      ['http://localhost:4318', 'http://localhost:4318'],
      ['https://collector.example/otlp', 'https://collector.example/otlp'],
    ],
    bad: ['localhost:4318', 'collector.example', 'grpc://collector.example'],
  },
  OTEL_SERVICE_NAME: {
    at: 'tracing.serviceName',
    otherwise: 'causeway',
    good: [['gateway of the east', 'gateway of the east']],
    bad: ['x'.repeat(256)],
  },
  OTEL_TRACES_SAMPLER: {
    at: 'tracing.sampler',
    otherwise: 'parentbased_always_on',
    good: [
      ['traceidratio', 'traceidratio'],
      ['parentbased_always_off', 'parentbased_always_off'],
    ],
    bad: ['ALWAYS_ON', 'jaeger_remote'],
  },
  OTEL_TRACES_SAMPLER_ARG: {
    at: 'tracing.ratio',
    otherwise: 1,
    good: [
      ['0', 0],
      ['0.01', 0.01],
      ['1', 1],
      ['1.0', 1],
    ],
    bad: ['1.1', '-0.1', '1e-2', '50%', '.', '2'],
  },
};
const names = Object.keys(cases) as Name[];

const at = (config: Config, path: string) =>
  path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], config);
/** Settings that another setting requires. */
const companions: { readonly [N in Name]?: Record<string, string> } = {
  DATABASE_URL: { CAUSEWAY_SECRET_KEY: key },
  CAUSEWAY_SSH_URL: { CAUSEWAY_SSH_PORT: '2222' },
  CAUSEWAY_SMTP_URL: { CAUSEWAY_SMTP_FROM: 'causeway@example.com' },
  CAUSEWAY_SIGN_UP: { CAUSEWAY_SMTP_URL: 'smtp://mail.example', CAUSEWAY_SMTP_FROM: 'causeway@example.com' },
};
const beside = (name: Name): Record<string, string> => companions[name] ?? {};

function problems(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { problems: found, message } = error as ConfigError;
    for (const problem of found) expect(message).toContain(problem);
    return found;
  }
}
const needed = `CAUSEWAY_SECRET_KEY: it is needed with DATABASE_URL, the same for every process; it must be ${settings.CAUSEWAY_SECRET_KEY.remedy}.`;
const neededFrom = `CAUSEWAY_SMTP_FROM: it is needed with CAUSEWAY_SMTP_URL; it must be ${settings.CAUSEWAY_SMTP_FROM.remedy}.`;
const neededPort = 'CAUSEWAY_SSH_PORT: it is needed with CAUSEWAY_SSH_URL: without it, git over SSH isn’t served.';
const wrong = (name: Name) => `${name}: it must be ${settings[name].remedy}.`;

describe('a setting', () => {
  test('has a case here, for every name', () => {
    expect(names).toEqual(Object.keys(settings));
  });

  test.each(names)('%s has its default when it is unset or empty', (name) => {
    for (const environment of [{}, { [name]: '' }])
      expect(at(readConfig(environment), cases[name].at)).toEqual(cases[name].otherwise);
  });

  test.each(names.flatMap((name) => cases[name].good.map(([value, read]) => [name, value, read] as const)))(
    '%s can be %j',
    (name, value, read) => {
      expect(at(readConfig({ ...beside(name), [name]: value }), cases[name].at)).toEqual(read);
    },
  );

  test.each(names.flatMap((name) => cases[name].bad.map((value) => [name, value] as const)))(
    '%s can’t be %j, and the problem says what it must be',
    (name, value) => {
      expect(problems({ ...beside(name), [name]: value })).toEqual([wrong(name)]);
    },
  );

  test('with an unknown name is a problem, so that typos are noticed', () => {
    expect(problems({ CAUSEWAY_PORT: '80', CAUSEWAY_ROOT_PASWORD: 'secret thing', PATH: '/bin', PORTS: '1' })).toEqual([
      'CAUSEWAY_PORT: there is no such setting; see the table of settings in docs/configuration.md.',
      'CAUSEWAY_ROOT_PASWORD: there is no such setting; see the table of settings in docs/configuration.md.',
    ]);
  });

  test('that is secret never appears in a problem, whatever its value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.oneof(
          fc.string({ minLength: 6 }),
          fc.string({ unit: 'binary', minLength: 6 }),
          fc.webUrl({ withQueryParameters: true }).map((url) => url.replace('//', '//me:hunter22@')),
        ),
        (name, value) => {
          for (const problem of problems({ [name]: value }))
            expect([wrong(name), needed, neededFrom, neededPort]).toContain(problem);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the settings together', () => {
  test('report every problem at once', () => {
    const environment = {
      ...Object.fromEntries(
        names.filter((name) => cases[name].bad.length > 0).map((name) => [name, cases[name].bad[0]!]),
      ),
      CAUSEWAY_SECRET_KEY: '',
      CAUSEWAY_NOTHING: 'x',
    };
    const found = problems(environment);
    const expected = names.filter((name) => cases[name].bad.length > 0 && name !== 'CAUSEWAY_SECRET_KEY').map(wrong);
    expect(found).toEqual([...expected, needed, expect.stringMatching(/^CAUSEWAY_NOTHING: there is no such setting/)]);
  });

  test('require a key with DATABASE_URL', () => {
    expect(problems({ DATABASE_URL: 'postgres://a/b' })).toEqual([needed]);
    expect(problems({ DATABASE_URL: 'postgres://a/b', CAUSEWAY_SECRET_KEY: key })).toEqual([]);
  });

  test('require a port of its own for git over SSH', () => {
    expect(problems({ CAUSEWAY_SSH_URL: 'ssh://git.example' })).toEqual([neededPort]);
    for (const given of [{ PORT: '3000' }, { PORT: '2222' }] as const)
      expect(problems({ ...given, CAUSEWAY_SSH_PORT: given.PORT })).toEqual([
        'CAUSEWAY_SSH_PORT: it must differ from PORT.',
      ]);
  });

  test('require a sender with a mail server', () => {
    expect(problems({ CAUSEWAY_SMTP_URL: 'smtp://mail.example' })).toEqual([neededFrom]);
  });

  test('create the demo workspace in an embedded database by default, and in a given one only on request', () => {
    const shared = { DATABASE_URL: 'postgres://a/b', CAUSEWAY_SECRET_KEY: key };
    expect(
      [{}, shared, { ...shared, CAUSEWAY_DEMO: 'on' }, { CAUSEWAY_DEMO: 'off' }].map(
        (environment) => readConfig(environment).demo,
      ),
    ).toEqual([true, false, true, false]);
  });

  test('mean production when the address is https, or NODE_ENV says so', () => {
    const environments = [
      {},
      { CAUSEWAY_BASE_URL: 'http://a.example' },
      { CAUSEWAY_BASE_URL: 'https://a.example' },
      { NODE_ENV: 'production' },
      { NODE_ENV: 'test' },
    ];
    expect(environments.map((environment) => readConfig(environment).oauth.production)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test('are frozen', () => {
    const config = readConfig({ CAUSEWAY_TRUSTED_PROXIES: 'loopback' });
    for (const part of [config, config.oauth, config.limits, config.secretKeys, config.trustedProxies])
      expect(Object.isFrozen(part)).toBe(true);
  });
});

describe('docs/configuration.md', () => {
  const script = '../../scripts/settings-table.mjs';

  test('has an up-to-date table of the settings', async () => {
    const { settingsTable } = (await import(script)) as { settingsTable(all: typeof settings): string };
    const page = await readFile(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
    expect(
      page.includes(settingsTable(settings)),
      'The table is stale. Update it with: node scripts/settings-table.mjs',
    ).toBe(true);
  });

  test.each(names)('has the real default of %s', (name) => {
    const { otherwise } = cases[name];
    const words = { boolean: otherwise ? 'on' : 'off', number: String(otherwise), string: String(otherwise) }[
      typeof otherwise as string
    ];
    if (name === 'DATA_DIR') expect(resolve(settings[name].otherwise)).toBe(otherwise);
    else if (words !== undefined) expect(settings[name].otherwise.replaceAll('`', '').split(' ')[0]).toBe(words);
    // No default, or an empty list: described in words.
    else expect(settings[name].otherwise).toMatch(/[a-z]/);
  });
});
