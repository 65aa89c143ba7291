import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

/** Called before the first row and after each table. */
export type CopyProgress = (label: string, done: number, all: number) => void;

/** Members of pg's connection that its types omit. */
interface Connection {
  readonly stream: NodeJS.ReadWriteStream & { readonly writableNeedDrain: boolean };
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** The handlers that pg calls on a submitted query while `COPY` runs. */
interface Copying {
  submit(connection: Connection): void;
  handleCopyInResponse?(connection: Connection): void;
  handleCopyData?(message: { readonly chunk: Buffer }, connection: Connection): void;
  handleCommandComplete(): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}

const submit = (client: pg.ClientBase, copying: Copying) => client.query(copying as unknown as pg.Submittable);

/** Bytes collected into one chunk: the server sends each row in a message of its own. */
const chunkSize = 65_536;

/**
 * The output of `COPY … TO STDOUT`, in chunks of about 64 KiB. Backpressure: the server waits while the stream isn't
 * read, so a table of any size takes the memory of a few chunks.
 */
export function copyOut(client: pg.ClientBase, text: string): Readable {
  let connection: Connection | undefined;
  let rows: Buffer[] = [];
  let size = 0;
  const goOn = () => void connection?.stream.resume();
  const stream = new Readable({
    highWaterMark: chunkSize,
    read: goOn,
    // Drop the rest, but receive it: later statements use the same socket.
    destroy(error, done) {
      goOn();
      done(error);
    },
  });
  const handOn = () => {
    const full = stream.push(Buffer.concat(rows, size));
    rows = [];
    size = 0;
    return full;
  };
  submit(client, {
    submit(to) {
      connection = to;
      to.query(text);
    },
    handleCopyData({ chunk }) {
      if (stream.destroyed) return;
      // Copied, because pg reuses its buffer.
      rows.push(Buffer.from(chunk));
      size += chunk.length;
      if (size >= chunkSize && !handOn()) connection!.stream.pause();
    },
    handleCommandComplete() {
      if (size > 0) handOn();
      // The last rows may have paused the socket, and a complete stream doesn't read again.
      goOn();
    },
    handleError: (error) => void stream.destroy(error),
    handleReadyForQuery: () => void stream.push(null),
  });
  return stream;
}

/**
 * Sends rows to `COPY … FROM STDIN`, no faster than the server takes them (backpressure).
 * @throws the error of the source or the server; the statement then stored no rows
 */
export function copyIn(client: pg.ClientBase, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  const over = new AbortController();
  let failure: unknown;

  async function send(connection: Connection): Promise<void> {
    for await (const chunk of source) {
      // After an error the server ignores further rows.
      if (over.signal.aborted) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal: over.signal });
    }
    connection.endCopyFrom();
  }

  return new Promise((resolve, reject) => {
    submit(client, {
      submit: (connection) => connection.query(text),
      handleCopyInResponse(connection) {
        send(connection).catch((error: unknown) => {
          if (over.signal.aborted) return;
          failure = error;
          connection.sendCopyFail('the source failed');
        });
      },
      handleCommandComplete() {},
      handleError(error) {
        over.abort();
        reject(failure ?? error);
      },
      handleReadyForQuery: () => resolve(),
    });
  });
}
