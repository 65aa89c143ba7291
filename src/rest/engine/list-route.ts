import { pageArguments, pageParameters, pageVariables, type Connection, type Paging } from './pages.ts';
import type { Parameter, Values } from './parameters.ts';
import type { Record as WireRecord } from './record.ts';
import type { AnyRoute, Route } from './route.ts';

/**
 * A list of version 4: the only way to an array on the wire. It names a connection of
 * the schema and the variables of its arguments; the operation, the parameters of
 * pages and their headers follow from that.
 */
export interface ListRoute<Item>
  extends
    Paging,
    Pick<Route, 'path' | 'summary' | 'tag' | 'parameters' | 'variables' | 'subject' | 'missing' | 'limits'> {
  /** The connection's field. */
  readonly field: string;
  /** The types of its arguments, which have the variables' names. */
  readonly args?: Readonly<Record<string, string>>;
  /** The field that it lies in, where that isn't the root. */
  readonly within?: { readonly field: string; readonly args?: Readonly<Record<string, string>> };
  /** What is selected of each item. */
  readonly selection: string;
  /** The types of variables that only the selection uses. */
  readonly selects?: Readonly<Record<string, string>>;
  /** Of one item. */
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

/** Names with their types, as an operation declares its variables. */
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

/** The parameters `order_by` and `sort`, and the variables of the schema that they stand for. */
export function ordering(
  allowed: readonly string[],
  by: string,
  sort: 'asc' | 'desc',
  description = 'What the list is ordered by.',
) {
  const parameters: readonly [Parameter, Parameter] = [
    { name: 'order_by', type: 'string', allowed, default: by, description },
    { name: 'sort', type: 'string', allowed: ['asc', 'desc'], default: sort, description: 'Which way.' },
  ];
  const variables = (values: Values) => ({
    orderBy: upperCase(values.order_by ?? by),
    direction: upperCase(values.sort ?? sort),
  });
  return { parameters, variables };
}
