const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Seconds of each unit, by the names that configurations use. */
const units: readonly (readonly [names: readonly string[], seconds: number])[] = [
  [['s', 'sec', 'secs', 'second', 'seconds'], 1],
  [['m', 'min', 'mins', 'minute', 'minutes'], minute],
  [['h', 'hr', 'hrs', 'hour', 'hours'], hour],
  [['d', 'day', 'days'], day],
  [['w', 'wk', 'wks', 'week', 'weeks'], 7 * day],
  [['mo', 'mos', 'mon', 'mons', 'month', 'months'], 30 * day],
  [['y', 'yr', 'yrs', 'year', 'years'], 365.25 * day],
];
const secondsOfUnit = new Map(units.flatMap(([names, seconds]) => names.map((name) => [name, seconds] as const)));

const part = /(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]*)[\s,]*(?:and\s+)?/y;

/** Longest text that is read. */
const longest = 200;

/**
 * Reads a duration such as `1 week`, `1h 30m`, `2 days and 3 hours`; a number alone counts seconds.
 * @returns whole seconds; undefined for a text that isn't a duration
 */
export function secondsOf(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '' || trimmed.length > longest) return undefined;
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < trimmed.length) {
    const found = part.exec(trimmed);
    const seconds = found && (found[2] === '' ? 1 : secondsOfUnit.get(found[2]!));
    if (!seconds) return undefined;
    total += Number(found[1]) * seconds;
  }
  return Math.round(total);
}
