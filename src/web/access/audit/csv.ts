import type { LoggedEvent } from './log-view.tsx';

/** The audit log as comma-separated values (RFC 4180), for spreadsheets and log stores. */

const columns = [
  'at',
  'kind',
  'actorId',
  'actorUsername',
  'userId',
  'username',
  'applicationId',
  'applicationName',
  'scopes',
  'address',
  'detail',
  'count',
] as const satisfies readonly (keyof LoggedEvent)[];

/** The events, below the names of the columns. */
export const toCsv = (events: readonly LoggedEvent[]): string =>
  [columns.join(','), ...events.map((event) => columns.map((column) => cell(event[column])).join(','))]
    .map((line) => `${line}\r\n`)
    .join('');

/** A value in quotes. One that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(value: string | number | readonly string[] | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : value.join(' ');
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
