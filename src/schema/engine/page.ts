import { resolveCursorConnection, type PageInfoShape, type ResolveCursorConnectionArgs } from '@pothos/plugin-relay';
import type { InterfaceRef, ObjectRef } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.ts';
import { ListQuery, type Listed, type Order, type Position, type Slice } from '../../database/list.ts';
import { BadRequest } from '../../errors.ts';
import { maxCounted, maxSkipped, pageSize } from '../../values/page-size.ts';
import { argumentsAt, isSelected } from './selection.ts';
import { builder, type Types } from './builder.ts';
import { largestInteger } from '../../values/integers.ts';

/**
 * Pagination of every list of the schema: forwards and backwards by cursors, as in Relay, and by offset, as in
 * GitLab's REST API. A cursor is a position in the order, so that a page continues where the last one ended,
 * whatever was inserted in between.
 */

export interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly offset?: number | null;
}

/** The argument `offset`, which lists have besides those of every connection. */
export const offsetArg = builder.args((t) => ({
  offset: t.int({
    defaultValue: 0,
    description: `How many to skip, at most ${maxSkipped}. Cursors have no such limit, and cost less.`,
  }),
}));

/**
 * An option of a list that is short by nature: its usual length. It counts where a request doesn't say how many it wants
 * (decision 0067).
 * @param most its maximum length, if that doesn't depend on what is stored
 */
export const usually = (usualLength: number, most?: number) => ({ extensions: { usualLength, most } }) as const;

/** The same of a list that is read together with the record that has it: only its entries cost something. */
export const within = (usualLength: number, most?: number) =>
  ({ extensions: { usualLength, most, isRead: true } }) as const;

/** An option of a field that is read by itself for each record, as from git, but isn't a page: it costs as much as one. */
export const readApart = { extensions: { isReadApart: true } } as const;

/** Reads pages of a list where a `ListQuery` alone isn't enough: batched over many records, or converted. */
export interface Rows<Row> {
  page(order: Order, slice: Slice): Promise<(Row & Listed)[]>;
  /** The number of rows, counted up to `most`. */
  count(most: number): Promise<number>;
}

/** A list without rows. */
export const noRows: Rows<never> = { page: async () => [], count: async () => 0 };

/** The length of a list, computed only if it is selected. @param most counting may stop at one more than this */
interface WithCount {
  readonly count: (most: number) => number | Promise<number>;
}

/** The length of a list, at most one more than `most`. */
const countOf = async (connection: unknown, most = maxCounted) =>
  Math.min(await (connection as WithCount).count(most), most + 1);

/** @throws BadRequest */
function countLimit(given: number | null | undefined): number {
  if (given == null) return maxCounted;
  if (given < 1 || given > maxCounted) throw new BadRequest(`The limit of a count is from 1 to ${maxCounted}.`);
  return given;
}

/** The connection type of all lists of a type, with their length. */
export function connectionOf<Node>(type: ObjectRef<Types, Node> | InterfaceRef<Types, Node>) {
  const { name } = type;
  const made = () =>
    builder.connectionObject(
      {
        type,
        name: `${name}Connection`,
        fields: (t) => ({
          count: t.int({
            description: `The length of the whole list; ${(maxCounted + 1).toLocaleString('en')} if it is longer than ${maxCounted.toLocaleString('en')}.`,
            args: {
              limit: t.arg.int({
                description:
                  'Where to stop: a longer list counts one more than this. It costs less than a whole count.',
              }),
            },
            resolve: (connection, { limit }) => countOf(connection, countLimit(limit)),
          }),
          total: t.int({
            nullable: true,
            deprecationReason: 'Use `count`.',
            resolve: async (connection) => {
              const count = await countOf(connection);
              return count > maxCounted ? null : count;
            },
          }),
        }),
      },
      { name: `${name}Edge` },
    );
  const known = connections.get(name) ?? made();
  connections.set(name, known);
  return known as ReturnType<typeof made>;
}

/** Connection types by the name of the type they contain: several fields may have lists of one type. */
const connections = new Map<string, unknown>();

/** A list of which to read a page. */
export interface List<Row extends { readonly id: number }> {
  readonly rows: ListQuery<Row> | Rows<Row>;
  readonly order: Order;
}

/**
 * Reads a page. The same statement counts the list, if `count` is selected and the page has no cursor and ends within
 * `maxCounted`. @throws BadRequest
 */
export async function resolvePage<Row extends { readonly id: number }>(
  context: Context,
  args: PageArgs,
  info: GraphQLResolveInfo,
  { rows: found, order }: List<Row>,
) {
  const { database } = context;
  const offset = offsetOf(args);
  let counted: number | undefined;
  // One with a limit costs less by itself.
  const isCounted = isSelected(info, 'total') || argumentsAt(info, 'count').some(({ limit }) => limit == null);
  const isPage = ['nodes', 'edges', 'pageInfo'].some((field) => isSelected(info, field));
  const hasCursors = showsCursors(info);
  const connection = await resolveCursorConnection(
    {
      args,
      ...pageSize,
      toCursor: (node: Row & Listed) => (hasCursors ? toCursor(order, node.position, node.id) : ''),
    },
    async ({ before, after, limit, inverted }: ResolveCursorConnectionArgs) => {
      const slice = { before: fromCursor(order, before), after: fromCursor(order, after), offset, limit, inverted };
      // The length of a list alone needs no records.
      if (!isPage) return [];
      if (!(found instanceof ListQuery)) return await found.page(order, slice);
      // The count ignores cursors: it is that of the whole list.
      const counts = isCounted && slice.before === null && slice.after === null && offset + limit <= maxCounted;
      const { statement, values } = found.page(order, slice, counts ? maxCounted + 1 : undefined);
      const rows = await database.rows(statement, values);
      if (counts) counted = rows[0]?.total ?? (offset === 0 ? 0 : undefined);
      return rows;
    },
  );
  const count = async (most: number) => {
    if (!(found instanceof ListQuery)) return await found.count(most + 1);
    const { statement, values } = found.count(most + 1);
    return (await database.rows(statement, values))[0]!.total;
  };
  const length = (most: number) => counted ?? count(most);
  return { ...connection, pageInfo: cursorsOf(connection), count: length, rows: found };
}

