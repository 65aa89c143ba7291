import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**'],
    globalSetup: 'test/support/global-setup.ts',
    // Each file has a database of its own; files may run side by side.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
