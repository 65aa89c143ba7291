import { isObject, type Parameters } from '../http/index.ts';

/** What a route takes, besides its path. */
export interface Parameter {
  readonly name: string;
  readonly type: keyof typeof coercions;
  readonly description: string;
  readonly required?: true;
  /** Refused when there but empty; otherwise empty is null. */
  readonly notBlank?: true;
  /** For the reference: the values that make sense. */
  readonly values?: readonly string[];
}

/** Coerced values by name: undefined where none was sent, null where it was empty. */
export type Values = { readonly [name: string]: string | boolean | number | null | undefined };

/** In place of a value that can't be coerced. */
const invalid = Symbol('invalid');

// A map, since an object also knows words like `constructor`.
const booleans = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word) => [word, false] as const),
]);

/** How each type reads what clients send; `invalid` where it can't. */
const coercions = {
  string(value: unknown) {
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : invalid;
  },
  boolean(value: unknown) {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' && typeof value !== 'number') return invalid;
    return booleans.get(String(value).toLowerCase()) ?? invalid;
  },
  integer(value: unknown) {
    if (typeof value === 'number') return Number.isInteger(value) ? value : invalid;
    return typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : invalid;
  },
} as const;

/**
 * Coerces what was sent and collects every problem, in the order in which the
 * parameters are declared (wire texts of version 4).
 */
export function coerce(declared: readonly Parameter[], sent: Parameters): { values: Values; problems: string[] } {
  const values: { [name: string]: Values[string] } = {};
  const problems: string[] = [];
  for (const { name, type, required, notBlank } of declared) {
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (given === undefined) {
      if (required) problems.push(`${name} is missing`);
      if (required && notBlank) problems.push(`${name} is empty`);
      continue;
    }
    const blank = given === null || (typeof given === 'string' && given.trim() === '');
    if (blank) {
      values[name] = null;
      if (notBlank) problems.push(`${name} is empty`);
      continue;
    }
    const value = coercions[type](given);
    if (value === invalid) problems.push(`${name} is invalid`);
    else values[name] = value;
  }
  return { values, problems };
}

/** The body wins over the query string, and nothing over the path. */
export function merge(query: Parameters, body: Parameters, path: Parameters): Parameters {
  return Object.assign(Object.create(null) as Parameters, query, isObject(body) ? body : {}, path);
}
