import { AsyncLocalStorage } from 'node:async_hooks';
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
  // pg's overloads (callbacks, cursors) don't matter here: everything below awaits.
  override query = (async (query: pg.QueryConfig | string, values?: unknown[]) => {
    const signal = waiting.getStore();
    if (!signal) return await super.query(query as pg.QueryConfig, values);
    signal.throwIfAborted();
    const client = await this.connect();
    let cancelled: Promise<unknown> | undefined;
    const cancel = () => {
      // The client is kept until this is answered, so it can't hit another's statement.
      cancelled = super.query('select pg_cancel_backend($1)', [processId(client)]).catch(() => undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await client.query(query as pg.QueryConfig, values);
    } finally {
      signal.removeEventListener('abort', cancel);
      await cancelled;
      client.release();
    }
  }) as pg.Pool['query'];
}

/** The backend's process id, which pg keeps on the client and leaves out of its types. */
function processId(client: pg.PoolClient): number {
  return (client as unknown as { processID: number }).processID;
}
