/** A part of a file that a client asks for (RFC 9110 §14). */
export interface Part {
  readonly start: number;
  /** After the last byte. */
  readonly end: number;
}

/**
 * The part that a `Range` header asks for, of a file of a known length. Only a single part is served: a request for several
 * gets the whole file, as any other that isn’t understood.
 * @returns undefined for the whole file; `outside` if nothing of the part is there
 */
export function partOf(range: string | undefined, size: number): Part | 'outside' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'outside' : { start, end };
}
