import type { Attributes } from '../../values/attributes.ts';
import type { Parameter, Value, Values } from './parameters.ts';
import type { JsonSchema } from './record.ts';
import { snakeCase } from './snake-case.ts';

/** Parameters and members of version 4 for a table of attributes. */

const types = { text: 'string', boolean: 'boolean', integer: 'integer' } as const;

const wireName = (name: string, wire: string | undefined) => snakeCase(wire ?? name);

/** The largest number that GraphQL and the database have. */
const largestInteger = 2_147_483_647;

/** A parameter for each attribute. */
export const attributeParameters = (table: Attributes): readonly Parameter[] =>
  Object.entries(table).map(([name, { type, wire, description }]) => ({
    name: wireName(name, wire),
    type: types[type],
    description,
    ...(type === 'integer' && { largest: largestInteger }),
  }));

/** The input fields for what was sent. */
export const attributeInput = (table: Attributes, values: Values): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(table).map(([name, { wire }]) => [name, values[wireName(name, wire)]]));

/** The wire names of attributes that have one of their own, for the errors of a route. */
export const attributeNames = (table: Attributes): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { wire }]) => (wire === undefined ? [] : [[name, snakeCase(wire)]])),
  );

/** The schema of the members of a record that show some attributes. */
export const attributeSchemas = (table: Attributes): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, { type, wire, unset, description }]) => [
      wireName(name, wire),
      { type: unset === null ? [types[type], 'null'] : types[type], description },
    ]),
  );

/** The attributes as operations select them. */
export const attributeSelection = (table: Attributes): string => Object.keys(table).join(' ');

/** Adds the members of some attributes to a record, and returns it. */
export function presentAttributes(table: Attributes): <Record extends object>(record: Record, data: object) => Record {
  const members = Object.entries(table).map(([name, { wire }]) => [wireName(name, wire), name] as const);
  return (record, data) => {
    for (const [member, name] of members)
      (record as Record<string, unknown>)[member] = (data as Record<string, unknown>)[name];
    return record;
  };
}
