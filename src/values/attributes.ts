/**
 * Attributes: values of a record that its writers set and its readers see. A table of them is the only list: the
 * parameters and members of version 4, the inputs and fields of the schema, what is refused and what is stored are all
 * made from it.
 */

interface Kinds {
  readonly text: string;
  readonly boolean: boolean;
  readonly integer: number;
}

/** One attribute. Its key in the table is its name in the schema. */
export type Attribute = AttributeOf<'text'> | AttributeOf<'boolean'> | AttributeOf<'integer'>;

interface AttributeOf<Kind extends keyof Kinds> {
  readonly type: Kind;
  readonly description: string;
  /** Its name over version 4, in camel case, if that isn't the name in the schema. */
  readonly wire?: string;
  /** The value while nobody has set another one. Null and an empty text set it again. */
  readonly unset: Kinds[Kind] | null;
  /** Who sees it; `own`: the person and administrators. */
  readonly shownTo: 'everyone' | 'own' | 'administrators';
  /** Whether records of version 4 leave it out. */
  readonly unlisted?: true;
  /** Maximum length of a text, in characters. */
  readonly longest?: number;
  /** Why a value is refused, besides its length; undefined if it is fine. */
  readonly problem?: (value: Kinds[Kind]) => string | undefined;
  /** Whether the gateway obeys it: it is stored in a column of this name, and not with the others. */
  readonly obeyed?: true;
}

export type Attributes = { readonly [name: string]: Attribute };

/** The type of an attribute's value. */
export type AttributeValue<One extends Attribute> = Kinds[One['type']] | (One['unset'] extends null ? null : never);

/** What a writer sends: null sets the default again, undefined changes nothing. */
export type GivenAttributes<Table extends Attributes> = {
  readonly [Name in keyof Table]?: Kinds[Table[Name]['type']] | null | undefined;
};

/** The attributes that a writer sent. */
const sentOf = <Table extends Attributes>(table: Table, given: GivenAttributes<Table>) =>
  Object.entries(table).flatMap(([name, attribute]) => {
    const value = given[name];
    return value === undefined ? [] : [{ name, attribute, value: value === '' ? null : value }];
  });

/** Why values are refused, by the names of their attributes. */
export function attributeProblems<Table extends Attributes>(
  table: Table,
  given: GivenAttributes<Table>,
): readonly (readonly [name: string, problems: readonly string[]])[] {
  return sentOf(table, given).flatMap(({ name, attribute, value }) => {
    if (value === null) return [];
    const { longest, problem } = attribute;
    if (longest !== undefined && [...String(value)].length > longest)
      return [[name, [`is too long (maximum is ${longest} characters)`]] as const];
    const found = (problem as ((value: unknown) => string | undefined) | undefined)?.(value);
    return found === undefined ? [] : [[name, [found]] as const];
  });
}

/** Text without markup. */
const withoutMarkup = (value: unknown) => (typeof value === 'string' ? value.replaceAll(/<[^<>]*>/g, '') : value);

/** What to store: the values of columns, the values of the others, and the names of those that are as if never set. */
export function storedAttributes<Table extends Attributes>(table: Table, given: GivenAttributes<Table>) {
  const columns: { [name: string]: unknown } = {};
  const values: { [name: string]: unknown } = {};
  const unset: string[] = [];
  for (const { name, attribute, value } of sentOf(table, given)) {
    if (attribute.obeyed) columns[name] = value ?? attribute.unset;
    else if (value === null || value === attribute.unset) unset.push(name);
    else values[name] = withoutMarkup(value);
  }
  return { columns, values, unset };
}
