import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { Unavailable } from '../../errors.ts';
import { isLostStatement } from './pooler.ts';
import { destroy, type PrimaryWatch } from './primary.ts';
import { runPrepared } from './prepared.ts';
import { tidy } from './prisma-statements.ts';
import type { Statement } from './statement.ts';
import type { ClientDisconnect } from './sql.ts';

/** The request on whose behalf Prisma runs a statement, as the pool sees it. */
export interface AttachedRequest {
  readonly disconnect: ClientDisconnect | undefined;
  counted<T>(name: string, work: () => Promise<T>): Promise<T>;
  reading<T>(
    text: string,
    fromPrimary: () => Promise<T>,
    fromReplica: (pool: CancellablePool) => Promise<T>,
  ): Promise<T>;
}

/** The current request, for Prisma's statements: Prisma can't pass it on otherwise. */
const asking = new AsyncLocalStorage<AttachedRequest>();
/** Number of attached calls in progress. */
let underWay = 0;

/**
 * Runs work for a request: Prisma's statements in it count as the request's, and are cancelled in the database when its
 * client disconnects.
 */
export function attached<T>(request: AttachedRequest, work: () => T): T {
  underWay++;
  let result: T;
  try {
    result = asking.run(request, work);
  } catch (error) {
    detach();
    throw error;
  }
  if (result instanceof Promise) return result.finally(detach) as T;
  detach();
  return result;
}

/**
 * Disables the storage when it is unused. While it is enabled, Node tracks every promise, which costs a tenth of a
 * request that doesn't use Prisma.
 */
function detach(): void {
  if (--underWay === 0) asking.disable();
}

/**
 * The connection pool. Single statements can be cancelled; those of a transaction run to their end: they are short,
 * and a finished write is better than an uncertain one.
 */
export class CancellablePool extends pg.Pool {
  readonly #primary: PrimaryWatch | undefined;
  /** Increased each time all connections are retired. */
  #generation = 0;
  readonly #generations = new WeakMap<pg.ClientBase, number>();
  /** When each connection was opened, by `performance.now()`. */
  readonly #open = new Map<pg.PoolClient, number>();

  /** @param primary checks new connections; only for the pool of the primary */
  constructor(options: pg.PoolConfig, primary?: PrimaryWatch) {
    super({
      ...options,
      ...(primary && {
        onConnect: async (client: pg.ClientBase) => {
          const before = this.#generation;
          const hasMoved = await primary.admit(client);
          // If another connection has found a new primary meanwhile, this one may lead to the former primary.
          this.#generations.set(client, hasMoved ? this.#generation : before);
        },
      }),
    });
    this.#primary = primary;
    primary?.onMoved(() => this.cut());
    this.on('connect', (client) => {
      this.#open.set(client, performance.now());
      if (!this.#generations.has(client)) this.#generations.set(client, this.#generation);
      // A broken connection rejects the running statement; without a listener, the event would end the process too.
      client.on('error', () => {});
      (client as unknown as Internals).connection.on('errorMessage', ({ code }: { code?: string }) =>
        this.#judge(client, code),
      );
    });
    this.on('remove', (client) => this.#open.delete(client));
  }

  /** Retires the present connections: no new work uses them. */
  giveUp(): void {
    this.#generation++;
  }

  /** Retires and closes the present connections, even in the middle of their work. */
  cut(): void {
    this.giveUp();
    for (const client of this.#open.keys()) destroy(client);
  }

  /** Retires the connections if the SQLSTATE of an error requires it. Errors of Prisma's statements come here too. */
  #judge(client: pg.PoolClient, code: string | undefined): void {
    // A new connection may lead to a server that accepts writes; but if this one is new, no such server exists yet.
    if (code === readOnlyTransaction && performance.now() - this.#open.get(client)! > readOnlyFor) this.giveUp();
    if (!isLostStatement(code)) return;
    this.giveUp();
    this.#primary?.doubtPooler();
  }

  /** Takes a connection that isn't retired and leads to the current primary. Release it afterwards. */
  async take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect();
      if (this.#primary && !this.#primary.use()) {
        try {
          await this.#primary.confirm();
        } catch (error) {
          client.release();
          throw error;
        }
      }
      if (this.#generations.get(client) === this.#generation) return client;
      client.release(true);
    }
  }

  /** For Prisma's transactions. */
  override connect = (() => this.take()) as pg.Pool['connect'];

  /** Runs a hand-written statement. @param disconnect of the waiting client, if it can disconnect */
  run<Row>(statement: Statement<Row>, values: readonly unknown[], disconnect?: ClientDisconnect): Promise<Row[]> {
    return this.#with(disconnect, (client) => runPrepared(client, statement, values));
  }

  // Prisma's statements. pg's overloads (callbacks, cursors) aren't needed: Prisma awaits.
  override query = (async (query: pg.QueryConfig | string, values?: unknown[]) => {
    const request = asking.getStore();
    const on = (pool: CancellablePool) =>
      pool.#with(request?.disconnect, async (client) => {
        await tidy(client);
        return await client.query(query as pg.QueryConfig, values);
      });
    if (!request) return await on(this);
    const text = typeof query === 'string' ? query : query.text;
    return await request.counted('prisma', () => request.reading(text, () => on(this), on));
  }) as pg.Pool['query'];

  async #with<T>(disconnect: ClientDisconnect | undefined, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return await this.use(await this.take(), disconnect, work);
  }

  /** Works on a connection of the pool, and releases it. The work is cancelled when the client disconnects. */
  async use<T>(
    client: pg.PoolClient,
    disconnect: ClientDisconnect | undefined,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const cancel = disconnect && (() => requestCancel(this.options, client));
    if (cancel) disconnect.add(cancel);
    let broken = false;
    try {
      // The client has disconnected: there is no one to answer.
      if (disconnect?.gone) throw new Unavailable();
      return await work(client);
    } catch (error) {
      broken = !leavesUsable(error);
      // Show the stack of the call, instead of that of the socket's event.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      if (cancel) disconnect.delete(cancel);
      // A late cancellation must not hit the next user's statement.
      client.release(broken || disconnect?.gone);
    }
  }
}

/** SQLSTATE of a write to a server that only reads. */
const readOnlyTransaction = '25006';
/** Milliseconds for which a connection to such a server is kept, so that not every refusal opens a new one. */
const readOnlyFor = 1_000;

/** Whether the connection is still usable: only the statement failed. */
function leavesUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/** Members of pg's client that its types omit. */
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

/** Milliseconds after which an unanswered cancellation is abandoned. */
const cancelTimeout = 5_000;

/**
 * Cancels the statement that a client runs. It uses a connection of its own, since the pool may have none free, and the
 * protocol's CancelRequest, which poolers understand. The server answers by closing.
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
  connection.stream.setTimeout(cancelTimeout, () => connection.stream.destroy());
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}
