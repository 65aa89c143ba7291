import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const resolve = {
  // The copy that Node itself picks: graphql refuses to work as two modules at once.
  alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
};
const each = {
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
  resolve,
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
/** Those of `npm run test:clients`, which needs what Debian packages: browsers and clients. */
export const clients = ['test/**/*.browser.test.ts', 'test/clients/**/*.test.ts'];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: [
      { resolve, test: { name: 'alone', include: alone, exclude: clients, ...each } },
      {
        resolve,
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
