/** Globs of the sources that are mutated, and of the tests that are about them. */
export const mutate: string[];
export const tests: string[];
