/** Longest life of a personal access token, in days. */
export const longestLife = 365;
/** How long one lives that took another's place, where nothing is said, in days. */
export const rotatedLife = 7;

/** The day that it is in UTC. */
export function today(): Date {
  const now = new Date();
  now.setUTCHours(0, 0, 0, 0);
  return now;
}

/** The day after so many days, as ISO 8601. */
export function daysAhead(days: number): string {
  return new Date(today().getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

/** What is wrong with the day on which a token is to end; nothing where it is fine. */
export function expiryProblems(day: string): string[] {
  // Days in ISO 8601 sort as texts.
  return day > daysAhead(0) && day <= daysAhead(longestLife) ? [] : [`must be a day from tomorrow to ${daysAhead(longestLife)}`];
}
