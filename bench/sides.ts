import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { settings } from '../src/config.ts';
import { startServer, type Server } from './server.ts';
import { application, password, secretKey, type Size, type Store } from './store.ts';

/** A server that can be measured, and how it is started. */
interface Side {
  readonly command: readonly string[];
  /** How many it may use. */
  readonly cores: number;
  /** Of them that answer, and share what there is to do; one unless said otherwise. */
  readonly processes?: number;
  /** Beside what every side is told. */
  readonly env?: Record<string, string>;
  /** Of the data that it runs on, where that isn't what the run is about. */
  readonly size?: Size;
  /** What must be there, asked of the machine. */
  readonly available?: () => boolean | Promise<boolean>;
}

const root = process.env.BENCH_ROOT!;
const bundles = process.env.BENCH_BUNDLES!;

const node = (bundle: string): Side => ({
  command: [process.execPath, '--enable-source-maps', join(bundles, bundle)],
  cores: 1,
});
/** As `npm start` runs it, with its log as it is. */
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

/** What a gateway on a store is told. */
export const gatewayEnv = ({ url }: Store): Record<string, string> => ({
  DATABASE_URL: url,
  CAUSEWAY_SECRET_KEY: secretKey,
  CAUSEWAY_DEMO: 'off',
  PORT: '0',
  NODE_ENV: 'production',
});

/** Starts one side on a store. @param flags of Node, where it runs on that */
export function startSide(name: SideName, store: Store, flags: readonly string[] = []): Promise<Server> {
  const {
    command: [file, ...args],
    cores,
    env,
  }: Side = sides[name];
  const told = {
    ...gatewayEnv(store),
    BENCH_APPLICATION: Object.values(application).join(' '),
    BENCH_PASSWORD: password,
    ...env,
  };
  return startServer([file!, ...flags, ...args], told, { cores, postgres: store.pid });
}

/** A side that runs. */
export interface Running {
  readonly server: Server;
  readonly store: Store;
  /** That answer, and share what there is to do. */
  readonly processes: number;
}

/**
 * Starts those sides that this machine can run.
 * @param opened finds the data of a size
 */
export async function startSides(
  wanted: ReadonlySet<SideName>,
  size: Size,
  opened: (size: Size) => Promise<Store>,
  tell: (message: string) => void,
): Promise<Map<SideName, Running>> {
  const running = new Map<SideName, Running>();
  try {
    for (const [name, side] of Object.entries<Side>(sides) as [SideName, Side][]) {
      if (!wanted.has(name)) continue;
      if (side.available && !(await side.available())) {
        tell(`${name}: not to be had here, and left out.`);
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
