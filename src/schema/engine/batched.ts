import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import type { Statement } from '../../database/index.ts';

/**
 * Batching: reads something about many records of one request with one statement.
 * @param read the values by id; an id without a value gives undefined
 */
export function batched<Value>(
  read: (context: Context, ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): (context: Context, id: number) => Promise<Value | undefined> {
  const loaders = new WeakMap<Context, DataLoader<number, Value | undefined>>();
  return (context, id) => {
    let loader = loaders.get(context);
    if (!loader) {
      // Don't cache: a mutation of the same request may change the records.
      loader = new DataLoader(
        async (ids) => {
          const found = await read(context, [...new Set(ids)]);
          return ids.map((one) => found.get(one));
        },
        { cache: false },
      );
      loaders.set(context, loader);
    }
    return loader.load(id);
  };
}

/**
 * The same for records that are named by more than an id.
 * @param read the value of each name, at the same position; names may repeat
 */
export function batchedByName<Name, Value>(
  read: (context: Context, names: readonly Name[]) => Promise<readonly (Value | undefined)[]>,
): (context: Context, name: Name) => Promise<Value | undefined> {
  const loaders = new WeakMap<Context, DataLoader<Name, Value | undefined>>();
  return (context, name) => {
    let loader = loaders.get(context);
    if (!loader) loaders.set(context, (loader = new DataLoader((names) => read(context, names), { cache: false })));
    return loader.load(name);
  };
}

/** Batched rows by id. @param statement $1 ids */
export const batchedRows = <Row extends { readonly id: number }>(
  statement: Statement<Row>,
): ((context: Context, id: number) => Promise<Row | undefined>) =>
  batched(async ({ database }, ids) => new Map((await database.rows(statement, [ids])).map((row) => [row.id, row])));

/** Looks a record up by id: null for null, and for a record that was removed. */
export type ById<Row> = (context: Context, id: number | null) => Promise<Row | null> | null;

/**
 * Batched records by id: how every type refers to people, groups and projects.
 * @param statement $1 ids
 * @param isVisible which of them the viewer sees; all, if omitted
 */
export function batchedRecords<Row extends { readonly id: number }>(
  statement: Statement<Row>,
  isVisible?: (context: Context, id: number) => Promise<true | undefined>,
): ById<Row> {
  const read = batchedRows(statement);
  return (context, id) => {
    if (id === null) return null;
    const found = isVisible
      ? isVisible(context, id).then((visible) => (visible ? read(context, id) : undefined))
      : read(context, id);
    return found.then((row) => row ?? null);
  };
}

/**
 * Batching of lists: with one statement, reads the lists of many records that have the same arguments.
 * @param read all rows of all records
 */
export function batchedLists<Question, Row>(
  read: (context: Context, parents: readonly number[], question: Question) => Promise<Row[]>,
  parentOf: (row: Row) => number,
): (context: Context, parent: number, question: Question) => Promise<Row[]> {
  const requests = new WeakMap<Context, Map<string, DataLoader<number, Row[]>>>();
  return (context, parent, question) => {
    const loaders = requests.get(context) ?? new Map<string, DataLoader<number, Row[]>>();
    requests.set(context, loaders);
    const key = JSON.stringify(question);
    let loader = loaders.get(key);
    if (!loader) {
      loader = new DataLoader(
        async (parents) => {
          const rows = new Map(parents.map((one): [number, Row[]] => [one, []]));
          for (const row of await read(context, [...rows.keys()], question)) rows.get(parentOf(row))!.push(row);
          return parents.map((one) => rows.get(one)!);
        },
        { cache: false },
      );
      loaders.set(key, loader);
    }
    return loader.load(parent);
  };
}
