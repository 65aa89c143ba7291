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

/** What the pool knows of the request that Prisma works for. */
export interface AttachedRequest {
  readonly disconnect: ClientDisconnect | undefined;
  counted<T>(name: string, work: () => Promise<T>): Promise<T>;
  reading<T>(
    text: string,
    fromPrimary: () => Promise<T>,
    fromReplica: (pool: CancellablePool) => Promise<T>,
  ): Promise<T>;
}

/** The request under way, for what Prisma asks in its name: nothing else finds its way through Prisma. */
const asking = new AsyncLocalStorage<AttachedRequest>();
/** How much work is attached. */
let underWay = 0;

/**
 * Runs work whose statements by Prisma are cancelled in the database when the client
 * of the request leaves, and are counted as the request's.
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

/** While a storage is in use, Node looks after every promise of the process: a tenth of what a request costs that asks nothing of Prisma. */
function detach(): void {
  if (--underWay === 0) asking.disable();
}

/**
 * A pool whose single statements can be cancelled. Statements of a transaction
 * are left to finish: they are short, and a write is better done than doubted.
 */
export class CancellablePool extends pg.Pool {
  readonly #primary: PrimaryWatch | undefined;
  /** How often its connections were given up. */
  #generation = 0;
  readonly #generations = new WeakMap<pg.ClientBase, number>();
  /** When each was opened, as of `performance.now()`. */
  readonly #open = new Map<pg.PoolClient, number>();

  /** @param primary admits new connections, where the pool is one of connections to the primary */
  constructor(options: pg.PoolConfig, primary?: PrimaryWatch) {
    super({
      ...options,
      ...(primary && {
        onConnect: async (client: pg.ClientBase) => {
          const before = this.#generation;
          const hasMoved = await primary.admit(client);
          // Where another one has found a new primary meanwhile, this one may lead to the last.
          this.#generations.set(client, hasMoved ? this.#generation : before);
        },
      }),
    });
    this.#primary = primary;
    primary?.onMoved(() => this.cut());
    this.on('connect', (client) => {
      this.#open.set(client, performance.now());
      if (!this.#generations.has(client)) this.#generations.set(client, this.#generation);
      // A connection that breaks rejects the statement under way; unheard, its event would end the process too.
      client.on('error', () => {});
      (client as unknown as Internals).connection.on('errorMessage', ({ code }: { code?: string }) =>
        this.#judge(client, code),
      );
    });
    this.on('remove', (client) => this.#open.delete(client));
  }

  /** Gives up the connections that there are: none of them is used for anything new. */
  giveUp(): void {
    this.#generation++;
  }

  /** Gives them up and ends them, also in the middle of their work. */
  cut(): void {
    this.giveUp();
    for (const client of this.#open.keys()) destroy(client);
  }

  /** What PostgreSQL refused says of the connection, by its SQLSTATE; Prisma's statements come by here too. */
  #judge(client: pg.PoolClient, code: string | undefined): void {
    // A new one may lead to a server that takes writes. One that was opened just now says that none does yet.
    if (code === readOnlyTransaction && performance.now() - this.#open.get(client)! > lastingFor) this.giveUp();
    if (!isLostStatement(code)) return;
    this.giveUp();
    this.#primary?.doubtPooler();
  }

  /** A connection that wasn't given up, to a server that is the primary still. Release it afterwards. */
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

  /** A hand-written statement. @param disconnect of the one who waits for it, if they may leave */
  run<Row>(statement: Statement<Row>, values: readonly unknown[], disconnect?: ClientDisconnect): Promise<Row[]> {
    return this.#with(disconnect, (client) => runPrepared(client, statement, values));
  }

  // Prisma's statements. pg's overloads (callbacks, cursors) don't matter here: it awaits.
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

  /** Works on a connection of the pool, and gives it back. What runs is cancelled when the one who waits for it leaves. */
  async use<T>(
    client: pg.PoolClient,
    disconnect: ClientDisconnect | undefined,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const cancel = disconnect && (() => requestCancel(this.options, client));
    if (cancel) disconnect.add(cancel);
    let broken = false;
    try {
      // Nobody is there to be told.
      if (disconnect?.gone) throw new Unavailable();
      return await work(client);
    } catch (error) {
      broken = !leavesUsable(error);
      // Of what was asked, rather than of the socket on which the answer came.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      if (cancel) disconnect.delete(cancel);
      // A cancellation that comes late must not hit another's statement.
      client.release(broken || disconnect?.gone);
    }
  }
}

/** SQLSTATE of a write to a server that only reads. */
const readOnlyTransaction = '25006';
/** Milliseconds for which a connection to such a server is kept, so that each refusal doesn't cost a new one. */
const lastingFor = 1_000;

/** Whether the connection can be used on: the statement was refused, and nothing else happened. */
function leavesUsable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
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
