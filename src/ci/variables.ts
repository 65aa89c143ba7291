import { expandText } from './config/expand.ts';

/** A variable whose value may refer to others. */
export interface Expandable {
  readonly key: string;
  readonly value: string;
  /** Whether references in the value stay as they are. */
  readonly raw: boolean;
  /** A file: others can’t contain its value, since a job sees the name of a file. */
  readonly file: boolean;
}

/** Values that references would make longer than this, in characters, stay as they are. */
const longest = 65_536;

/** How many variables may refer to each other in a row. */
const deepest = 50;

/** The name of what a job is a copy of: without `1/3`, and without the values of a matrix. */
export const groupNameOf = (name: string): string =>
  name.replace(/(?:[\s:]+(?:\[[^\]]*\]|\d+[\s:/\\]+\d+)){1,3}\s*$/, '').trim() || name;

/** Of several variables of one name, the last, in its place. */
export function lastOfEach<One extends { readonly key: string }>(variables: readonly One[]): One[] {
  const last = new Map<string, One>();
  for (const one of variables) {
    last.delete(one.key);
    last.set(one.key, one);
  }
  return [...last.values()];
}

/**
 * Puts the values of variables in place of references to them, in each other. References to unknown ones stay, and those
 * of variables that refer to themselves in a circle.
 */
export function expandAll<One extends Expandable>(variables: readonly One[]): One[] {
  const byKey = new Map(variables.map((one) => [one.key, one]));
  const done = new Map<string, string>();
  const open = new Set<string>();
  const valueOf = (key: string): string | undefined => {
    const one = byKey.get(key);
    if (!one || one.file || open.has(key) || open.size > deepest) return undefined;
    const known = done.get(key);
    if (known !== undefined) return known;
    if (one.raw) return one.value;
    open.add(key);
    let length = 0;
    const expanded = expandText(one.value, (name) => {
      const value = length > longest ? undefined : valueOf(name);
      length += value?.length ?? 0;
      return value;
    });
    open.delete(key);
    const value = expanded.length > longest && expanded.length > one.value.length ? one.value : expanded;
    done.set(key, value);
    return value;
  };
  return variables.map((one) => (one.raw || one.file ? one : { ...one, value: valueOf(one.key) ?? one.value }));
}

/** A name as addresses have it: at most 63 of lower-case letters, digits and `-`, which isn’t at an end. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '');
