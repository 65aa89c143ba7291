import { Readable } from 'node:stream';
import { failureOf, type Job } from './index.ts';

/**
 * The output of a job as a stream that fails if the job fails, so that no one takes a part for the whole. Destroying it
 * ends the job.
 */
export function outputOf(
  { output, ended, stop }: Pick<Job, 'output' | 'ended' | 'stop'>,
  signal?: AbortSignal,
): Readable {
  async function* bytes() {
    try {
      yield* output;
      const result = await ended;
      if (result.code !== 0) throw failureOf(result, signal);
    } finally {
      stop();
    }
  }
  return Readable.from(bytes(), { objectMode: false });
}
