import { TooLarge } from '../../errors.ts';

/** Results that are so large that a request may not have many of them. */

/** Bytes that a request holds at most: a page of the hundred longest descriptions, or one file as JSON, fits. */
export const mostHeld = 128 * 2 ** 20;

/** Bytes that one statement reads at most, that of a job too. */
export const mostRead = 4 * mostHeld;

/** Bytes from which on a result is counted. Smaller ones cost more to count than they matter. */
const large = 2 ** 20;

const sizes = new WeakMap<object, number>();

/** Notes how large a result is. */
export function noteSize(rows: object, bytes: number): void {
  if (bytes >= large) sizes.set(rows, bytes);
}

/** The bytes of a large result; 0 for another. */
export const bytesOfLarge = (result: unknown): number => sizes.get(result as object) ?? 0;

export const tooMuch = (): TooLarge =>
  new TooLarge(`One request may read ${mostHeld / 2 ** 20} MiB of records, files and diffs. Ask for fewer at a time.`);
