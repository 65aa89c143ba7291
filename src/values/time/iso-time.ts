const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

/**
 * A moment as ISO 8601 in UTC with milliseconds: `2026-06-28T10:52:04.000Z`. A record has up to five of them, and V8's
 * own `toISOString` takes three times as long, 3 % of a page of issues; it writes years of fewer or more than four digits.
 */
export function isoTime(moment: Date): string {
  const year = moment.getUTCFullYear();
  // Also an invalid date, which it refuses.
  if (!(year >= 1_000 && year <= 9_999)) return moment.toISOString();
  const milliseconds = moment.getUTCMilliseconds();
  const fraction = twoDigits[milliseconds];
  return `${year}-${twoDigits[moment.getUTCMonth() + 1]}-${twoDigits[moment.getUTCDate()]}T${twoDigits[moment.getUTCHours()]}:${twoDigits[moment.getUTCMinutes()]}:${twoDigits[moment.getUTCSeconds()]}.${fraction === undefined ? milliseconds : `0${fraction}`}Z`;
}
