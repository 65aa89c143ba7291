import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The time zone of the times on a page. The title of each has UTC. */
export const TimeZone = createContext('UTC');

type Style = Pick<Intl.DateTimeFormatOptions, 'dateStyle' | 'timeStyle'>;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A formatter for a time zone, made once: making one takes longer than a page. */
function formatIn(timeZone: string, { dateStyle, timeStyle }: Style): Intl.DateTimeFormat {
  const key = `${timeZone} ${timeStyle}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.DateTimeFormat('en-GB', { dateStyle, timeStyle, timeZone })));
  return format;
}

const day: Style = { dateStyle: 'long' };
const minute: Style = { dateStyle: 'long', timeStyle: 'short' };
const inUtc = (date: Date) => `${formatIn('UTC', minute).format(date)} UTC`;

/** The name of a time zone at a time, like `UTC` or `GMT+2`. */
function zoneName(date: Date, timeZone: string): string {
  if (timeZone === 'UTC') return 'UTC';
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' }).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

interface At {
  /** ISO 8601. */
  readonly at: string;
}

/** The date of a time in a zone; a date without a time is the same everywhere. */
export const dayText = (at: string, zone: string): string =>
  formatIn(at.includes('T') ? zone : 'UTC', day).format(new Date(at));

/** The date of a time where the visitor is. */
export function Day({ at }: At) {
  const zone = useContext(TimeZone);
  return (
    <time dateTime={at} title={at.includes('T') ? inUtc(new Date(at)) : undefined}>
      {dayText(at, zone)}
    </time>
  );
}

/** Writes a date and time as `Moment` does, where no element can be: in an option of a list. */
export function momentText(at: string, zone: string): string {
  const date = new Date(at);
  return `${formatIn(zone, minute).format(date)} ${zoneName(date, zone)}`;
}

/** A date and time where the visitor is, to the minute. */
export function Moment({ at }: At) {
  const zone = useContext(TimeZone);
  return (
    <time dateTime={at} title={zone === 'UTC' ? undefined : inUtc(new Date(at))}>
      {momentText(at, zone)}
    </time>
  );
}

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time of the last week was, or how soon one of the next week is; otherwise its date. */
export function Ago({ at }: At) {
  const date = new Date(at);
  const seconds = (date.getTime() - Date.now()) / 1_000;
  if (Math.abs(seconds) > 7 * 86_400) return <Day at={at} />;
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least) ?? [];
  return (
    <time dateTime={at} title={inUtc(date)}>
      {unit === undefined ? 'just now' : ago.format(Math.trunc(seconds / length), unit)}
    </time>
  );
}
