/** When a job ran. */
export interface Ran {
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** How long jobs ran, in whole seconds: what overlaps counts once, gaps don't count. Null if none ran. */
export function durationOf(jobs: readonly Ran[], now: Date): number | null {
  const spans = jobs
    .flatMap(({ startedAt, finishedAt }) => (startedAt ? [{ from: +startedAt, to: +(finishedAt ?? now) }] : []))
    .toSorted((one, other) => one.from - other.from);
  if (spans.length === 0) return null;
  let total = 0;
  let end = -Infinity;
  for (const { from, to } of spans) {
    if (to > end) total += to - Math.max(from, end);
    end = Math.max(end, to);
  }
  return Math.round(total / 1000);
}
