import type { InputFieldMap, InputShapeFromFields, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import type { ListQuery, Order } from '../../database/list.ts';
import { BadRequest } from '../../errors.ts';
import type { Admission } from '../../policy/index.ts';
import { builder } from './builder.ts';
import { DirectionType, offsetArg, resolvePage, total, type PageArgs, type Rows } from './page.ts';

/**
 * Declares a list (cursor pagination) in one call: its type, its orders, its filters and its statement. The GraphQL
 * types of the list (`ProjectFilter`, `ProjectOrder`, `ProjectConnection`, `ProjectEdge`) are named after the type
 * it contains.
 */

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;
type Fields<Kind extends 'Arg' | 'InputObject', Map extends InputFieldMap> = (
  t: PothosSchemaTypes.InputFieldBuilder<Types, Kind>,
) => Map;

/** The arguments of a list, with every default filled in. */
type Asked<
  Args extends InputFieldMap,
  Filter extends InputFieldMap,
  Name extends string,
> = InputShapeFromFields<Args> & {
  readonly filter: InputShapeFromFields<Filter>;
  readonly orderBy: Name;
};

type ListRows<Node> = ListQuery<Node & { readonly id: number }> | Rows<Node & { readonly id: number }>;

interface ListDefinition<Node, Name extends string, Args extends InputFieldMap, Filter extends InputFieldMap, Parent> {
  readonly type: ObjectRef<Types, Node>;
  readonly description: string;
  /** Who may ask for it. Required for a list at the root. */
  readonly admission?: Admission;
  /** Additional arguments, besides those of every connection. */
  readonly args?: Fields<'Arg', Args>;
  /** The input type of the argument `filter`. */
  readonly filter?: { readonly description: string; readonly fields: Fields<'InputObject', Filter> };
  /** The orders to choose from, and the default. A list with one order has no arguments for it. */
  readonly orders: { readonly [N in Name]: Pick<Order, 'column' | 'type'> };
  readonly by: readonly [NoInfer<Name>, 'ASC' | 'DESC'];
  /** Who may choose the order; everyone, if omitted. The choice of others is ignored. */
  readonly mayOrder?: (context: Context) => boolean;
  /** Its rows: a statement, or a batched reader of many lists. @throws a domain error for an invalid request */
  readonly rows: (
    context: Context,
    asked: Asked<Args, Filter, Name>,
    info: GraphQLResolveInfo,
    parent: Parent,
  ) => ListRows<NoInfer<Node>> | Promise<ListRows<NoInfer<Node>>>;
}

/** A list at the root of the schema. */
export function rootList<
  Node,
  const Name extends string,
  Args extends InputFieldMap = {},
  Filter extends InputFieldMap = {},
>(
  field: string,
  definition: ListDefinition<Node, Name, Args, Filter, unknown> & { readonly admission: Admission },
): void {
  const [options, connection] = connectionField({ ...definition, nullable: true });
  builder.queryField(field, (t) => t.connection(options, connection));
}

/** A list that is a field of a record. Many records of a page ask at once: see `batchedLists`. */
export function nestedList<
  Parent,
  Node,
  const Name extends string,
  Args extends InputFieldMap = {},
  Filter extends InputFieldMap = {},
>(parent: ObjectRef<Types, Parent>, field: string, definition: ListDefinition<Node, Name, Args, Filter, Parent>): void {
  const [options, connection] = connectionField(definition);
  builder.objectField(parent, field, (t) => t.connection(options, connection));
}

/**
 * The Pothos definition of the field. TypeScript can't infer the arguments assembled here; the types of `definition`
 * are checked where a list is declared.
 */
function connectionField<Node, Name extends string, Args extends InputFieldMap, Filter extends InputFieldMap, Parent>({
  type,
  args,
  filter,
  orders,
  by,
  mayOrder,
  rows,
  ...field
}: ListDefinition<Node, Name, Args, Filter, Parent> & { readonly nullable?: true }): [
  options: never,
  connection: never,
] {
  const { name } = type;
  const names = Object.keys(orders) as Name[];
  const filterType = filter && builder.inputType(`${name}Filter`, filter);
  const orderType = names.length > 1 ? builder.enumType(`${name}Order`, { values: names }) : undefined;
  const [orderByDefault, directionDefault] = by;

  type Given = PageArgs & Asked<Args, Filter, Name> & { readonly direction?: 'ASC' | 'DESC' | null };
  const options = {
    ...field,
    type,
    args: {
      ...offsetArg,
      ...(args && builder.args(args)),
      ...builder.args((t) => ({
        ...(filterType && { filter: t.field({ type: filterType, defaultValue: {} as never }) }),
        ...(orderType && {
          orderBy: t.field({ type: orderType, defaultValue: orderByDefault as never }),
          direction: t.field({ type: DirectionType, defaultValue: directionDefault }),
        }),
      })),
    },
    async resolve(parent: Parent, given: Given, context: Context, info: GraphQLResolveInfo) {
      const chosen = mayOrder?.(context) === false ? undefined : given;
      const orderBy = chosen?.orderBy ?? orderByDefault;
      const direction = chosen?.direction ?? directionDefault;
      const found = await rows(context, { ...given, filter: given.filter ?? {}, orderBy }, info, parent);
      const order: Order = { name: orderBy, ...orders[orderBy], direction: direction === 'ASC' ? 'asc' : 'desc' };
      return await resolvePage(context, given, info, { rows: found, order });
    },
  };
  return [options as never, connectionOf(type) as never];
}

/** The connection type of all lists of a type, with the total count. */
export function connectionOf<Node>(type: ObjectRef<Types, Node>) {
  const { name } = type;
  const made = () =>
    builder.connectionObject(
      { type, name: `${name}Connection`, fields: (t) => ({ total: t.int(total) }) },
      { name: `${name}Edge` },
    );
  const known = connections.get(name) ?? made();
  connections.set(name, known);
  return known as ReturnType<typeof made>;
}

/** Connection types by the name of the type they contain: several fields may have lists of one type. */
const connections = new Map<string, unknown>();

/** A search text, as a client sent it. @param longest in characters @throws BadRequest */
export function searchText(given: string | null | undefined, longest = 1_000): string | undefined {
  if ((given?.length ?? 0) > longest) throw new BadRequest(`A search has at most ${longest} characters.`);
  return given ?? undefined;
}
