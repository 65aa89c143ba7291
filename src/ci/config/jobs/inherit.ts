import { isList } from '../yaml/values.ts';
import type { Fields } from './fields.ts';
import { defaultKeys } from './keys.ts';

/** What a job takes from the root: all, nothing, or what has these names. */
type Taken = boolean | readonly string[];

export interface Inherits {
  /** Of `default`, by the keys of configurations. */
  readonly defaults?: Taken;
  readonly variables?: Taken;
}

function readTaken(fields: Fields, key: string, known?: ReadonlySet<string>): Taken | undefined {
  const value = fields.get(key);
  if (value === undefined || typeof value === 'boolean') return value;
  if (!isList(value) || !value.every((name) => typeof name === 'string'))
    return fields.refuseEntry(key, 'should be a bool or array of strings');
  const unknown = known ? value.filter((name) => !known.has(name)) : [];
  return unknown.length > 0
    ? fields.refuseEntry(key, `contains unknown values: ${unknown.slice(0, 20).join(', ')}`)
    : (value as string[]);
}

/** `inherit` of a job. */
export function readInherit(job: Fields): Inherits {
  const fields = job.inner('inherit');
  if (!fields) return {};
  fields.allow(new Set(['default', 'variables']));
  const defaults = readTaken(fields, 'default', defaultKeys);
  const variables = readTaken(fields, 'variables');
  return { ...(defaults !== undefined && { defaults }), ...(variables !== undefined && { variables }) };
}

/** What is taken of some entries; `nameOf` is the name by which configurations know one. */
export function takenOf<One>(
  all: readonly One[],
  taken: Taken | undefined,
  nameOf: (one: One) => string,
): readonly One[] {
  if (taken === undefined || taken === true) return all;
  return taken === false ? [] : all.filter((one) => taken.includes(nameOf(one)));
}
