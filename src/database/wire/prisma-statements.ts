import type pg from 'pg';
import { serialize } from 'pg-protocol';

/** Maximum number of Prisma's named statements. Each connection has prepared those that ran on it. */
const maxNames = 500;
/** Number of retired names after which a connection closes their statements, many in one message. */
const maxRetired = 100;

/** Names by statement text, least recently used first. */
const names = new Map<string, string>();
let made = 0;
let retired = 0;
/** The value of `retired` when a connection last closed such statements. */
const tidied = new WeakMap<object, number>();

/**
 * Returns the name for preparing a statement of Prisma. Clients choose the fields that are read, so the number of
 * statements is unlimited: the least recently used ones lose their names. A name is never reused: a connection may
 * still have it prepared.
 */
export function statementName({ sql }: { readonly sql: string }): string {
  const name = names.get(sql) ?? `prisma_${++made}`;
  names.delete(sql);
  names.set(sql, name);
  if (names.size > maxNames) {
    const [oldest] = names.keys();
    names.delete(oldest!);
    retired++;
  }
  return name;
}

/**
 * Closes the prepared statements of retired names, which PostgreSQL would otherwise keep as long as the connection.
 * @returns undefined when there aren't enough to close
 */
export function tidy(client: pg.ClientBase): Promise<void> | undefined {
  if (retired - (tidied.get(client) ?? 0) < maxRetired) return undefined;
  tidied.set(client, retired);
  return new Promise((resolve, reject) => {
    client.query(new Closing((error) => (error ? reject(error) : resolve())) as unknown as pg.Submittable);
  });
}

/** The members of pg's connection that are used here; pg's types omit them. */
interface Connection {
  readonly stream: { write(chunk: Buffer): void };
  readonly parsedStatements: Record<string, string>;
}

/** Closes prepared statements in one message. One of pg's "submittables", as cursors are. */
class Closing {
  readonly callback: (error: Error | null) => void;

  constructor(callback: (error: Error | null) => void) {
    this.callback = callback;
  }

  submit({ stream, parsedStatements }: Connection): null {
    const kept = new Set(names.values());
    const closed = Object.keys(parsedStatements).filter((name) => name.startsWith('prisma_') && !kept.has(name));
    for (const name of closed) delete parsedStatements[name];
    stream.write(Buffer.concat([...closed.map((name) => serialize.close({ type: 'S', name })), serialize.sync()]));
    return null;
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}
