import {
  isUnpaged,
  pageArguments,
  pageParameters,
  pageSelection,
  pageVariables,
  type Connection,
  type Paging,
} from './pages.ts';
import type { Parameter, Values } from './parameters.ts';
import type { Record as WireRecord } from './record.ts';
import type { AnyRoute, Route } from './route.ts';

/**
 * Pagination: a list of version 4, the only kind of route that answers an array. It names a connection of the schema and
 * its arguments; the operation, the page parameters and the headers follow from that.
 */
export interface ListRoute<Item>
  extends
    Omit<Paging, 'unpaged'>,
    Pick<
      Route,
      | 'path'
      | 'summary'
      | 'tag'
      | 'parameters'
      | 'variables'
      | 'ofViewer'
      | 'person'
      | 'subject'
      | 'missing'
      | 'limits'
      | 'withoutRepository'
      | 'emptyName'
    > {
  /** Set if it can't be counted cheaply: its answers name no total. */
  readonly uncounted?: true;
  /** A field beside the connection's that has all items at once, if `pagination=none` is served, and its arguments. */
  readonly whole?: { readonly field: string; readonly args: Readonly<Record<string, string>> };
  /** The connection's field. */
  readonly field: string;
  /** GraphQL types of its arguments, by the names of the variables. */
  readonly args?: Readonly<Record<string, string>>;
  /** The parent field, if the connection isn't at the root. */
  readonly within?: { readonly field: string; readonly args?: Readonly<Record<string, string>> };
  /** A second parent field, within the first. */
  readonly inner?: { readonly field: string; readonly args: Readonly<Record<string, string>> };
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
    cursor,
    token,
    whole,
    size,
    field,
    args = {},
    within,
    inner,
    selection,
    selects = {},
    uncounted,
    ...rest
  } = definition;
  const paging: Paging = {
    of,
    ...(keyset && { keyset }),
    ...(cursor && { cursor }),
    ...(token && { token }),
    ...(whole && { unpaged: true }),
    ...(size !== undefined && { size }),
  };
  const pageArgs = pageArguments(paging);
  const page = `${call(field, { ...args, ...pageArgs })}${whole ? ' @skip(if: $whole)' : ''} { ${pageSelection(paging)} count @include(if: $counted) nodes { ${selection} } }`;
  const connection = whole ? `${page} whole: ${call(whole.field, whole.args)} @include(if: $whole)` : page;
  return {
    ...rest,
    ...(uncounted && { uncounted }),
    ...(cursor && { cursor }),
    ...(token && { token }),
    ...(whole && { unpaged: true }),
    method: 'GET',
    parameters: [...parameters, ...pageParameters(paging)],
    operation: `query (${declared({ ...within?.args, ...inner?.args, ...args, ...selects, ...pageArgs, ...(whole && { whole: 'Boolean!' }), counted: 'Boolean!' })}) {
      ${inside(connection, [within, inner])}
    }`,
    variables: (values, headers) => ({
      ...variables(values, headers),
      ...pageVariables(paging, values),
      ...(uncounted && { counted: false }),
      ...(whole && { whole: isUnpaged(values) }),
    }),
    record: record as unknown as WireRecord<Record<string, unknown>>,
    connection(data) {
      const parent = [within, inner].reduce(
        (found, one) => (one ? (found[one.field] as Record<string, unknown>) : found),
        data,
      );
      const all = whole && (parent.whole as readonly Record<string, unknown>[] | undefined);
      if (all) return { nodes: all, pageInfo: { hasNextPage: false } };
      return parent[field] as Connection<Record<string, unknown>> | null;
    },
    dialect: 'version 4',
  };
}

/** The variable declarations of an operation. */
const declared = (types: Readonly<Record<string, string>>): string =>
  Object.entries(types)
    .map(([name, type]) => `$${name}: ${type}`)
    .join(', ');

type Parent = ListRoute<never>['within'];

/** A selection within its parent fields, if it has any. */
const inside = (selection: string, [outer, inner]: readonly [outer: Parent, inner: Parent]): string => {
  const within = inner ? `${call(inner.field, inner.args ?? {})} { ${selection} }` : selection;
  return outer ? `${call(outer.field, outer.args ?? {})} { ${within} }` : within;
};

/** A field with a variable for each of its arguments. */
function call(field: string, args: Readonly<Record<string, string>>): string {
  const names = Object.keys(args);
  return names.length === 0 ? field : `${field}(${names.map((name) => `${name}: $${name}`).join(', ')})`;
}

/**
 * The parameters `order_by` and `sort`, and the argument of the operation for them.
 * @param names the names of the orders in the schema, by those in version 4
 * @param toSort the value of the argument, if its type is an enumeration
 */
export function ordering<Names extends Readonly<Record<string, string>>>(
  names: Names,
  by: keyof Names,
  sort: 'asc' | 'desc',
  { description = 'Field to sort by.', toSort = (name: string) => name } = {},
) {
  const parameters: readonly [Parameter, Parameter] = [
    { name: 'order_by', type: 'string', allowed: Object.keys(names), default: String(by), description },
    { name: 'sort', type: 'string', allowed: ['asc', 'desc'], default: sort, description: 'Sort direction.' },
  ];
  const variables = (values: Values) => ({
    sort: toSort(`${names[String(values.order_by ?? by)]}_${String(values.sort ?? sort)}`),
  });
  return { parameters, variables };
}
