import type { FieldRef, InputFieldRef, InterfaceFieldBuilder, ObjectFieldBuilder } from '@pothos/core';
import type { Context } from '../../context.ts';
import {
  attributeProblems,
  type Attribute,
  type Attributes,
  type AttributeValue,
  type Audience,
  type GivenAttributes,
} from '../../values/attributes/attributes.ts';
import { builder, type Types } from './builder.ts';
import type { Problems } from './input.ts';
import type { InputsOf } from './mutation.ts';

/** Inputs and fields of the schema for a table of attributes. */

/** An input field for each attribute. Null sets the default again; omitted ones stay as they are. */
export function attributeInputs<Table extends Attributes>(t: InputsOf, table: Table) {
  return Object.fromEntries(
    Object.entries(table).map(([name, attribute]) => {
      const { description, unset } = attribute;
      const options = { description: `${description}${wordsOfValues(attribute)} Null: ${wordsOf(unset)}.` };
      return [name, t.field({ type: typeOf(attribute), ...options } as never)];
    }),
  ) as unknown as {
    [Name in keyof Table]: InputFieldRef<Types, GivenAttributes<Table>[Name]>;
  };
}

const scalars = {
  text: 'String',
  boolean: 'Boolean',
  integer: 'Int',
  choice: 'String',
  list: ['String'],
  object: 'JSON',
} as const;

const typeOf = (attribute: Attribute) =>
  attribute.type === 'choice' && attribute.enum !== undefined
    ? enumOf(attribute.enum, attribute.values)
    : scalars[attribute.type];

const enums = new Map<string, ReturnType<typeof makeEnum>>();

const makeEnum = (name: string, values: readonly string[]) =>
  builder.enumType(name, { values: Object.fromEntries(values.map((value) => [value.toUpperCase(), { value }])) });

/** An enum that inputs and fields share. */
function enumOf(name: string, values: readonly string[]) {
  const found = enums.get(name) ?? makeEnum(name, values);
  enums.set(name, found);
  return found;
}

const wordsOf = (unset: Attribute['unset']) =>
  unset === '' || unset === null || (Array.isArray(unset) && unset.length === 0)
    ? 'none'
    : `\`${typeof unset === 'object' ? JSON.stringify(unset) : String(unset)}\``;

/** The values of a choice that has no enum. */
const wordsOfValues = (attribute: Attribute) =>
  attribute.type === 'choice' && attribute.enum === undefined
    ? ` One of ${attribute.values.map((value) => `\`${value}\``).join(', ')}.`
    : '';

type Stored = { readonly [name: string]: unknown };

/** How to read the attributes of a record. */
export interface AttributeReader<Row> {
  /** Whether the viewer sees what is shown to these. */
  readonly sees: (shownTo: Audience, row: Row, context: Context) => boolean | Promise<boolean>;
  /**
   * The value of an attribute; undefined if no one set it. Without this, the row has them: those that are obeyed as
   * properties, and the others in `attributes`.
   */
  readonly read?: <Value>(row: Row, context: Context, pick: (stored: Stored) => Value) => Value | Promise<Value>;
}

type RowWithAttributes = Stored & { readonly attributes: Stored };

/** A field for each attribute, and one for each opposite; null for those who don't see it. */
export function attributeFields<Row, Table extends Attributes>(
  t: InterfaceFieldBuilder<Types, Row> | ObjectFieldBuilder<Types, Row>,
  table: Table,
  reader: AttributeReader<Row>,
) {
  const fields = Object.entries(table).flatMap(([name, attribute]) => {
    const field = (shown: (value: unknown) => unknown, description: string) =>
      (t as InterfaceFieldBuilder<Types, Row>).field({
        type: typeOf(attribute) as 'String',
        nullable: true,
        description: `${description}${audience[attribute.shownTo]}`,
        ...(resolverOf(name, attribute, reader, shown) as object),
      } as never);
    const opposite = attribute.type === 'boolean' ? attribute.opposite : undefined;
    return [
      ...(opposite === undefined ? [] : [[opposite, field(negated, `The opposite of \`${name}\`.`)]]),
      [name, field(unchanged, `${attribute.description}${wordsOfValues(attribute)}`)],
    ];
  });
  return Object.fromEntries(fields) as unknown as {
    [Name in keyof Table]: FieldRef<Types, AttributeValue<Table[Name]> | null>;
  };
}

const unchanged = (value: unknown) => value;
const negated = (value: unknown) => (typeof value === 'boolean' ? !value : value);

/** The resolver of an attribute. If everyone sees it and the row has it, it needs no context. */
function resolverOf<Row>(
  name: string,
  { unset, shownTo, obeyed }: Attribute,
  { sees, read }: AttributeReader<Row>,
  shown: (value: unknown) => unknown,
) {
  const valueIn = (row: Row) => {
    const stored = row as RowWithAttributes;
    return shown((obeyed ? stored[name] : stored.attributes[name]) ?? unset);
  };
  if (!read && shownTo === 'everyone') return { direct: true, resolve: valueIn };
  const value = (row: Row, context: Context) =>
    read ? read(row, context, (stored) => shown(stored[name] ?? unset)) : valueIn(row);
  return {
    resolve(row: Row, _args: object, context: Context) {
      const seen = sees(shownTo, row, context);
      if (typeof seen === 'boolean') return seen ? value(row, context) : null;
      return seen.then((is) => (is ? value(row, context) : null));
    },
  };
}

const audience = {
  everyone: '',
  own: ' For the person and for administrators; null for others.',
  maintainers: ' For maintainers and owners; null for others.',
  owners: ' For owners; null for others.',
  administrators: ' For administrators; null for others.',
} as const;

/** Adds why values are refused. */
export function checkAttributes<Table extends Attributes>(
  problems: Problems,
  table: Table,
  given: GivenAttributes<Table>,
): void {
  for (const [name, found] of attributeProblems(table, given)) problems.add(name, found);
}
