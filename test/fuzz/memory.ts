/** What a process held when it had answered so many requests, in bytes. */
export interface Sample {
  readonly sent: number;
  /** Alive after a collection. */
  readonly heap: number;
  readonly resident: number;
}

/** Requests below which nothing can be said: caches still fill. */
const enough = 50_000;
/** What the second half may hold more than the first: a tenth, and what caches go up and down by. */
const allowance = { share: 1.1, bytes: 8 * 2 ** 20 };

/** Says so if what is alive keeps growing: the last quarter of the requests beside the second. Undefined if not, or if there were too few. */
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
