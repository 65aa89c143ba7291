import type { Attribute, Attributes } from '../values/attributes/attributes.ts';
import { snakeCase } from '../values/text/snake-case.ts';
import { storable } from '../values/text/storable.ts';
import type { Given } from './client.ts';
import { largestInteger } from '../values/integers.ts';

/** Reads records of the other side, in which anything may be missing, or of another type. */

/** An id, as a text. */
export function idIn(record: Given, name = 'id'): string | undefined {
  const id = record[name];
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
}

/** The id of a record within, such as that of `author`. */
export const idOf = (record: Given, name: string): string | undefined => {
  const inner = innerOf(record, name);
  return inner && idIn(inner);
};

export function innerOf(record: Given, name: string): Given | undefined {
  const inner = record[name];
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Given) : undefined;
}

/** The records of a list within. */
export function innerList(record: Given, name: string): readonly Given[] {
  const inner = record[name];
  if (!Array.isArray(inner)) return [];
  return inner.filter((one): one is Given => typeof one === 'object' && one !== null && !Array.isArray(one));
}

/** The texts of a list within. */
export function textsIn(record: Given, name: string): readonly string[] {
  const inner = record[name];
  return Array.isArray(inner) ? inner.filter((one): one is string => typeof one === 'string').map(storable) : [];
}

export function textIn(record: Given, name: string): string | undefined {
  const text = record[name];
  return typeof text === 'string' ? storable(text) : undefined;
}

export const flagIn = (record: Given, name: string): boolean => record[name] === true;

/** A whole number of 32 bits. */
export function numberIn(record: Given, name: string): number | undefined {
  const number = record[name];
  return typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= largestInteger
    ? number
    : undefined;
}

/** Whether a year is one that calendars agree on, and PostgreSQL stores. */
const isUsual = (time: string) => /^[1-9]\d{3}-/.test(time);

/** A time, as ISO 8601. */
export function timeIn(record: Given, name: string): string | undefined {
  const text = textIn(record, name);
  const time = text === undefined ? NaN : Date.parse(text);
  const written = Number.isNaN(time) ? '' : new Date(time).toISOString();
  return isUsual(written) ? written : undefined;
}

/** A day, `2024-12-31`. */
export function dayIn(record: Given, name: string): string | undefined {
  const text = textIn(record, name)?.slice(0, 10) ?? '';
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || !isUsual(text)) return undefined;
  // Some engines read 31 February as a day in March.
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

/** A visibility; what isn't known is private. */
export function visibilityIn(record: Given): 'public' | 'internal' | 'private' {
  const visibility = textIn(record, 'visibility');
  return visibility === 'public' || visibility === 'internal' ? visibility : 'private';
}

const typed: { readonly [Type in Attribute['type']]: (value: unknown) => boolean } = {
  text: (value) => typeof value === 'string',
  choice: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= largestInteger,
  list: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/**
 * The attributes of a record, by their names in the schema, without those that the other side doesn't give.
 * @param refused is called with the name of each that isn't valid here
 */
export function attributesIn(table: Attributes, record: Given, refused: (name: string) => void): object {
  const found: { [name: string]: unknown } = {};
  for (const [name, attribute] of Object.entries(table)) {
    const value = valueOf(name, attribute, record);
    if (value === undefined) continue;
    // As if it had never been set.
    if (value === null || value === '') found[name] = null;
    else if (!isValid(attribute, value)) refused(snakeCase(attribute.readAs ?? attribute.wire ?? name));
    else
      found[name] = attribute.type === 'choice' && attribute.enum !== undefined ? String(value).toUpperCase() : value;
  }
  return found;
}

function valueOf(name: string, attribute: Attribute, record: Given): unknown {
  const value = storableIn(record[snakeCase(attribute.readAs ?? attribute.wire ?? name)]);
  if (value !== undefined || attribute.type !== 'boolean' || attribute.opposite === undefined) return value;
  const opposite = record[snakeCase(attribute.opposite)];
  return typeof opposite === 'boolean' ? !opposite : undefined;
}

/** A value of JSON with texts that can be stored. */
function storableIn(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable(name), storableIn(inner)]));
}

function isValid(attribute: Attribute, value: unknown): boolean {
  if (!typed[attribute.type](value)) return false;
  if (attribute.type === 'text' && String(value).length > (attribute.longest ?? Infinity)) return false;
  const values: readonly unknown[] | undefined = 'values' in attribute ? attribute.values : undefined;
  if (values && !values.includes(value)) return false;
  return (attribute.problem as ((value: unknown) => string | undefined) | undefined)?.(value) === undefined;
}
