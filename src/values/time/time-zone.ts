import { isInCalendar } from './calendar.ts';

/** Whether this is a name of the IANA database, as Node knows it. Offsets like +02:00 are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The time in a zone as the API has it: `3:38 PM`. */
export const timeIn = (zone: string, moment: Date): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', minute: '2-digit' })
    .format(moment)
    .replace('\u202f', ' ');

/** Most names that are remembered: a browser may send any text. */
const mostNames = 1_000;
const canonical = new Map<string, string | null>();

/** The zone of the IANA database that a browser names, by its usual name; null for any other text. */
export function zoneOfBrowser(name: string): string | null {
  let zone = canonical.get(name);
  if (zone === undefined) {
    if (canonical.size >= mostNames) canonical.clear();
    zone = isTimeZone(name) ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : null;
    canonical.set(name, zone);
  }
  return zone;
}

/** What the clocks of a zone show, like `2026-03-05T22:30`. */
export function clockIn(zone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(moment);
  const of = (type: string) => parts.find((part) => part.type === type)!.value;
  return `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/**
 * The moment at which the clocks of a zone show a time like `2026-03-05T22:30`; undefined for any other text, and for
 * moments that `isInCalendar` refuses. A time that they skip is later by what they skip, and of two moments it is one.
 */
export function momentIn(zone: string, clock: string): Date | undefined {
  if (!/^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(clock)) return undefined;
  const asUtc = new Date(`${clock}Z`).getTime();
  // JavaScript parses 31 February as 3 March.
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(clock)) return undefined;
  const ahead = (moment: number) =>
    Date.parse(`${clockIn(zone, new Date(moment))}Z`) - Math.floor(moment / 60_000) * 60_000;
  // Near a change of the clocks, the difference to UTC is another one than a moment later.
  const moment = new Date(asUtc - ahead(asUtc - ahead(asUtc)));
  return isInCalendar(moment) ? moment : undefined;
}
