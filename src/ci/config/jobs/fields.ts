import { secondsOf } from '../duration.ts';
import { unsupported, type Place } from '../problems.ts';
import type { Report } from '../report.ts';
import { isList, isMapping, type Mapping, type Value } from '../yaml/values.ts';

/** Levels of lists in a list of commands, which are read as one list. */
const deepestScript = 10;

const label = (key: string) => key.replaceAll('_', ' ');

/** A value as the text that a shell sees; undefined for lists and mappings. */
export function textOf(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Lists inside a list as one; undefined if anything else than a string is in them, or if they are too deep. */
function flat(value: Value, levels: number, into: string[]): boolean {
  if (typeof value === 'string') {
    into.push(value);
    return true;
  }
  return isList(value) && levels > 0 && value.every((item) => flat(item, levels - 1, into));
}

/** Commands by the value that they were read from: jobs that share it share them. */
const commands = new WeakMap<object, readonly string[]>();

/**
 * A mapping of a configuration, read key by key. What is wrong is reported, with the place and in the words that clients
 * know; the value then counts as absent.
 */
export class Fields {
  readonly mapping: Mapping;
  /** The mapping in messages, for example `jobs:test:artifacts`. */
  readonly where: string;
  readonly report: Report;

  constructor(mapping: Mapping, where: string, report: Report) {
    this.mapping = mapping;
    this.where = where;
    this.report = report;
  }

  has(key: string): boolean {
    return this.mapping.entries.has(key);
  }

  get(key: string): Value | undefined {
    return this.mapping.get(key) ?? undefined;
  }

  placeOf(key: string): Place {
    return this.mapping.placeOf(key);
  }

  /** Reports about a key that has a place of its own in messages, such as `jobs:test:script config …`. */
  refuseEntry(key: string, message: string): undefined {
    return this.report.error(`${this.where}:${key} config ${message}`, this.placeOf(key));
  }

  /** Reports about a key that is a part of its mapping, such as `jobs:test when …`. */
  refuse(key: string, message: string): undefined {
    return this.report.error(`${this.where} ${label(key)} ${message}`, this.placeOf(key));
  }

  /** Reports a key that exists elsewhere and isn't supported here. */
  unsupported(key: string, why: string): undefined {
    const place = this.placeOf(key);
    return this.report.error(unsupported(`${this.where}:${key}`, place, why), place);
  }

  /** Reports keys that don't exist. */
  allow(known: ReadonlySet<string>): void {
    const unknown = [...this.mapping.entries.keys()].filter((key) => !known.has(key));
    if (unknown.length > 0)
      this.report.error(
        `${this.where} config contains unknown keys: ${unknown.slice(0, 20).join(', ')}`,
        this.placeOf(unknown[0]!),
      );
  }

  boolean(key: string): boolean | undefined {
    const value = this.get(key);
    return value === undefined || typeof value === 'boolean' ? value : this.refuse(key, 'should be a boolean value');
  }

  string(key: string): string | undefined {
    const value = this.get(key);
    return value === undefined ? undefined : (textOf(value) ?? this.refuse(key, 'should be a string'));
  }

  oneOf<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const value = this.get(key);
    if (value === undefined || words.includes(value as Word)) return value as Word | undefined;
    return this.refuse(key, `should be one of: ${words.join(', ')}`);
  }

  /** A duration as it was written. */
  duration(key: string): string | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    const text = textOf(value);
    if (text === undefined || secondsOf(text) === undefined) return this.refuse(key, 'should be a duration');
    return text;
  }

  /** A list of strings that is a part of its mapping; numbers count as strings if `numbers`. */
  strings(key: string): readonly string[] | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    const texts = isList(value) ? value.map(textOf) : undefined;
    return texts?.every((text) => text !== undefined) ? texts : this.refuse(key, 'should be an array of strings');
  }

  /** A number, or a list of numbers, that is a part of its mapping. */
  integers(key: string): readonly number[] | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    const numbers = isList(value) ? value : [value];
    return numbers.every((number) => Number.isInteger(number))
      ? (numbers as readonly number[])
      : this.refuse(key, 'should be an array of integers or an integer');
  }

  /** Commands: a string, or lists of strings. */
  script(key: string): readonly string[] | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (typeof value === 'string') return [value];
    if (isList(value)) {
      const known = commands.get(value);
      if (known) return known;
      const read: string[] = [];
      if (flat(value, deepestScript, read)) {
        commands.set(value, read);
        return read;
      }
    }
    return this.refuseEntry(key, `should be a string or a nested array of strings up to ${deepestScript} levels deep`);
  }

  /** A mapping inside this one. */
  inner(key: string, kind = 'a hash'): Fields | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    return isMapping(value)
      ? new Fields(value, `${this.where}:${key}`, this.report)
      : this.refuseEntry(key, `should be ${kind}`);
  }
}
