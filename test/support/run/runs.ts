/**
 * The factor for randomized and concurrent tests: how many times they run. 1 by default; 100 is the long run.
 */
export const runs = Math.max(1, Number(process.env.TEST_RUNS ?? 1));
