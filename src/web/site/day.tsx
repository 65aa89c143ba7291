const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** The date of a time. @param at ISO 8601 */
export function Day({ at }: { readonly at: string }) {
  return <time dateTime={at}>{dates.format(new Date(at))}</time>;
}

/** A date and time, to the minute. @param at ISO 8601 */
export function Moment({ at }: { readonly at: string }) {
  return <time dateTime={at}>{moments.format(new Date(at))} UTC</time>;
}
