import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // The copy that Node itself picks: graphql refuses to work as two modules at once.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    // Those of `npm run test:long` and `npm run test:clients`.
    exclude: ['test/long/**', 'test/clients/**'],
    globalSetup: 'test/support/global-setup.ts',
    // Each file has a database of its own; files may run side by side, two of them on a small machine too: they wait much.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Files of one worker share the modules that are loaded: importing them took a third of the run. Each file restores
    // what it replaces in them.
    isolate: false,
    // Generous: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
