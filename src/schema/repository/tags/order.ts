import { byName } from '../references/page.ts';
import type { ListedTag } from './read.ts';

/** Orders of tags. */

export const tagSorts = {
  NAME_ASC: { value: 'name_asc' },
  NAME_DESC: { value: 'name_desc' },
  UPDATED_ASC: { value: 'updated_asc' },
  UPDATED_DESC: { value: 'updated_desc' },
  VERSION_ASC: { value: 'version_asc' },
  VERSION_DESC: { value: 'version_desc' },
} as const;

export type TagSort = (typeof tagSorts)[keyof typeof tagSorts]['value'];

type Compare = (one: ListedTag, other: ListedTag) => number;

/** Texts of digits by their value, however long. */
const byNumber = (one: string, other: string) => {
  const [a, b] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
};

const isNumber = (part: string) => /^\d/.test(part);

/** A part of a version, and that of another at the same place. Words come before numbers, and before the end: `1.0-rc1`, `1.0`, `1.0.1`. */
function byPart(one: string | undefined, other: string | undefined): number {
  if (one === undefined) return other === undefined ? 0 : isNumber(other) ? -1 : 1;
  if (other === undefined) return isNumber(one) ? 1 : -1;
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? 1 : -1;
  if (isNumber(one)) return byNumber(one, other);
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Names by the numbers and words in them. A `v` before the first number says nothing. */
function byVersion(one: readonly string[], other: readonly string[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const order = byPart(one[at], other[at]);
    if (order !== 0) return order;
  }
  return 0;
}

const partsOf = (name: string) => name.replace(/^v(?=\d)/i, '').match(/\d+|[a-z]+/gi) ?? [];

/** Tags in an order; those that are equal in it are by name. */
export function sortedTags(all: readonly ListedTag[], sort: TagSort): readonly ListedTag[] {
  const [order, direction] = sort.split('_') as ['name' | 'updated' | 'version', 'asc' | 'desc'];
  const parts = order === 'version' ? new Map(all.map((tag) => [tag, partsOf(tag.name)])) : undefined;
  const compare: Record<typeof order, Compare> = {
    name: byName,
    updated: (one, other) => one.seconds - other.seconds,
    version: (one, other) => byVersion(parts!.get(one)!, parts!.get(other)!),
  };
  const sign = direction === 'asc' ? 1 : -1;
  return all.toSorted((one, other) => sign * compare[order](one, other) || byName(one, other));
}
