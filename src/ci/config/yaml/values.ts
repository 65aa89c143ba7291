import type { Place } from '../problems.ts';

/** What YAML says, as plain values. Aliases share their value: a configuration is a graph without circles. */
export type Value = string | number | boolean | null | readonly Value[] | Mapping | Reference;

export interface Entry {
  readonly value: Value;
  readonly place: Place;
}

/**
 * A mapping, in the order in which it was written. No key means anything to JavaScript here: `__proto__` and
 * `constructor` are names like others.
 */
export class Mapping {
  readonly entries: Map<string, Entry>;
  readonly place: Place;

  constructor(place: Place, entries: Iterable<readonly [string, Entry]> = []) {
    this.place = place;
    this.entries = new Map(entries);
  }

  get(key: string): Value | undefined {
    return this.entries.get(key)?.value;
  }

  /** Where a key is written; where the mapping starts, without such a key. */
  placeOf(key: string): Place {
    return this.entries.get(key)?.place ?? this.place;
  }
}

/** `!reference [job, key, …]`: stands for the value at that path. */
export class Reference {
  readonly path: readonly string[];
  readonly place: Place;

  constructor(path: readonly string[], place: Place) {
    this.path = path;
    this.place = place;
  }
}

export const isMapping = (value: Value | undefined): value is Mapping => value instanceof Mapping;
export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
