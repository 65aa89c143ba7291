import type { Value } from '../../engine/parameters.ts';

/** Values that issues and merge requests take. */

/** Elements may contain several labels. */
export const labelsOf = (value: Value): readonly string[] | null | undefined =>
  Array.isArray(value)
    ? (value as readonly string[]).flatMap((labels) => labels.split(','))
    : (value as null | undefined);

/** The first of some people; nobody for `0` and for empty; undefined if neither parameter was sent. */
export function peopleOf(ids: Value, id?: Value): readonly string[] | undefined {
  if (ids === undefined && id === undefined) return undefined;
  const first = Array.isArray(ids) ? (ids as readonly number[])[0] : id;
  return first ? [String(first)] : [];
}

/** A number as a text; null for zero and for empty. */
export const idOrNull = (value: Value): string | null | undefined =>
  value === undefined ? undefined : value ? String(value) : null;
