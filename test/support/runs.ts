/**
 * How many times over the tests that search at random or race do their work:
 * once by default; 100 is the long run.
 */
export const runs = Math.max(1, Number(process.env.TEST_RUNS ?? 1));
