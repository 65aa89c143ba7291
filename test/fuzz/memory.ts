/** The memory of a process after a number of requests, in bytes. */
export interface Sample {
  readonly sent: number;
  /** The heap after a garbage collection. */
  readonly heap: number;
  readonly resident: number;
}

/** The least number of requests for a judgement: before that, caches still fill. */
const enough = 50_000;
/** How much the heap may grow: a tenth, plus the normal variation of caches. */
const allowance = { share: 1.1, bytes: 8 * 2 ** 20 };

/** A message if the heap keeps growing: compares the last quarter of the requests with the second. Undefined otherwise, or after too few requests. */
export function growth(samples: readonly Sample[]): string | undefined {
  const total = samples.at(-1)?.sent ?? 0;
  if (total < enough) return undefined;
  const mean = (from: number, to: number) => {
    const heaps = samples.filter(({ sent }) => sent >= total * from && sent <= total * to).map(({ heap }) => heap);
    return heaps.reduce((sum, heap) => sum + heap, 0) / heaps.length;
  };
  const [early, late] = [mean(0.25, 0.5), mean(0.75, 1)];
  if (late <= early * allowance.share + allowance.bytes) return undefined;
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  return `What is alive grew from ${megabytes(early)} to ${megabytes(late)} MB`;
}
