import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import pg from 'pg';

/** The signal of the request under way, for statements that stop when nobody waits any more. */
const waiting = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs work whose reads are cancelled in the database when the signal aborts.
 * It reaches the hand-written statements and Prisma's alike, since both go through the pool.
 */
export function cancellable<T>(signal: AbortSignal, work: () => T): T {
  return waiting.run(signal, work);
}

/**
 * A pool whose single statements can be cancelled. Statements of a transaction
 * are left to finish: they are short, and a write is better done than doubted.
 */
export class CancellablePool extends pg.Pool {
  constructor(options: pg.PoolConfig) {
    super(options);
    // A connection that breaks rejects the statement under way; unheard, its event would end the process too.
    this.on('connect', (client) => client.on('error', () => {}));
  }

  // pg's overloads (callbacks, cursors) don't matter here: everything below awaits.
  override query = (async (query: pg.QueryConfig | string, values?: unknown[]) => {
    const signal = waiting.getStore();
    if (!signal) return await super.query(query as pg.QueryConfig, values);
    const client = await this.connect();
    const cancel = () => requestCancel(this.options, client);
    signal.addEventListener('abort', cancel, { once: true });
    let failed = false;
    try {
      signal.throwIfAborted();
      return await client.query(query as pg.QueryConfig, values);
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      // A failure may have broken the connection, and a cancellation that comes late must not hit another's statement.
      client.release(failed || signal.aborted);
    }
  }) as pg.Pool['query'];
}

/** What pg keeps on a client and leaves out of its types. */
interface Internals {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly connection: EventEmitter & {
    readonly ssl: unknown;
    readonly sslNegotiation?: string;
    readonly stream: { setTimeout(milliseconds: number, then: () => void): void; destroy(): void };
    connect(port: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processId: number, secretKey: number): void;
  };
}

/** Milliseconds after which a cancellation that gets no answer is given up. */
const patience = 5_000;

/**
 * Asks PostgreSQL to stop what a client runs: on a connection of its own, since
 * the pool may have none to spare, and by the protocol's CancelRequest, which
 * poolers understand. The server answers by closing.
 */
function requestCancel(options: pg.PoolConfig, client: pg.PoolClient): void {
  const { processID, secretKey } = client as unknown as Internals;
  const { host, port, connection } = new pg.Client(options) as unknown as Internals;
  const send = () => connection.cancel(processID, secretKey);
  connection.on('error', () => connection.stream.destroy());
  connection.on('sslconnect', send);
  connection.on('connect', () => {
    if (!connection.ssl) send();
    else if (connection.sslNegotiation !== 'direct') connection.requestSsl();
  });
  connection.stream.setTimeout(patience, () => connection.stream.destroy());
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}
