import DataLoader from 'dataloader';
import type { Context } from '../../context.ts';
import type { Statement } from '../../database/index.ts';

/**
 * Reads something about many records with one statement: all that one request asks
 * for in the same breath.
 * @param read what there is, by id; what isn't in it is undefined
 */
export function batched<Value>(
  read: (context: Context, ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
): (context: Context, id: number) => Promise<Value | undefined> {
  const loaders = new WeakMap<Context, DataLoader<number, Value | undefined>>();
  return (context, id) => {
    let loader = loaders.get(context);
    if (!loader) {
      // Nothing is kept: a mutation may have changed it meanwhile.
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

/** Rows by their ids likewise. @param statement $1 ids */
export const batchedRows = <Row extends { readonly id: number }>(
  statement: Statement<Row>,
): ((context: Context, id: number) => Promise<Row | undefined>) =>
  batched(async ({ database }, ids) => new Map((await database.rows(statement, [ids])).map((row) => [row.id, row])));

/** How a field refers to a record by its id: null for null, and for one that is gone. */
export type ById<Row> = (context: Context, id: number | null) => Promise<Row | null> | null;

/**
 * Records that fields refer to, by their ids: the one way from any type to people, groups and projects.
 * @param statement $1 ids
 * @param isVisible which of them the viewer sees; all, where it is left out
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
 * Reads lists of many records with one statement, as far as each of them is asked for
 * in the same words.
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
