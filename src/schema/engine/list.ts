import type { EnumRef, InputFieldMap, InputRef, InputShapeFromFields, InterfaceRef, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context, PrefetchFor } from '../../context.ts';
import type { Parts } from '../../database/list-parts.ts';
import type { ListQuery, ListsOfMany, Order } from '../../database/list.ts';
import { BadRequest } from '../../errors.ts';
import type { Admission } from '../../policy/index.ts';
import { batchedLists } from './batched.ts';
import { builder, type Types } from './builder.ts';
import { connectionOf, offsetArg, resolvePage, type PageArgs, type Rows } from './page.ts';

/**
 * Declares a list (cursor pagination) in one call: its type, its orders, its filters and its statement. Filters are
 * arguments of the field, and the order is the argument `sort`, as in GitLab's schema: `sort: "name_asc"`.
 */

type Fields<Map extends InputFieldMap> = (t: PothosSchemaTypes.InputFieldBuilder<Types, 'Arg'>) => Map;

type Direction = 'asc' | 'desc';
/** A value of the argument `sort`: the name of an order and a direction. */
type Sort<Name extends string = string> = `${Name}_${Direction}`;

/** The arguments of a list, with its order. */
type Asked<Args extends InputFieldMap, Name extends string> = InputShapeFromFields<Args> & {
  /** The name of the order. */
  readonly orderBy: Name;
};

type ListRows<Node> = ListQuery<Node & { readonly id: number }> | Rows<Node & { readonly id: number }>;

/** What an order sorts by: a column, or an expression that differs by direction. */
interface OrderColumn extends Pick<Order, 'type' | 'ties'> {
  readonly column: string | ((direction: Direction) => string);
  /** See `Order`. Undefined: the list is sorted as a whole in this direction. */
  readonly parts?: (direction: Direction) => Parts | undefined;
}

interface ListDefinition<Node, Name extends string, Args extends InputFieldMap, Filter, Parent> {
  readonly type: ObjectRef<Types, Node> | InterfaceRef<Types, Node>;
  readonly description: string;
  readonly deprecationReason?: string;
  /** Who may ask for it. Required for a list at the root. */
  readonly admission?: Admission;
  /** The first statement of `rows`, if it is known before the viewer is. Only for a list at the root. */
  readonly prefetch?: PrefetchFor;
  /** Its filters, besides the arguments of every connection. */
  readonly args?: Fields<Args>;
  /** The orders, by their names in `sort`. */
  readonly orders: { readonly [N in Name]: OrderColumn };
  /** The order if `sort` is omitted. */
  readonly by: Sort<NoInfer<Name>>;
  /** The type of `sort`, if it is an enumeration: its values are sorts. Otherwise `sort` is a string. */
  readonly sortType?: EnumRef<Types, string, string>;
  /** Whether the viewer may choose the order; otherwise `sort` is ignored. If omitted, everyone may. */
  readonly mayOrder?: (context: Context) => boolean;
  /** Deprecated arguments of version 0.1. */
  readonly former?: FormerArguments<Args, Filter, NoInfer<Name>>;
  /** Its usual length, if it is short by nature: see `usually`. */
  readonly extensions?: { readonly usualLength: number };
  /** Whether it can be null: if `rows` returns null. */
  readonly nullable?: true;
  /** Its rows: a statement, or a batched reader of many lists. @throws a domain error for an invalid request */
  readonly rows: (
    context: Context,
    asked: Asked<Args, Name>,
    info: GraphQLResolveInfo,
    parent: Parent,
  ) => ListRows<NoInfer<Node>> | null | Promise<ListRows<NoInfer<Node>> | null>;
}

/** The deprecated arguments `filter`, `orderBy` and `direction`; `args` and `sort` replace them. */
interface FormerArguments<Args extends InputFieldMap, Filter, Name extends string> {
  /** The name of the records in the type of `orderBy`; that of their type, if omitted. */
  readonly of?: string;
  readonly filter: InputRef<Filter>;
  /** Turns a deprecated `filter` into today’s arguments. */
  readonly read: (filter: Filter) => Partial<InputShapeFromFields<NoInfer<Args>>>;
  /** The orders, by their former names. */
  readonly orders: { readonly [name: string]: Name };
}