/** Whether a connection's selection has a cursor: most pages have none. */
const showsCursors = (info: GraphQLResolveInfo) =>
  isSelected(info, 'edges') || isSelected(info, 'pageInfo', 'startCursor') || isSelected(info, 'pageInfo', 'endCursor');

/** The page's ends: null for a page without entries, for which Pothos has empty texts. */
const cursorsOf = ({ pageInfo }: { readonly pageInfo: PageInfoShape }): PageInfoShape => ({
  ...pageInfo,
  startCursor: pageInfo.startCursor || null,
  endCursor: pageInfo.endCursor || null,
});

/**
 * A page of an array: a short list that is read as a whole, in its order.
 * @param keyOf the key in a cursor: unique in the list
 * @throws BadRequest
 */
export async function resolveArrayPage<Node extends object>(
  args: PageArgs,
  all: readonly Node[],
  keyOf: (node: Node) => string,
) {
  const offset = offsetOf(args);
  const cursorOf = (node: Node) => Buffer.from(keyOf(node)).toString('base64url');
  const indexOf = (cursor: string) => {
    const index = all.findIndex((node) => cursorOf(node) === cursor);
    if (index < 0) throw new BadRequest('A cursor is one that a page gave you.');
    return index;
  };
  const connection = await resolveCursorConnection(
    { args, ...pageSize, toCursor: cursorOf },
    ({ before, after, limit, inverted }: ResolveCursorConnectionArgs): Node[] => {
      const between = all.slice(
        after === undefined ? offset : indexOf(after) + 1,
        before === undefined ? undefined : indexOf(before),
      );
      return (inverted ? between.toReversed() : between).slice(0, limit);
    },
  );
  return { ...connection, pageInfo: cursorsOf(connection), count: () => all.length };
}

/**
 * A page of a list that is read from somewhere else than the database, by position: its cursors are positions.
 * @param read the rows of a part, fewer at its end
 * @param count how many there are in all
 * @throws BadRequest
 */
export async function resolvePositions<Node extends object>(
  args: PageArgs,
  info: GraphQLResolveInfo,
  read: (part: { readonly skip: number; readonly count: number }) => Promise<readonly Node[]>,
  count: () => Promise<number>,
) {
  const offset = offsetOf(args);
  if (args.last != null || args.before != null) throw new BadRequest('This list can only be read forwards.');
  const start = args.after == null ? offset : positionIn(args.after) + 1;
  const hasCursors = showsCursors(info);
  const places = new Map<Node, number>();
  const connection = await resolveCursorConnection(
    {
      args: { first: args.first ?? null },
      ...pageSize,
      toCursor: (node: Node) => (hasCursors ? Buffer.from(`at ${places.get(node)!}`).toString('base64url') : ''),
    },
    async ({ limit }: ResolveCursorConnectionArgs) => {
      const rows = await read({ skip: start, count: limit });
      if (hasCursors) for (const [index, row] of rows.entries()) places.set(row, start + index);
      return [...rows];
    },
  );
  return { ...connection, pageInfo: cursorsOf(connection), count };
}

/** @throws BadRequest for a cursor that no page returned */
function positionIn(cursor: string): number {
  const found = /^at (?<place>\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.groups?.place;
  if (found === undefined) throw new BadRequest('A cursor is one that a page gave you.');
  return Number(found);
}

/** How many rows come before a page. @throws BadRequest for contradictory arguments */
export function offsetOf({ first, last, after, before, offset: given }: PageArgs): number {
  const offset = given ?? 0;
  if (first != null && last != null) throw new BadRequest('Ask for the first or for the last ones, not for both.');
  if ((first ?? last ?? 0) < 0) throw new BadRequest('A page can’t be smaller than nothing.');
  if (offset < 0 || offset > maxSkipped) throw new BadRequest(`An offset is from 0 to ${maxSkipped}.`);
  if (offset > 0 && (after != null || before != null || last != null))
    throw new BadRequest('Ask for an offset or for a cursor, not for both.');
  return offset;
}

const toCursor = (order: Order, value: string, id: number) =>
  Buffer.from(JSON.stringify([`${order.name} ${order.direction}`, value, id])).toString('base64url');

/** For each type of an order, whether PostgreSQL can parse a text from a cursor as that type. */
const readable: Record<Order['type'], (value: string) => boolean> = {
  int: (value) => /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) <= largestInteger,
  bigint: (value) => /^-?\d{1,15}$/.test(value),
  timestamptz: (value) => /^-?\d{1,14}$/.test(value),
  text: (value) => !value.includes('\0'),
};

function fromCursor(order: Order, cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  let said: unknown;
  try {
    said = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    said = undefined;
  }
  const [name, value, id] = Array.isArray(said) ? (said as unknown[]) : [];
  const fits = name === `${order.name} ${order.direction}` && typeof value === 'string' && readable[order.type](value);
  if (!fits || !Number.isInteger(id) || Math.abs(id as number) > largestInteger) {
    throw new BadRequest('A cursor is one that a page gave you, in the same order.');
  }
  return { value, id: id as number };
}
