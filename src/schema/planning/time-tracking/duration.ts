import type { InstanceSettings } from '../../../instance/settings.ts';
import { largestInteger } from '../../../values/integers.ts';

/** Durations of time tracking, in seconds: a day has eight hours, a week five days, a month four weeks. */

const hour = 3_600;
const units = [
  ['mo', 160 * hour],
  ['w', 40 * hour],
  ['d', 8 * hour],
  ['h', hour],
  ['m', 60],
  ['s', 1],
] as const;
/** The units as people write them. */
const words = [
  ['mo', 'mos', 'month', 'months'],
  ['w', 'wk', 'wks', 'week', 'weeks'],
  ['d', 'dy', 'dys', 'day', 'days'],
  ['h', 'hr', 'hrs', 'hour', 'hours'],
  ['m', 'min', 'mins', 'minute', 'minutes'],
  ['s', 'sec', 'secs', 'second', 'seconds'],
] as const;
const seconds = new Map<string, number>(
  units.flatMap(([, size], at) => words[at]!.map((word) => [word, size] as const)),
);

const part = /(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]{1,7})?\s*(?:(?:,|and|with|plus)\s*)?/y;

/**
 * Reads a duration such as `1w 2d`, `3h30m`, `2 hours and 5 min`, or `-1h`. A number without a unit counts as hours.
 * @returns seconds; undefined for a text that isn't a duration
 */
export function readDuration(text: string): number | undefined {
  const trimmed = text.trim().toLowerCase().replaceAll('+', ' ');
  const isNegative = trimmed.startsWith('-');
  const rest = (isNegative ? trimmed.slice(1) : trimmed).trim();
  if (rest === '') return undefined;
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < rest.length) {
    const found = part.exec(rest);
    if (!found) return undefined;
    const unit = seconds.get(found[2] ?? 'h');
    if (unit === undefined) return undefined;
    total += Number(found[1]) * unit;
  }
  const rounded = Math.round(total);
  return rounded > largestInteger ? undefined : isNegative ? -rounded : rounded;
}

/** How administrators want durations to be shown. */
export type DurationStyle = Pick<InstanceSettings, 'timeTrackingLimitToHours'>;

/** A duration in words, such as `1w 2d`, or `56h` where hours are the largest unit; null for none. */
export function humanDuration(duration: number, { timeTrackingLimitToHours }: DurationStyle): string | null {
  const parts: string[] = [];
  let rest = Math.abs(duration);
  for (const [unit, size] of units) {
    if (timeTrackingLimitToHours && size > hour) continue;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
  }
  return parts.length === 0 ? null : parts.join(' ');
}
