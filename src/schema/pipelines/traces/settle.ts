import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { resizeTrace, tracesOfJobs, type TraceRow } from './statements.ts';

type Place = Pick<Context, 'database' | 'files'>;

/** Milliseconds in which another gateway writes the bytes that it has counted, and how often they are looked for. */
export const [lag, lookEvery] = [1_000, 20];

/**
 * The size of a log: that of its file. A crash can leave a piece out of the row, which isn't awaited on the disk, or out of
 * the file, which is written after it. Then the row is given the size of the file.
 */
export async function settledSize(
  { database, files }: Place,
  job: number,
  { location, size }: Pick<TraceRow, 'location' | 'size'>,
): Promise<number> {
  const deadline = performance.now() + lag;
  let there = await files.size(location);
  while (there < size && performance.now() < deadline) {
    await setTimeout(lookEvery);
    there = await files.size(location);
  }
  if (there !== size) await database.rows(resizeTrace, [job, size, there]);
  return there;
}

/** Has the whole log of a job on the disk, and in its row: when it ends. */
export async function settleTrace(place: Place, job: number): Promise<void> {
  const [trace] = await place.database.rows(tracesOfJobs, [[job]]);
  if (trace && (await settledSize(place, job, trace)) > 0) await place.files.flush(trace.location);
}
