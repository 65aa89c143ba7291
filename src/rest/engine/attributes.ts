import type { Attribute, Attributes } from '../../values/attributes/attributes.ts';
import type { Parameter, Value, Values } from './parameters.ts';
import type { JsonSchema } from './record.ts';
import { snakeCase } from '../../values/text/snake-case.ts';
import { largestInteger } from '../../values/integers.ts';

/** Parameters and members of version 4 for a table of attributes. */

const parameterTypes = {
  text: 'string',
  boolean: 'boolean',
  integer: 'integer',
  choice: 'string',
  list: 'strings',
  object: 'object',
} as const;

/** The name that writers use. */
const writtenName = (name: string, { wire }: Attribute) => snakeCase(wire ?? name);

/** The name that readers see. */
const shownName = (name: string, { readAs, wire }: Attribute) => snakeCase(readAs ?? wire ?? name);

/** The name for the opposite value, if there is one. */
const oppositeName = (attribute: Attribute) =>
  attribute.type === 'boolean' && attribute.opposite !== undefined ? snakeCase(attribute.opposite) : undefined;

/** The enum of the schema that has the values in capital letters, if there is one. */
const enumOf = (attribute: Attribute) => (attribute.type === 'choice' ? attribute.enum : undefined);

/** A parameter for each name of each attribute. */
export const attributeParameters = (table: Attributes): readonly Parameter[] =>
  Object.entries(table).flatMap(([name, attribute]) => {
    const { type, description, alsoWritten = [] } = attribute;
    const parameter: Parameter = {
      name: writtenName(name, attribute),
      type: parameterTypes[type],
      description,
      ...('values' in attribute && attribute.values && { allowed: attribute.values.map(String) }),
      ...(type === 'integer' && { largest: largestInteger }),
    };
    const opposite = oppositeName(attribute);
    return [
      parameter,
      ...alsoWritten.map((other) => ({
        ...parameter,
        name: snakeCase(other),
        description: `Another name of \`${parameter.name}\`.`,
      })),
      ...(opposite === undefined
        ? []
        : [{ ...parameter, name: opposite, description: `The opposite of \`${parameter.name}\`.` }]),
    ];
  });

/** The input fields for what was sent. */
export const attributeInput = (table: Attributes, values: Values): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(table).map(([name, attribute]) => [name, sentValue(name, attribute, values)]));

function sentValue(name: string, attribute: Attribute, values: Values): Value {
  const names = [writtenName(name, attribute), ...(attribute.alsoWritten ?? []).map(snakeCase)];
  const value = names.map((one) => values[one]).find((sent) => sent !== undefined);
  if (value === undefined) {
    const opposite = values[oppositeName(attribute) ?? ''];
    return typeof opposite === 'boolean' ? !opposite : opposite;
  }
  return typeof value === 'string' && enumOf(attribute) ? value.toUpperCase() : value;
}

/** The wire names of attributes that have one of their own, for the errors of a route. */
export const attributeNames = (table: Attributes): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, { wire }]) => (wire === undefined ? [] : [[name, snakeCase(wire)]])),
  );

/** The schema of the members of a record that show some attributes. */
export const attributeSchemas = (table: Attributes): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, attribute]) => {
      const member = shownName(name, attribute);
      const opposite = oppositeName(attribute);
      const schema = schemaOf(attribute);
      return [
        ...(opposite === undefined ? [] : [[opposite, { ...schema, description: `The opposite of \`${member}\`.` }]]),
        [member, schema],
      ];
    }),
  );

const jsonTypes = {
  text: 'string',
  boolean: 'boolean',
  integer: 'integer',
  choice: 'string',
  list: 'array',
  object: 'object',
} as const;

function schemaOf(attribute: Attribute): JsonSchema {
  const { type, unset, description } = attribute;
  return {
    type: unset === null ? [jsonTypes[type], 'null'] : jsonTypes[type],
    ...(type === 'list' && { items: { type: 'string' } }),
    ...('values' in attribute &&
      attribute.values && { enum: unset === null ? [...attribute.values, null] : attribute.values }),
    description,
  };
}

/** The attributes as operations select them. */
export const attributeSelection = (table: Attributes): string => Object.keys(table).join(' ');

/** Adds the members of some attributes to a record, and returns it. The opposite of an attribute comes before it. */
export function presentAttributes(table: Attributes): <Record extends object>(record: Record, data: object) => Record {
  const members = Object.entries(table).flatMap(([name, attribute]) => {
    const opposite = oppositeName(attribute);
    return [
      ...(opposite === undefined ? [] : [{ member: opposite, name, show: negated }]),
      { member: shownName(name, attribute), name, show: enumOf(attribute) ? inSmallLetters : unchanged },
    ];
  });
  return (record, data) => {
    for (const { member, name, show } of members)
      (record as Record<string, unknown>)[member] = show((data as Record<string, unknown>)[name]);
    return record;
  };
}

const unchanged = (value: unknown) => value;
const negated = (value: unknown) => (typeof value === 'boolean' ? !value : value);
const inSmallLetters = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);
