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
