import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const resolve = {
  // The copy that Node itself picks: graphql refuses to work as two modules at once.
  alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
};
// Generous: a slow machine is no failure.
const patience = { testTimeout: 60_000, hookTimeout: 120_000 };

/** What all runs of tests have in common. */
export const base = {
  resolve,
  test: {
    globalSetup: 'test/support/global-setup.ts',
    // Each file has a database of its own; files may run side by side, two of them on a small machine too: they wait much.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    ...patience,
  },
};

/** Folders whose tests only send requests, and replace nothing in the process. */
const requestsOnly = ['places', 'planning', 'settings', 'rest', 'interface'].map((name) => `test/${name}/**/*.test.ts`);
/** Those of `npm run test:long` and `npm run test:clients`. */
const runApart = ['test/long/**', 'test/clients/**'];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    projects: [
      // Files of one worker share the modules that are loaded: importing them took a third of the run.
      { resolve, test: { name: 'requests', include: requestsOnly, isolate: false, ...patience } },
      {
        resolve,
        test: { name: 'others', include: ['test/**/*.test.ts'], exclude: [...runApart, ...requestsOnly], ...patience },
      },
    ],
  },
});
