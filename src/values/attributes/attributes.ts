import { tooLong } from '../text/lengths.ts';
/**
 * Attributes: values of a record that its writers set and its readers see. A table of them is the only list: the
 * parameters and members of version 4, the inputs and fields of the schema, what is refused and what is stored are all
 * made from it.
 */

type JsonObject = { readonly [name: string]: unknown };

interface Kinds {
  readonly text: string;
  readonly boolean: boolean;
  readonly integer: number;
  /** One of some words. */
  readonly choice: string;
  readonly list: readonly string[];
  readonly object: JsonObject;
}

/** What only some kinds have. */
interface Details {
  readonly text: {
    /** Maximum length, in characters. */
    readonly longest?: number;
  };
  readonly boolean: {
    /** Another name, in camel case, for the opposite value. Writers and readers have both. */
    readonly opposite?: string;
  };
  readonly integer: {
    /** The only values accepted. */
    readonly values?: readonly number[];
  };
  readonly choice: {
    /** The only values accepted, in small letters. */
    readonly values: readonly string[];
    /** The name of its enum in the schema, with the values in capital letters. Without one it is a string. */
    readonly enum?: string;
  };
  readonly list: object;
  readonly object: object;
}

/** Who sees an attribute, or writes it; `own`: the person and administrators. Roles include the higher ones. */
export type Audience = 'everyone' | 'own' | 'maintainers' | 'owners' | 'administrators';

type AttributeOf<Kind extends keyof Kinds> = Details[Kind] & {
  readonly type: Kind;
  readonly description: string;
  /** Its name over version 4, in camel case, if that isn't the name in the schema. */
  readonly wire?: string;
  /** Its name in records of version 4, in camel case, if it is read by another name than it is written. */
  readonly readAs?: string;
  /** Other names over version 4, in camel case, that writers may use. */
  readonly alsoWritten?: readonly string[];
  /** The value while no one has set another one. Null and an empty text set it again. */
  readonly unset: Kinds[Kind] | null;
  readonly shownTo: Audience;
  /** Whose values count, if not those of all who may change the record. See `writtenBy`. */
  readonly writtenBy?: Audience;
  /** Whether records of version 4 leave it out. */
  readonly unlisted?: true;
  /** Why a value is refused, besides its length and the list of values; undefined if it is fine. */
  readonly problem?: (value: Kinds[Kind]) => string | undefined;
  /** What is stored for a value that isn't refused, if not the value itself. */
  readonly clean?: (value: Kinds[Kind]) => Kinds[Kind];
  /** Whether the gateway obeys it: it is stored in a column of this name, and not with the others. */
  readonly obeyed?: true;
};

/** One attribute. Its key in the table is its name in the schema. */
export type Attribute = { [Kind in keyof Kinds]: AttributeOf<Kind> }[keyof Kinds];

export type Attributes = { readonly [name: string]: Attribute };

/** The type of an attribute's value. */
export type AttributeValue<One extends Attribute> =
  | (One extends { readonly type: 'choice'; readonly values: readonly (infer Value)[] } ? Value : Kinds[One['type']])
  | (One['unset'] extends null ? null : never);

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

/** Without the attributes whose writers are others: those are ignored, as GitLab does. */
export function writtenBy<Table extends Attributes, Given extends GivenAttributes<Table>>(
  table: Table,
  given: Given,
  is: (audience: Audience) => boolean,
): Given {
  const ignored = Object.entries(table).filter(([, { writtenBy: by }]) => by !== undefined && !is(by));
  return { ...given, ...Object.fromEntries(ignored.map(([name]) => [name, undefined])) };
}

/** Why values are refused, by the names of their attributes. */
export function attributeProblems<Table extends Attributes>(
  table: Table,
  given: GivenAttributes<Table>,
): readonly (readonly [name: string, problems: readonly string[]])[] {
  return sentOf(table, given).flatMap(({ name, attribute, value }) => {
    const problem = value === null ? undefined : problemOf(attribute, value);
    return problem === undefined ? [] : [[name, [problem]] as const];
  });
}

function problemOf(attribute: Attribute, value: unknown): string | undefined {
  if (attribute.type === 'text' && attribute.longest !== undefined && [...String(value)].length > attribute.longest)
    return tooLong(attribute.longest);
  if (attribute.type === 'object' && (typeof value !== 'object' || Array.isArray(value))) return 'is invalid';
  const values: readonly unknown[] | undefined = 'values' in attribute ? attribute.values : undefined;
  if (values && !values.includes(value)) return 'does not have a valid value';
  return (attribute.problem as ((value: unknown) => string | undefined) | undefined)?.(value);
}

/** Removes markup from a text, for `clean`. */
export const withoutMarkup = (value: string): string => value.replaceAll(/<[^<>]*>/g, '');

/** What to store: the values of columns, the values of the others, and the names of those that are as if never set. */
export function storedAttributes<Table extends Attributes>(table: Table, given: GivenAttributes<Table>) {
  const columns: { [name: string]: unknown } = {};
  const values: { [name: string]: unknown } = {};
  const unset: string[] = [];
  for (const { name, attribute, value } of sentOf(table, given)) {
    const clean = attribute.clean as ((value: unknown) => unknown) | undefined;
    const kept = value !== null && clean ? clean(value) : value;
    if (attribute.obeyed) columns[name] = kept ?? attribute.unset;
    else if (kept === null || JSON.stringify(kept) === JSON.stringify(attribute.unset)) unset.push(name);
    else values[name] = kept;
  }
  return { columns, values, unset };
}

/** A part of a table, with the attributes of these names, in this order. */
export const someOf = <Table extends Attributes, const Name extends keyof Table & string>(
  table: Table,
  names: readonly Name[],
): Pick<Table, Name> => Object.fromEntries(names.map((name) => [name, table[name]])) as unknown as Pick<Table, Name>;
