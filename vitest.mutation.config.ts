import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { base } from './vitest.config.ts';
import { tests } from './test/mutation-parts.mjs';

/** What failed last, then the quickest: most mutants are found by the test that found their neighbour. */
class MostTelling extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { cache, config } = this.ctx;
    const rank = ({ project, moduleId }: TestSpecification) => {
      const last = cache.getFileTestResults(`${project.name}:${relative(config.root, moduleId)}`);
      return last ? (last.failed ? 0 : 1 + last.duration) : Infinity;
    };
    return Promise.resolve(files.toSorted((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other))));
  }
}

/**
 * Only what runs in this process and is about the part: a mutant lives in here, not
 * in a built bundle, a browser or another process. Races and random searches take
 * too long to be done once a mutant.
 */
export default {
  ...base,
  // The mutants are in the sources.
  plugins: [],
  test: {
    ...base.test,
    include: tests,
    exclude: [],
    globalSetup: 'test/support/run/mutation-setup.ts',
    // Shorter than for other runs: many mutants make a test wait for ever.
    testTimeout: 30_000,
    sequence: { sequencer: MostTelling },
  },
};