/** The names that clients of GitLab 13.4 and before have for orders. */
const formerSorts: readonly string[] = ['created', 'updated'];

/** The type of `sort` for some orders, with GitLab's names: `CREATED_DESC`. */
export function sortEnum<const Name extends string>(type: string, orders: { readonly [N in Name]: unknown }) {
  const sorts = (Object.keys(orders) as Name[]).flatMap((name): Sort<Name>[] => [`${name}_asc`, `${name}_desc`]);
  const former = sorts.filter((sort) => formerSorts.includes(sort.slice(0, sort.lastIndexOf('_'))));
  return builder.enumType(type, {
    values: Object.fromEntries([
      ...former.map((value) => [value, { value, deprecationReason: `Use \`${value.toUpperCase()}\`.` }] as const),
      ...sorts.map((value) => [value.toUpperCase(), { value }] as const),
    ]) as { [name: string]: { value: Sort<Name> } },
  });
}

/** A list at the root of the schema. */
export function rootList<Node, const Name extends string, Args extends InputFieldMap = {}, Filter = never>(
  field: string,
  definition: ListDefinition<Node, Name, Args, Filter, unknown> & { readonly admission: Admission },
): void {
  const [options, connection] = connectionField({ ...definition, nullable: true });
  builder.queryField(field, (t) => t.connection(options, connection));
}

/** A list that is a field of a record. Many records of a page ask at once: see `listOfEach`. */
export function nestedList<Parent, Node, const Name extends string, Args extends InputFieldMap = {}, Filter = never>(
  parent: ObjectRef<Types, Parent> | InterfaceRef<Types, Parent>,
  field: string,
  definition: ListDefinition<Node, Name, Args, Filter, Parent>,
): void {
  const [options, connection] = connectionField(definition);
  if (parent.kind === 'Interface') builder.interfaceField(parent, field, (t) => t.connection(options, connection));
  else builder.objectField(parent, field, (t) => t.connection(options, connection));
}

/**
 * Batching of nested lists: one statement reads the same page of the lists of many records.
 * @param build the lists, whose conditions refer to the record's id as `parent.id`
 */
export function listOfEach<Asked, Row extends { readonly id: number }>(
  build: (context: Context, asked: Asked) => ListsOfMany<Row> | Promise<ListsOfMany<Row>>,
): (context: Context, parent: number, asked: Asked) => Rows<Row> {
  type Page = Parameters<Rows<Row>['page']>;
  const pages = batchedLists(
    async (context, parents, { asked, page }: { asked: Asked; page: Page }) => {
      const { statement, values } = (await build(context, asked)).pages(parents, ...page);
      return await context.database.rows(statement, values);
    },
    ({ parent_id }) => parent_id,
  );
  const counts = batchedLists(
    async (context, parents, { asked, most }: { asked: Asked; most: number }) => {
      const { statement, values } = (await build(context, asked)).counts(parents, most);
      return await context.database.rows(statement, values);
    },
    ({ parent_id }) => parent_id,
  );
  return (context, parent, asked) => ({
    page: (...page) => pages(context, parent, { asked, page }),
    count: async (most) => (await counts(context, parent, { asked, most }))[0]!.total,
  });
}

/**
 * The Pothos definition of the field. TypeScript can't infer the arguments assembled here; the types of `definition`
 * are checked where a list is declared.
 */
