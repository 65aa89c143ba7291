// The import law as data: which rooms each room of `src` may import, lowest rooms first. A room is a folder or a
// file directly below `src`; `scripts/check-rooms.mjs` checks the law.

/** Rooms that any other room may import: plain values and functions without dependencies. */
export const free = ['counters', 'package', 'values'];

/** Composition: these files wire rooms together and may import every room. */
export const composition = [
  'server',
  'store',
  'services',
  'doors',
  'ssh-gateway',
  'maintenance',
  'backups',
  'contract',
  'check',
];

/**
 * Rooms that may import while running, what they may import at all: a command loads of the gateway what it needs, the database
 * Prisma's second client, pipelines their planner.
 */
export const late = ['ci', 'cli', 'database'];

/**
 * What each room may import, besides itself and the free rooms. `statements` are the hand-written
 * statements of a subject, `src/schema/<area>/<subject>/statements`, wherever they are.
 *
 * @type {Record<string, readonly string[]>}
 */
export const mayImport = {
  config: [],
  errors: [],
  ci: [],
  markdown: [],
  git: [],
  storage: [],
  observability: ['config'],
  policy: ['errors'],
  database: ['config', 'errors', 'observability'],
  changes: ['database', 'errors', 'observability'],
  mail: ['database', 'observability'],
  redis: ['database', 'observability'],
  auth: ['database', 'errors', 'policy'],
  oauth: ['auth', 'changes', 'database', 'errors', 'policy'],
  events: ['database'],
  notify: ['markdown'],
  statements: ['auth', 'ci', 'database', 'events', 'notify', 'policy'],
  jobs: [
    'auth',
    'changes',
    'database',
    'events',
    'git',
    'mail',
    'notify',
    'observability',
    'policy',
    'statements',
    'storage',
  ],
  instance: ['database', 'errors', 'oauth', 'policy'],
  context: ['auth', 'changes', 'database', 'errors', 'git', 'instance', 'mail', 'oauth', 'policy', 'storage'],
  credential: ['auth', 'errors'],
  execution: [],
  operation: ['context', 'execution', 'policy'],
  schema: [
    'auth',
    'changes',
    'ci',
    'context',
    'database',
    'errors',
    'events',
    'git',
    'instance',
    'jobs',
    'mail',
    'markdown',
    'notify',
    'oauth',
    'policy',
    'statements',
    'storage',
  ],
  http: ['config', 'errors', 'observability'],
  limits: ['auth', 'config', 'database', 'errors', 'http', 'observability', 'policy', 'redis'],
  rest: ['context', 'credential', 'errors', 'http', 'limits', 'observability', 'operation'],
  graphql: ['context', 'credential', 'errors', 'http', 'limits', 'observability', 'operation'],
  'git-http': ['context', 'errors', 'git', 'http', 'limits', 'observability', 'operation'],
  'runner-api': ['context', 'errors', 'http', 'limits', 'observability', 'operation'],
  ssh: ['context', 'errors', 'git', 'git-http', 'limits', 'observability', 'operation'],
  web: ['config', 'context', 'credential', 'errors', 'http', 'limits', 'markdown', 'observability', 'operation'],
  import: ['errors'],
  'first-start': ['config', 'context', 'errors', 'operation'],
  cli: [
    'config',
    'context',
    'errors',
    'first-start',
    'http',
    'import',
    'maintenance',
    'backups',
    'observability',
    'operation',
    'policy',
    'server',
    'ssh-gateway',
    'store',
  ],
};

/** Files that may contain SQL: statements beside resolvers, engine rooms, and code that runs the database. */
export const sqlFiles =
  /^src\/(database\/|maintenance\.ts|[\w-]+\/statements(\/|\.ts)|schema\/[\w-]+\/[\w-]+\/statements(\/|\.ts))/;
