/** A time of every day in which a person gets no mail, in minutes after midnight on their clock. It may include midnight. */
export interface QuietHours {
  readonly from: number;
  readonly until: number;
  /** The person's time zone, as IANA names it. */
  readonly zone: string;
}

const day = 1_440;
const minute = 60_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Minutes after midnight on the clocks of a time zone. */
function clockAt(moment: number, zone: string): number {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone });
    clocks.set(zone, clock);
  }
  const parts = clock.formatToParts(moment);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  return of('hour') * 60 + of('minute');
}

const isWithin = (clock: number, { from, until }: QuietHours): boolean =>
  from < until ? clock >= from && clock < until : from > until && (clock >= from || clock < until);

/**
 * When the quiet hours end that a moment is in; null if it is in none. Where clocks are changed meanwhile, it is the first
 * minute at which the clock shows a time outside them.
 */
export function quietUntil(moment: Date, hours: QuietHours): Date | null {
  const { until, zone } = hours;
  const now = Math.floor(moment.getTime() / minute) * minute;
  const clock = clockAt(now, zone);
  if (!isWithin(clock, hours)) return null;
  const end = now + ((until - clock + day) % day) * minute;
  if (clockAt(end, zone) === until) return new Date(end);
  let changed = now;
  while (isWithin(clockAt(changed, zone), hours)) changed += minute;
  return new Date(changed);
}
