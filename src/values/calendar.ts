/** Days in UTC, as ISO 8601: `2026-06-28`. They sort as texts. */

export function isDay(text: string): boolean {
  // Nor is there a year 0 in PostgreSQL's calendar.
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  // JavaScript takes 31 February for 3 March.
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

/** Whether a moment is of a year from 1 to 9999: one that the database and everyone who reads it can hold. */
export const isInCalendar = (moment: Date): boolean =>
  !Number.isNaN(moment.getTime()) && /^(?!0000)\d{4}-/.test(moment.toISOString());

/** The day after so many days; after none, today. */
export function daysAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
