import pg from 'pg';
import { serialize } from 'pg-protocol';
import { prepareValue } from 'pg/lib/utils.js';
import type { Statement } from './statement.ts';

/** Runs a statement on a connection, in a transaction or not. @throws what PostgreSQL said, or the system on the way there */
export async function runPrepared<Row>(
  client: Pick<pg.ClientBase, 'query'>,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await runForEach(client, statement, [values]))[0]!;
}

/**
 * Runs a statement once for each list of values, one after the other, all of them in
 * one message each way. Outside a transaction they are one.
 * @param first what is run before them, without values, and whose one row nobody wants
 * @returns the rows of each
 * @throws what PostgreSQL said of the first that it refused: it runs none that follows
 */
export function runForEach<Row>(
  client: Pick<pg.ClientBase, 'query'>,
  statement: Statement<Row>,
  lists: readonly (readonly unknown[])[],
  first?: Statement<unknown>,
): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery<Row>(statement, lists, first, (error, answers) =>
      error ? reject(error) : resolve(answers!),
    );
    client.query(query as unknown as pg.Submittable);
  });
}

/**
 * The fast lane of hand-written statements. pg's own query asks for the description
 * of the columns each time and sends four messages as four chunks; a statement that
 * a connection has prepared always has the same columns, and fits in one chunk. It
 * is a "submittable", as cursors and COPY streams are, so queueing, errors,
 * transactions and the pool stay pg's.
 */
class PreparedQuery<Row> {
  /** pg keeps account of what is prepared by these two. An empty name: prepared for this once. */
  readonly name: string;
  readonly text: string;
  readonly #lists: readonly (readonly unknown[])[];
  readonly #answers: Row[][] = [];
  /** Of the list whose turn it is. */
  #rows: Row[] = [];
  #readers: Map<string, Reader> | undefined;
  #reader: Reader | undefined;
  #failure: Error | undefined;
  readonly #first: Statement<unknown> | undefined;
  /** Whether what comes now is of that. */
  #isFirst: boolean;
  /** Called when the connection is ready for the next statement, or when the statement failed. */
  readonly callback: (error: Error | null, answers?: Row[][]) => void;

  constructor(
    { name, text }: Statement<Row>,
    lists: readonly (readonly unknown[])[],
    first: Statement<unknown> | undefined,
    callback: (error: Error | null, answers?: Row[][]) => void,
  ) {
    this.name = name;
    this.text = text;
    this.#lists = lists;
    this.#first = first;
    this.#isFirst = first !== undefined;
    this.callback = callback;
  }

  /** As pg's own has them, for whoever looks on: those of the first list. */
  get values(): readonly unknown[] | undefined {
    return this.#lists[0];
  }

  submit(connection: Connection): Error | null {
    let readers = known.get(connection);
    if (!readers) known.set(connection, (readers = new Map()));
    this.#readers = readers;
    // Without a name nothing is kept: the next one takes its place.
    this.#reader = this.name === '' ? undefined : readers.get(this.name);
    const runs: Buffer[] = [];
    if (this.#first) runs.push(serialize.bind({ statement: this.#first.name }), execute);
    try {
      for (const [at, values] of this.#lists.entries()) {
        runs.push(serialize.bind({ statement: this.name, values: values as unknown[], valueMapper: prepareValue }));
        if (!this.#reader && at === 0) runs.push(describePortal);
        runs.push(execute);
      }
    } catch (error) {
      return error as Error;
    }
    runs.push(sync);
    connection.stream.cork();
    if (this.#first) prepare(connection, this.#first);
    prepare(connection, this);
    connection.stream.write(Buffer.concat(runs));
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#reader = readerOf(fields);
    this.#readers!.set(this.name, this.#reader);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#isFirst) return;
    try {
      this.#rows.push(this.#reader!(fields) as Row);
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleCommandComplete(): void {
    if (this.#isFirst) {
      this.#isFirst = false;
      return;
    }
    // What brings no rows is never described.
    if (!this.#reader) this.#readers!.set(this.name, noColumns);
    this.#answers.push(this.#rows);
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.#answers.push([]);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure);
    else this.callback(null, this.#answers);
  }
}

/** What of pg's connection a submittable may use; its types leave most of it out. */
interface Connection {
  readonly stream: { write(chunk: Buffer): void; cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { text: string; name: string }): void;
}

/** Asks for it to be prepared, where the connection doesn't know its name yet; without a name, each time. */
function prepare(connection: Connection, { name, text }: { readonly name: string; readonly text: string }): void {
  const { parsedStatements, submittedNamedStatements } = connection;
  if (name !== '' && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined) return;
  connection.parse({ text, name });
  if (name !== '') submittedNamedStatements[name] = text;
}

/** How PostgreSQL describes a column. */
interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Makes a row out of the texts of its columns. */
type Reader = (texts: readonly (string | null)[]) => Record<string, unknown>;

/** How the rows of each statement look that a connection has prepared. */
const known = new WeakMap<Connection, Map<string, Reader>>();

const describePortal = serialize.describe({ type: 'P' });
const execute = serialize.execute();
const sync = serialize.sync();

const noColumns: Reader = () => ({});

/** A column of this name begins a second row, which is put in its place, or null where the column is. */
const second = 'prefetch';

function readerOf(fields: readonly Field[]): Reader {
  const at = fields.findIndex(({ name }) => name === second);
  if (at < 0) return rowReader(fields, 0);
  const [first, rest] = [rowReader(fields.slice(0, at), 0), rowReader(fields.slice(at + 1), at + 1)];
  return (texts) => {
    const row = first(texts);
    row[second] = texts[at] === null ? null : rest(texts);
    return row;
  };
}

/** @param from where its columns begin */
function rowReader(fields: readonly Field[], from: number): Reader {
  const columns = fields.map(({ name, dataTypeID }) => ({
    name,
    parse: pg.types.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
  }));
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  return (texts) => {
    const row: Record<string, unknown> = { ...empty };
    for (let at = 0; at < columns.length; at++) {
      const text = texts[from + at]!;
      if (text !== null) row[columns[at]!.name] = columns[at]!.parse(text);
    }
    return row;
  };
}
