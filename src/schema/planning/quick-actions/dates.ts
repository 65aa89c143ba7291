/** Days as people write them in commands. */

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const iso = (date: Date): string | undefined =>
  Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999
    ? undefined
    : date.toISOString().slice(0, 10);

/** A day that exists, as in `2026-06-28`. */
function day(year: number, month: number, of: number): string | undefined {
  const date = new Date(Date.UTC(year, month, of));
  return date.getUTCMonth() === month && date.getUTCDate() === of ? iso(date) : undefined;
}

/** @param today at any time of this day, in UTC */
function later(today: Date, count: number, unit: string): string | undefined {
  const [year, month, of] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  if (unit === 'day') return iso(new Date(Date.UTC(year, month, of + count)));
  if (unit === 'week') return iso(new Date(Date.UTC(year, month, of + 7 * count)));
  const total = unit === 'month' ? month + count : month + 12 * count;
  // The last day of a month that is too short.
  const last = new Date(Date.UTC(year, total + 1, 0)).getUTCDate();
  return iso(new Date(Date.UTC(year, total, Math.min(of, last))));
}

const words: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5 };

/**
 * Reads a day: `2026-08-05`, `Aug 5 2026`, `5 August`, `tomorrow`, `in 2 days`, `next friday`.
 * @returns as in `2026-06-28`; undefined for a text that isn't a day
 */
export function readDay(text: string, today = new Date()): string | undefined {
  const given = text
    .trim()
    .toLowerCase()
    .replaceAll(/(\d)(?:st|nd|rd|th)\b/g, '$1')
    .replaceAll(',', ' ')
    .replaceAll(/\s+/g, ' ');
  const exact = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(given);
  if (exact) return day(Number(exact[1]), Number(exact[2]) - 1, Number(exact[3]));
  if (given === 'today') return later(today, 0, 'day');
  if (given === 'tomorrow') return later(today, 1, 'day');
  if (/^next (day|week|month|year)$/.test(given)) return later(today, 1, given.slice(5));
  const distance = /^(?:in )?(\d{1,4}|[a-z]+) (day|week|month|year)s?(?: from now)?$/.exec(given);
  if (distance) {
    const count = words[distance[1]!] ?? Number(distance[1]);
    return Number.isInteger(count) ? later(today, count, distance[2]!) : undefined;
  }
  const weekday = weekdays.indexOf(given.replace(/^(?:next|this|on) /, ''));
  if (weekday >= 0) return later(today, (weekday - today.getUTCDay() + 7) % 7 || 7, 'day');
  const named =
    /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?: (?<year>\d{4}))?$/.exec(given) ??
    /^(?<day>\d{1,2}) (?<month>[a-z]{3,9})\.?(?: (?<year>\d{4}))?$/.exec(given);
  const month = months.indexOf(named?.groups?.month?.slice(0, 3) ?? '');
  if (month < 0) return undefined;
  return day(Number(named!.groups!.year ?? today.getUTCFullYear()), month, Number(named!.groups!.day));
}
