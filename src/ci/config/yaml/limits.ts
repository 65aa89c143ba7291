import { Unreadable } from '../problems.ts';
import { Mapping, isList, type Value } from './values.ts';

/** Size of a configuration: of its text in bytes, and of what it is after aliases. */
export const largest = 1_048_576;

/** Levels of nesting. */
export const deepest = 100;

/** The sentence for what exceeds a limit. */
export const tooBig = 'The parsed YAML is too big';

interface Extent {
  readonly size: number;
  readonly height: number;
}

/**
 * Checks what a value would be if nothing in it was shared, and counts what is shared once.
 * @throws Unreadable if it is larger or deeper than allowed
 */
export function checkExtent(value: Value, most: number): void {
  const known = new Map<object, Extent>();
  const extentOf = (inner: Value, depth: number): Extent => {
    if (depth > deepest) throw new Unreadable(tooBig);
    if (typeof inner === 'string') return { size: inner.length + 1, height: 0 };
    const parts = inner instanceof Mapping ? inner.entries.values() : isList(inner) ? inner : undefined;
    if (!parts) return { size: 1, height: 0 };
    let extent = known.get(inner as object);
    if (!extent) {
      let size = 1;
      let height = 0;
      for (const part of parts) {
        const of = extentOf(
          inner instanceof Mapping ? (part as { readonly value: Value }).value : (part as Value),
          depth + 1,
        );
        size += of.size + 1;
        height = Math.max(height, of.height + 1);
      }
      extent = { size, height };
      known.set(inner as object, extent);
    }
    if (extent.size > most || depth + extent.height > deepest + 1) throw new Unreadable(tooBig);
    return extent;
  };
  extentOf(value, 1);
}
