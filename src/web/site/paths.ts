import { hasNameForm, isNumber, isReserved, maxNameLength } from '../../values/text/place-names.ts';

/** The decoded segments of a full path or a username in an address; null if it isn't valid. */
export function nameSegments(path: string): readonly string[] | null {
  const segments = path.split('/').map(decode);
  return segments.every(isName) && !isReserved(segments[0]!) ? (segments as string[]) : null;
}

const isName = (segment: string | null): segment is string =>
  segment !== null && segment.length <= maxNameLength && hasNameForm(segment) && !isNumber(segment);

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Whether a text of an address can be the id or the iid of a record: a positive number that the database can hold. */
export const isRecordNumber = (text: string | undefined): text is string =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31;
