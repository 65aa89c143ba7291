import { mutate } from './test/mutation-parts.mjs';

/** Mutation testing, of all parts or of the one that MUTATION_PART names: `npm run test:mutation`. */
export default {
  mutate,
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts', related: false },
  // Stryker doesn’t know this version of the compiler, and nothing here needs it.
  tsconfigFile: 'none.json',
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 20,
  // `dist` goes along: the pages need their assets, and nothing is built from sources full of mutants.
  ignorePatterns: ['compiled', 'data', 'reports', 'test/screenshots'],
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: null },
};
