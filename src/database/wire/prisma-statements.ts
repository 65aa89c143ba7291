import type pg from 'pg';
import { serialize } from 'pg-protocol';

/** Statements of Prisma that have a name; each connection has prepared those that it was asked. */
const most = 500;
/** Names that are given up before a connection lets go of them, many in one message. */
const patience = 100;

/** By their texts, the one that is given up next first. */
const names = new Map<string, string>();
let made = 0;
let givenUp = 0;
/** How many were given up when a connection let go of such ones. */
const tidied = new WeakMap<object, number>();

/**
 * The name under which a statement of Prisma is prepared. Clients choose which fields are
 * read, so there may be ever new statements: those that weren't asked for longest give up
 * their names. A name is never given again: a connection may still know it.
 */
export function statementName({ sql }: { readonly sql: string }): string {
  const name = names.get(sql) ?? `prisma_${++made}`;
  names.delete(sql);
  names.set(sql, name);
  if (names.size > most) {
    const [oldest] = names.keys();
    names.delete(oldest!);
    givenUp++;
  }
  return name;
}

/**
 * Closes what a connection has prepared under names that were given up, which PostgreSQL
 * would keep as long as the connection lasts.
 * @returns undefined where there isn't enough to close
 */
export function tidy(client: pg.ClientBase): Promise<void> | undefined {
  if (givenUp - (tidied.get(client) ?? 0) < patience) return undefined;
  tidied.set(client, givenUp);
  return new Promise((resolve, reject) => {
    client.query(new Closing((error) => (error ? reject(error) : resolve())) as unknown as pg.Submittable);
  });
}

/** What of pg's connection this needs; its types leave it out. */
interface Connection {
  readonly stream: { write(chunk: Buffer): void };
  readonly parsedStatements: Record<string, string>;
}

/** Closes prepared statements, all in one message. A "submittable", as cursors are. */
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
