import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { compiledPath } from './scripts/compile.mjs';

/**
 * Imports of sources lead to what scripts/compile.mjs translated them to, which Node loads in a quarter of the time. Not
 * while Vitest watches: it sees only what it loads itself.
 */
const compiled: Plugin = {
  name: 'compiled',
  enforce: 'pre',
  resolveId(source, importer) {
    const found = process.argv.includes('run') && source.startsWith('.') && importer !== undefined;
    return found ? compiledPath(join(dirname(importer), source)) : undefined;
  },
};

const modules = {
  plugins: [compiled],
  // The copy that Node itself picks: graphql refuses to work as two modules at once.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
};
const each = {
  server: { deps: { external: [/\/compiled\//] } },
  setupFiles: 'test/support/run/each-file.ts',
  // Generous: a slow machine is no failure.
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 20_000 } },
  // How often a test that fails runs again: never, except where a change lands.
  retry: Number(process.env.TEST_RETRY ?? 0),
};

/** What all runs of tests have in common. */
export const base = {
  ...modules,
  test: {
    globalSetup: 'test/support/run/global-setup.ts',
    // Each file has a database of its own; files may run side by side, three of them on a small machine too: they wait much.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    ...each,
  },
};

/**
 * Files that have a process of their own: they replace modules or timers of it, or measure its load. All others share what
 * the files before them have loaded, and start and stop only what is theirs. To import it again takes seconds.
 */
const alone = ['test/auth/{credential-watch,primitives}.test.ts', 'test/http/overload.test.ts'];
/**
 * Those of `npm run test:clients`, which see the gateway from outside: in browsers and clients that Debian packages, and as
 * a process that is started, killed, backed up and restored.
 */
export const clients = ['test/**/*.browser.test.ts', 'test/**/*.process.test.ts', 'test/clients/**/*.test.ts'];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: [
      { ...modules, test: { name: 'alone', include: alone, exclude: clients, ...each } },
      {
        ...modules,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...clients, ...alone],
          isolate: false,
          ...each,
        },
      },
    ],
  },
});
