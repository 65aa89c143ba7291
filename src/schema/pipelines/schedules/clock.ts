import { Cron } from 'croner';
import { isTimeZone } from '../../../values/time/time-zone.ts';

/** When schedules run. Times of day are those of a time zone, also where its clocks change. */

/** Milliseconds between two runs of a schedule, at least, however often its expression says. */
export const leastInterval = 600_000;

const longestExpression = 255;
/** Five fields, or a word for some. The library takes more: seconds, years, single moments. */
const form = /^(?:\S+(?: +\S+){4}|@(?:yearly|annually|monthly|weekly|daily|hourly))$/;

const clockOf = (cron: string, zone: string) => new Cron(cron, { mode: '5-part', timezone: zone, paused: true });

/** What is wrong with an expression. @param zone a valid one */
export function problemsOfCron(cron: string, zone: string): string[] {
  if (cron.length > longestExpression || !form.test(cron)) return ['is invalid syntax'];
  try {
    return clockOf(cron, zone).nextRun() ? [] : ['never comes'];
  } catch {
    return ['is invalid syntax'];
  }
}

export const problemsOfZone = (zone: string): string[] => (isTimeZone(zone) ? [] : ['is invalid syntax']);

/** What decides when a schedule runs. */
interface Timing {
  readonly cron: string;
  readonly cronTimezone: string;
  readonly lastRunAt: Date | null;
}

/** The next run after a moment; null if there is none. */
export function nextRun({ cron, cronTimezone, lastRunAt }: Timing, after: Date): Date | null {
  // A run at the very moment when the interval ends is early enough.
  const earliest = Math.max(after.getTime(), lastRunAt ? lastRunAt.getTime() + leastInterval - 1_000 : 0);
  return clockOf(cron, cronTimezone).nextRun(new Date(earliest));
}
