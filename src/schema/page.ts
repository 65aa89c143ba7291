import { resolveCursorConnection, type ResolveCursorConnectionArgs } from '@pothos/plugin-relay';
import type { Context } from '../context.ts';
import type { ListQuery, Order, Position } from '../database/statements/list.ts';
import { BadRequest } from '../errors.ts';
import { builder, pageSize } from './builder.ts';

/**
 * The pages of every list of the schema: forwards and backwards by cursors, as
 * Relay asks, and by an offset, as version 4 does. A cursor is a place in the order,
 * so that a page goes on where the last one ended, whatever came in between.
 */

/** Rows that are counted; where there are more, nobody is told how many. */
export const mostCounted = 10_000;
/** Rows that an offset may skip. */
const mostSkipped = 50_000;

export interface PageArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly offset?: number | null;
}

/** What a list takes besides the arguments of every connection. */
export const offsetArg = builder.args((t) => ({
  offset: t.int({ defaultValue: 0, description: `How many to skip, at most ${mostSkipped}. A cursor goes further, and costs less.` }),
}));

export const DirectionType = builder.enumType('SortDirection', { values: ['ASC', 'DESC'] as const });

/** How many a list has in all; made for the field `total`, and only if it is asked for. */
interface Counted {
  readonly total: () => Promise<number | null>;
}

/**
 * The field that says so, of the connection of a list.
 * @example builder.connectionObject({ type: Project, name: 'ProjectConnection', fields: (t) => ({ total: t.int(total) }) })
 */
export const total = {
  nullable: true,
  description: `How many there are in all; null where there are more than ${mostCounted.toLocaleString('en')}.`,
  resolve: (connection: unknown) => (connection as Counted).total(),
} as const;

/** A list to take a page of. */
export interface List<Node> {
  readonly query: ListQuery;
  readonly order: Order;
  /** Reads what is shown of the page; what is gone by then is left out. */
  readonly load: (ids: number[]) => Promise<readonly Node[]>;
}

/**
 * A page: one statement for its ids, and what `load` needs.
 * @throws BadRequest
 */
export async function resolvePage<Node extends { readonly id: number }>(context: Context, args: PageArgs, { query, order, load }: List<Node>) {
  const { database } = context;
  const offset = offsetOf(args);
  const positions = new Map<Node, string>();
  const connection = await resolveCursorConnection(
    { args, ...pageSize, toCursor: (node: Node) => toCursor(order, positions.get(node)!, node.id) },
    async ({ before, after, limit, inverted }: ResolveCursorConnectionArgs): Promise<Node[]> => {
      const { statement, values } = query.slice(order, {
        before: fromCursor(order, before),
        after: fromCursor(order, after),
        offset,
        limit,
        inverted,
      });
      const rows = await database.rows(statement, values);
      if (rows.length === 0) return [];
      const nodes = new Map((await load(rows.map(({ id }) => id))).map((node) => [node.id, node]));
      return rows.flatMap(({ id, position }) => {
        const node = nodes.get(id);
        if (node) positions.set(node, position);
        return node ?? [];
      });
    },
  );
  return {
    ...connection,
    async total() {
      const { statement, values } = query.count(mostCounted + 1);
      const [row] = await database.rows(statement, values);
      return row!.total > mostCounted ? null : row!.total;
    },
  };
}

/**
 * A page of what is no table: a short list that is there as a whole, in its order.
 * @param keyOf what a cursor knows one by: it must be unique in the list
 * @throws BadRequest
 */
export async function resolveArrayPage<Node extends object>(args: PageArgs, all: readonly Node[], keyOf: (node: Node) => string) {
  const offset = offsetOf(args);
  const cursorOf = (node: Node) => Buffer.from(keyOf(node)).toString('base64url');
  const place = (cursor: string) => {
    const index = all.findIndex((node) => cursorOf(node) === cursor);
    if (index < 0) throw new BadRequest('A cursor is one that a page gave you.');
    return index;
  };
  const connection = await resolveCursorConnection(
    { args, ...pageSize, toCursor: cursorOf },
    ({ before, after, limit, inverted }: ResolveCursorConnectionArgs): Node[] => {
      const between = all.slice(after === undefined ? offset : place(after) + 1, before === undefined ? undefined : place(before));
      return (inverted ? between.toReversed() : between).slice(0, limit);
    },
  );
  return { ...connection, total: async () => all.length };
}

/**
 * How many rows a page leaves out before it.
 * @throws BadRequest for a page that makes no sense
 */
export function offsetOf({ first, last, after, before, offset: given }: PageArgs): number {
  const offset = given ?? 0;
  if (first != null && last != null) throw new BadRequest('Ask for the first or for the last ones, not for both.');
  if ((first ?? last ?? 0) < 0) throw new BadRequest('A page can’t be smaller than nothing.');
  if (offset < 0 || offset > mostSkipped) throw new BadRequest(`An offset is from 0 to ${mostSkipped}.`);
  if (offset > 0 && (after != null || before != null || last != null)) throw new BadRequest('Ask for an offset or for a cursor, not for both.');
  return offset;
}

const toCursor = (order: Order, value: string, id: number) =>
  Buffer.from(JSON.stringify([`${order.name} ${order.direction}`, value, id])).toString('base64url');

/** What a cursor may say of a position: nothing that PostgreSQL couldn't read. */
const readable: Record<Order['type'], (value: string) => boolean> = {
  int: (value) => /^-?\d{1,10}$/.test(value) && Math.abs(Number(value)) < 2 ** 31,
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
  if (!fits || !Number.isInteger(id) || Math.abs(id as number) >= 2 ** 31) {
    throw new BadRequest('A cursor is one that a page gave you, in the same order.');
  }
  return { value, id: id as number };
}
