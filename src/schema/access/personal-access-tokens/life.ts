import { daysAhead } from '../../../values/calendar.ts';

/** Longest life of a personal access token, in days. */
export const maxLifeDays = 365;
/** How long one lives that took another's place, where nothing is said, in days. */
export const rotatedLife = 7;

/** What is wrong with the day on which a token is to end; nothing where it is fine. */
export function expiryProblems(day: string): string[] {
  const latest = daysAhead(maxLifeDays);
  return day > daysAhead(0) && day <= latest ? [] : [`must be a day from tomorrow to ${latest}`];
}
