import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { settings } from '../src/config/index.ts';
import { startServer, type Server } from './server.ts';
import { application, password, secretKey, type Size, type Store } from './store.ts';

/** A server that can be measured, and how to start it. */
interface Side {
  readonly command: readonly string[];
  /** How many cores it may use. */
  readonly cores: number;
  /** Processes that share the requests; one if omitted. */
  readonly processes?: number;
  /** Environment variables beyond the common ones. */
  readonly env?: Record<string, string>;
  /** The size of its data, if not that of the run. */
  readonly size?: Size;
  /** Whether this machine can run it. */
  readonly available?: () => boolean | Promise<boolean>;
}

const root = process.env.BENCH_ROOT!;
const bundles = process.env.BENCH_BUNDLES!;

const node = (bundle: string): Side => ({
  command: [process.execPath, '--enable-source-maps', join(bundles, bundle)],
  cores: 1,
});
/** As `npm start` runs it, with its normal log. */
export const gatewayCommand: readonly string[] = [process.execPath, join(root, 'dist/cli.js'), 'start'];
const gateway: Side = { command: gatewayCommand, cores: 1 };

const sides = {
  causeway: gateway,
  'causeway, on two cores': { ...gateway, cores: 2 },
  'causeway, two workers': {
    ...gateway,
    cores: 2,
    processes: 2,
    env: { CAUSEWAY_WORKERS: '2' },
    available: () => 'CAUSEWAY_WORKERS' in settings,
  },
  'causeway, large data': { ...gateway, size: 'large' },
  'causeway, a million issues': { ...gateway, size: 'planning' },
  'causeway, a million merge requests and jobs': { ...gateway, size: 'delivery' },
  'causeway, a twentieth of them': { ...gateway, size: 'delivery, a twentieth' },
  'causeway, a tenth of the data': { ...gateway, size: 'tenth' },
  floor: node('floor.js'),
  'plain Yoga': node('plain-yoga.js'),
  'usual stack': node('usual-stack.js'),
  'oidc-provider': node('oidc-provider.js'),
  // With two workers, as a small instance runs it.
  doorkeeper: {
    command: [
      'puma',
      '--workers',
      '2',
      '--threads',
      '5:5',
      '--preload',
      '--environment',
      'production',
      '--bind',
      'tcp://127.0.0.1:0',
      join(root, 'bench/sides/doorkeeper/config.ru'),
    ],
    cores: 2,
    processes: 2,
    available: () =>
      succeeds(
        'ruby',
        '-e',
        `require 'active_record/railtie'; require 'action_controller/railtie'; require 'doorkeeper'; require 'pg'`,
      ),
  },
} satisfies Record<string, Side>;

export type SideName = keyof typeof sides;

const succeeds = (file: string, ...args: string[]): Promise<boolean> =>
  promisify(execFile)(file, args).then(
    () => true,
    () => false,
  );

/** The environment of a gateway on a store. */
export const gatewayEnv = ({ url, dataDir }: Store): Record<string, string> => ({
  DATA_DIR: dataDir,
  DATABASE_URL: url,
  CAUSEWAY_SECRET_KEY: secretKey,
  CAUSEWAY_DEMO: 'off',
  PORT: '0',
  NODE_ENV: 'production',
});

/** Starts one side on a store. @param flags for Node, if it runs on that @param more environment variables */
export function startSide(
  name: SideName,
  store: Store,
  {
    flags = [],
    env = {},
    cores = sides[name].cores,
  }: { flags?: readonly string[]; env?: Record<string, string>; cores?: number } = {},
): Promise<Server> {
  const side: Side = sides[name];
  const [file, ...args] = side.command;
  const variables = {
    ...gatewayEnv(store),
    BENCH_APPLICATION: Object.values(application).join(' '),
    BENCH_PASSWORD: password,
    ...side.env,
    ...env,
  };
  return startServer([file!, ...flags, ...args], variables, { cores, postgres: store.pid });
}

/** A running side. */
export interface Running {
  readonly server: Server;
  readonly store: Store;
  /** Processes that share the requests. */
  readonly processes: number;
}

/** Starts the sides that this machine can run. @param opened opens the data of a size */
export async function startSides(
  wanted: ReadonlySet<SideName>,
  size: Size,
  opened: (size: Size) => Promise<Store>,
  print: (message: string) => void,
): Promise<Map<SideName, Running>> {
  const running = new Map<SideName, Running>();
  try {
    for (const [name, side] of Object.entries<Side>(sides) as [SideName, Side][]) {
      if (!wanted.has(name)) continue;
      if (side.available && !(await side.available())) {
        print(`${name}: not available here, omitted.`);
        continue;
      }
      const store = await opened(side.size ?? size);
      running.set(name, { store, server: await startSide(name, store), processes: side.processes ?? 1 });
    }
    return running;
  } catch (error) {
    await stopSides(running);
    throw error;
  }
}

export async function stopSides(running: Map<SideName, Running>): Promise<void> {
  await Promise.all([...running.values()].map(({ server }) => server.stop()));
  running.clear();
}
