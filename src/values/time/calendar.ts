/** Days in UTC, as ISO 8601: `2026-06-28`. They sort as texts. */

export function isDay(text: string): boolean {
  // PostgreSQL's calendar has no year 0.
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  // JavaScript parses 31 February as 3 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** Whether a moment is in the years 1 to 9999, which the database and every client can represent. */
export const isInCalendar = (moment: Date): boolean =>
  !Number.isNaN(moment.getTime()) && /^(?!0000)\d{4}-/.test(moment.toISOString());

/** The day a number of days after today. */
export function daysAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
