import { pageArguments, pageParameters, pageVariables, type Connection, type Paging } from './pages.ts';
import type { Parameter, Values } from './parameters.ts';
import type { Record as WireRecord } from './record.ts';
import type { AnyRoute, Route } from './route.ts';

/**
 * Pagination: a list of version 4, the only kind of route that answers an array. It names a connection of the schema and
 * its arguments; the operation, the page parameters and the headers follow from that.
 */
export interface ListRoute<Item>
  extends
    Paging,
    Pick<Route, 'path' | 'summary' | 'tag' | 'parameters' | 'variables' | 'subject' | 'missing' | 'limits'> {
  /** The connection's field. */
  readonly field: string;
  /** GraphQL types of its arguments, by the names of the variables. */
  readonly args?: Readonly<Record<string, string>>;
  /** The parent field, if the connection isn't at the root. */
  readonly within?: { readonly field: string; readonly args?: Readonly<Record<string, string>> };
  /** The fields selected of each item. */
  readonly selection: string;
  /** GraphQL types of variables that only the selection uses. */
  readonly selects?: Readonly<Record<string, string>>;
  /** The record of one item. */
  readonly record: WireRecord<Item>;
}

export function listRoute<Item>(definition: ListRoute<Item>): AnyRoute {
  const {
    parameters,
    variables,
    record,
    of,
    keyset,
    field,
    args = {},
    within,
    selection,
    selects = {},
    ...rest
  } = definition;
  const paging: Paging = keyset ? { of, keyset } : { of };
  const connection = `${call(field, { ...args, ...pageArguments })} { pageInfo { hasNextPage } total @include(if: $counted) nodes { ${selection} } }`;
  return {
    ...rest,
    method: 'GET',
    parameters: [...parameters, ...pageParameters(paging)],
    operation: `query (${declared({ ...within?.args, ...args, ...selects, ...pageArguments, counted: 'Boolean!' })}) {
      ${within ? `${call(within.field, within.args ?? {})} { ${connection} }` : connection}
    }`,
    variables: (values, headers) => ({ ...variables(values, headers), ...pageVariables(paging, values) }),
    record: record as unknown as WireRecord<Record<string, unknown>>,
    connection: (data) =>
      ((within ? data[within.field] : data) as Record<string, Connection<Record<string, unknown>>>)[field]!,
    dialect: 'version 4',
  };
}

/** The variable declarations of an operation. */
const declared = (types: Readonly<Record<string, string>>): string =>
  Object.entries(types)
    .map(([name, type]) => `$${name}: ${type}`)
    .join(', ');

/** A field with a variable for each of its arguments. */
function call(field: string, args: Readonly<Record<string, string>>): string {
  const names = Object.keys(args);
  return names.length === 0 ? field : `${field}(${names.map((name) => `${name}: $${name}`).join(', ')})`;
}

const upperCase = (value: Values[string]) => (typeof value === 'string' ? value.toUpperCase() : undefined);

/** The parameters `order_by` and `sort`, and the operation's variables for them. */
export function ordering(
  allowed: readonly string[],
  by: string,
  sort: 'asc' | 'desc',
  description = 'Field to sort by.',
) {
  const parameters: readonly [Parameter, Parameter] = [
    { name: 'order_by', type: 'string', allowed, default: by, description },
    { name: 'sort', type: 'string', allowed: ['asc', 'desc'], default: sort, description: 'Sort direction.' },
  ];
  const variables = (values: Values) => ({
    orderBy: upperCase(values.order_by ?? by),
    direction: upperCase(values.sort ?? sort),
  });
  return { parameters, variables };
}
