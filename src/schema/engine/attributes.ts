import type { InputFieldRef, InterfaceFieldBuilder, FieldRef } from '@pothos/core';
import type { Context } from '../../context.ts';
import {
  attributeProblems,
  type Attribute,
  type Attributes,
  type AttributeValue,
  type GivenAttributes,
} from '../../values/attributes.ts';
import type { Types } from './builder.ts';
import type { Problems } from './input.ts';
import type { InputsOf } from './mutation.ts';

/** Inputs and fields of the schema for a table of attributes. */

/** An input field for each attribute. Null sets the default again; omitted ones stay as they are. */
export function attributeInputs<Table extends Attributes>(t: InputsOf, table: Table) {
  return Object.fromEntries(
    Object.entries(table).map(([name, { type, description, unset }]) => {
      const options = { description: `${description} Null: ${wordsOf(unset)}.` };
      return [name, t.field({ type: graphqlTypes[type], ...options })];
    }),
  ) as unknown as {
    [Name in keyof Table]: InputFieldRef<Types, GivenAttributes<Table>[Name]>;
  };
}

const graphqlTypes = { text: 'String', boolean: 'Boolean', integer: 'Int' } as const;

const wordsOf = (unset: Attribute['unset']) => (unset === '' || unset === null ? 'none' : `\`${String(unset)}\``);

/** How to read the attributes of a record. */
export interface AttributeReader<Row> {
  /** Whether the viewer sees what is shown to these. */
  readonly sees: (shownTo: Attribute['shownTo'], row: Row, context: Context) => boolean;
  /** The value of an attribute; undefined if nobody set it. */
  readonly read: <Value>(
    row: Row,
    context: Context,
    pick: (stored: { readonly [name: string]: unknown }) => Value,
  ) => Value | Promise<Value>;
}

/** A field for each attribute; null for those who don't see it. */
export function attributeFields<Row, Table extends Attributes>(
  t: InterfaceFieldBuilder<Types, Row>,
  table: Table,
  { sees, read }: AttributeReader<Row>,
) {
  return Object.fromEntries(
    Object.entries(table).map(([name, { type, description, unset, shownTo }]) => {
      const field = t.field({
        type: graphqlTypes[type],
        nullable: true,
        description: `${description}${audience[shownTo]}`,
        resolve: ((row: Row, _args: object, context: Context) =>
          sees(shownTo, row, context)
            ? read(row, context, (stored) => (stored[name] ?? unset) as AttributeValue<Attribute>)
            : null) as never,
      });
      return [name, field];
    }),
  ) as unknown as { [Name in keyof Table]: FieldRef<Types, AttributeValue<Table[Name]> | null> };
}

const audience = {
  everyone: '',
  own: ' For the person and for administrators; null for others.',
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
