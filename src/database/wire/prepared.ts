import type pg from 'pg';
import { serialize } from 'pg-protocol';
import { prepareValue } from 'pg/lib/utils.js';
import { mostRead, noteSize, tooMuch } from './held.ts';
import { rowReader, type Field, type Reader } from './row-reader.ts';
import type { Statement } from './statement.ts';

/** Runs a statement on a connection, inside a transaction or not. @throws the error of PostgreSQL or of the network */
export async function runPrepared<Row>(
  client: Pick<pg.ClientBase, 'query'>,
  statement: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  return (await runForEach(client, statement, [values]))[0]!;
}

/**
 * Runs a statement once for each list of values, in order, in one message each way (pipelining). Outside a transaction
 * they form one transaction.
 * @param first a statement without values that runs before them; its row is dropped
 * @returns the rows of each
 * @throws the first error: PostgreSQL skips the rest of the message
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
 * A hand-written statement on the wire. pg's own query asks for the columns each time, and writes four messages as
 * four chunks. This one remembers a prepared statement's columns, and sends all messages in one chunk. It is one of
 * pg's "submittables", as cursors and COPY streams are, so pg still does queueing, errors, transactions and pooling.
 */
class PreparedQuery<Row> {
  /** pg records prepared statements by name and text. An empty name: prepared for this run only. */
  readonly name: string;
  readonly text: string;
  readonly #lists: readonly (readonly unknown[])[];
  readonly #answers: Row[][] = [];
  /** The rows of the current list, and their bytes. */
  #rows: Row[] = [];
  #size = 0;
  #readers: Map<string, Reader> | undefined;
  #reader: Reader | undefined;
  #failure: Error | undefined;
  readonly #first: Statement<unknown> | undefined;
  /** Whether the current messages belong to the statement `first`. */
  #isFirst: boolean;
  /** Whether the message asks to parse the statement. */
  #isParsed = false;
  /** Called when the connection is ready for the next statement, or when this one failed. */
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

  /** The values of the first list. pg's own queries have this property too, for instrumentation. */
  get values(): readonly unknown[] | undefined {
    return this.#lists[0];
  }

  submit(connection: Connection): Error | null {
    let readers = known.get(connection);
    if (!readers) known.set(connection, (readers = new Map()));
    this.#readers = readers;
    // An unnamed statement isn't kept: the next one replaces it.
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
    this.#isParsed = prepare(connection, this);
    connection.stream.write(Buffer.concat(runs));
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#reader = readerOf(fields);
    this.#readers!.set(this.name, this.#reader);
  }

  handleDataRow({ fields, length }: { fields: (string | null)[]; length: number }): void {
    if (this.#isFirst) return;
    this.#size += length;
    if (this.#size > mostRead) {
      this.#failure ??= tooMuch();
      this.#rows = [];
      return;
    }
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
    // A statement without rows is never described.
    if (!this.#reader) this.#readers!.set(this.name, noColumns);
    noteSize(this.#rows, this.#size);
    this.#answers.push(this.#rows);
    this.#rows = [];
    this.#size = 0;
  }

  handleEmptyQuery(): void {
    this.#answers.push([]);
  }

  handleError(error: Error, connection: Connection): void {
    // pg took it for parsed when `first` was.
    if (this.#isFirst && this.#isParsed) delete connection.parsedStatements[this.name];
    this.callback(error);
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.callback(this.#failure);
    else this.callback(null, this.#answers);
  }
}

/** The members of pg's connection that a submittable uses; pg's types omit most of them. */
interface Connection {
  readonly stream: { write(chunk: Buffer): void; cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { text: string; name: string }): void;
}

/**
 * Sends Parse if the connection doesn't know the name yet; for an unnamed statement each time.
 * @returns whether it did
 */
function prepare(connection: Connection, { name, text }: { readonly name: string; readonly text: string }): boolean {
  const { parsedStatements, submittedNamedStatements } = connection;
  if (name !== '' && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined) return false;
  connection.parse({ text, name });
  if (name !== '') submittedNamedStatements[name] = text;
  return true;
}

/** The readers of each connection's prepared statements. */
const known = new WeakMap<Connection, Map<string, Reader>>();

const describePortal = serialize.describe({ type: 'P' });
const execute = serialize.execute();
const sync = serialize.sync();

const noColumns: Reader = () => ({});

/** A column of this name starts a second row, nested under that name; null if the column is. */
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