function connectionField<Node, Name extends string, Args extends InputFieldMap, Filter, Parent>({
  type,
  args,
  orders,
  by,
  sortType,
  mayOrder,
  former,
  rows,
  ...field
}: ListDefinition<Node, Name, Args, Filter, Parent>): [options: never, connection: never] {
  const names = Object.keys(orders) as Name[];
  type Given = PageArgs & GivenOrder & InputShapeFromFields<Args> & { readonly filter?: Filter | null };
  const options = {
    ...field,
    type,
    args: {
      ...offsetArg,
      ...(args && builder.args(args)),
      ...(names.length > 1 &&
        builder.args((t) => ({
          sort: sortType
            ? t.field({ type: sortType, defaultValue: by })
            : t.string({ description: `One of ${sortsOf(names)}, with \`_asc\` or \`_desc\`.`, defaultValue: by }),
        }))),
      ...(former && formerArguments(former.of ?? type.name, former)),
    },
    async resolve(parent: Parent, given: Given, context: Context, info: GraphQLResolveInfo) {
      const sort = mayOrder?.(context) === false ? by : (formerSort(former?.orders, given, by) ?? given.sort ?? by);
      const { name, direction } = readSort(sort, names);
      const asked = { ...given, ...(given.filter && former?.read(given.filter)), orderBy: name };
      const found = await rows(context, asked, info, parent);
      if (!found) return found;
      const { column, parts, ...rest } = orders[name] as OrderColumn;
      const order = {
        name,
        ...rest,
        direction,
        column: typeof column === 'string' ? column : column(direction),
        parts: parts?.(direction),
      };
      return await resolvePage(context, given, info, { rows: found, order });
    },
  };
  return [options as never, connectionOf(type) as never];
}

const sortsOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

/** @throws BadRequest for an unknown order */
function readSort<Name extends string>(sort: string, names: readonly Name[]): { name: Name; direction: Direction } {
  const at = sort.lastIndexOf('_');
  const [name, direction] = [sort.slice(0, at), sort.slice(at + 1)];
  if (!(names as readonly string[]).includes(name) || (direction !== 'asc' && direction !== 'desc'))
    throw new BadRequest(`A sort is one of ${sortsOf(names)}, with \`_asc\` or \`_desc\`.`);
  return { name: name as Name, direction };
}

/** Values of the arguments that choose an order; the first two are deprecated. */
interface GivenOrder {
  readonly orderBy?: string | null;
  readonly direction?: 'ASC' | 'DESC' | null;
  readonly sort?: string | null;
}

const FormerDirection = builder.enumType('SortDirection', { values: ['ASC', 'DESC'] as const });

/** The deprecated arguments of a list of a type. */
function formerArguments(
  name: string,
  { filter, orders }: { readonly filter: InputRef<unknown>; readonly orders: { readonly [name: string]: string } },
) {
  const OrderType = builder.enumType(`${name}Order`, { values: Object.keys(orders) });
  return builder.args((t) => ({
    filter: t.field({ type: filter, deprecationReason: 'Use the other arguments, which have the same meaning.' }),
    orderBy: t.field({ type: OrderType, deprecationReason: 'Use `sort`.' }),
    direction: t.field({ type: FormerDirection, deprecationReason: 'Use `sort`.' }),
  }));
}

/** The sort that deprecated arguments stand for; undefined if they aren't given. */
function formerSort(
  orders: { readonly [name: string]: string } | undefined,
  { orderBy, direction, sort }: GivenOrder,
  by: Sort,
): Sort | undefined {
  if (!orders || (orderBy == null && direction == null)) return undefined;
  const chosen = sort ?? by;
  const at = chosen.lastIndexOf('_');
  const name = orderBy == null ? chosen.slice(0, at) : orders[orderBy]!;
  return `${name}_${(direction ?? chosen.slice(at + 1)).toLowerCase() as Direction}`;
}

/** Maximum number of records that the arguments of a list name. */
const maxNamed = 1_000;

/** Refuses arguments that name too many records. @param what they are @throws BadRequest */
export function refuseMany(named: number, what: 'people' | 'groups' | 'projects' | 'schedules'): void {
  if (named > maxNamed) throw new BadRequest(`Name no more than ${maxNamed} ${what}.`);
}

/** A search text, as a client sent it. @param longest in characters @throws BadRequest */
export function searchText(given: string | null | undefined, longest = 1_000): string | undefined {
  if ((given?.length ?? 0) > longest) throw new BadRequest(`A search has at most ${longest} characters.`);
  return given ?? undefined;
}
