import { daysAhead } from '../../../values/time/calendar.ts';

/** Maximum lifetime of a personal access token, in days. */
export const maxLifeDays = 365;
/** Default lifetime of a rotated token, in days. */
export const rotatedLife = 7;

/** Why a day can't be the end of a token; empty if it can. */
export function expiryProblems(day: string): string[] {
  const latest = daysAhead(maxLifeDays);
  return day > daysAhead(0) && day <= latest ? [] : [`must be a day from tomorrow to ${latest}`];
}
