import type { Trace } from '../../observability/index.ts';
import type { Statement } from './statement.ts';
import { attached, type AttachedRequest, type CancellablePool } from './pool.ts';
import { viewerId, type Prefetch, type LookUp, type WithPrefetch } from './look-up.ts';
import { bytesOfLarge, mostHeld, tooMuch } from './held.ts';
import { onlyReads } from './replica.ts';
import type { ClientDisconnect, Sql } from './sql.ts';
import type { Database, OpenDatabase } from './types.ts';
import type { PrismaClient } from '../client/client.ts';
import type { PrismaClient as WholeClient } from '../client/whole/client.ts';

/** The database costs of one request so far, for its log line. */
export interface Ledger {
  statements: number;
  /** Time spent waiting for the database. Concurrent statements each count. */
  milliseconds: number;
  /** The trace that records its statements, if the request is traced. */
  readonly trace?: Trace;
}

/**
 * The database for one request: it counts the statements, cancels reads when the client disconnects, and keeps the row
 * of the prefetch.
 */
export class RequestDatabase implements Database, AttachedRequest {
  readonly #database: OpenDatabase;
  readonly ledger: Ledger;
  readonly disconnect: ClientDisconnect | undefined;
  /**
   * Asks, at the first read, whether the replica has caught up. Undefined: use the primary only.
   */
  #caughtUp: (() => Promise<boolean>) | undefined;
  #prefetched: { statement: Statement<unknown>; values: readonly unknown[]; rows: unknown[] } | undefined;
  readonly #trace: Trace | undefined;
  /** What the request has read and its answer may hold: the same for all of its fields. */
  #held = { bytes: 0 };
  #prisma: PrismaClient | undefined;

  /** @param trace records the statements; by default directly below the request */
  constructor(database: OpenDatabase, ledger: Ledger, disconnect?: ClientDisconnect, trace = ledger.trace) {
    this.#database = database;
    this.ledger = ledger;
    this.disconnect = disconnect;
    this.#trace = trace;
  }

  get isTraced(): boolean {
    return this.#trace !== undefined;
  }

  /** Resolves a field of a traced request with a database of its own, which records its statements below the field. */
  field<T>(name: string, resolve: (database: RequestDatabase) => T): T {
    return this.#trace!.step('field', name, (trace) => {
      const below = new RequestDatabase(this.#database, this.ledger, this.disconnect, trace);
      below.#caughtUp = this.#caughtUp;
      below.#held = this.#held;
      below.#prefetched = this.#prefetched;
      this.#prefetched = undefined;
      return resolve(below);
    });
  }

  /** Prisma. Its statements count for this request and are cancelled with it. */
  get prisma(): PrismaClient {
    return (this.#prisma ??= attachedCalls(this.#database.prisma, this));
  }

  async wholePrisma(): Promise<WholeClient> {
    return attachedCalls(await this.#database.wholePrisma(), this);
  }

  rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const prefetch = this.#prefetched;
    if (prefetch?.statement === statement && prefetch.values.every((value, at) => value === values[at])) {
      // A second read must see changes made meanwhile.
      this.#prefetched = undefined;
      return Promise.resolve(prefetch.rows as Row[]);
    }
    return this.counted(statement.name, () =>
      this.reading(
        statement.text,
        () => this.#database.rows(statement, values, this.disconnect),
        (pool) => pool.run(statement, values, this.disconnect),
      ),
    );
  }

  /**
   * Counts what the answer may hold of what the request read: large results, files, diffs. A query that asks for the same large
   * text a hundred times would end the process.
   * @throws TooLarge beyond `mostHeld`
   */
  hold(bytes: number): void {
    this.#held.bytes += bytes;
    if (this.#held.bytes > mostHeld) throw tooMuch();
  }

  /** What was held is sent. */
  release(): void {
    this.#held.bytes = 0;
  }

  /** Starts an operation. Only an operation that reads may use the replica. */
  begin(reads: boolean): void {
    const { replica } = this.#database;
    let asked: Promise<boolean> | undefined;
    this.#caughtUp = reads && replica ? () => (asked ??= replica.caughtUp()) : undefined;
  }

  /** Reads from the replica if it may and can answer, otherwise from the primary. */
  reading<T>(
    text: string,
    fromPrimary: () => Promise<T>,
    fromReplica: (pool: CancellablePool) => Promise<T>,
  ): Promise<T> {
    // Reads after a write must see it.
    if (this.#caughtUp && !onlyReads(text)) this.#caughtUp = undefined;
    return this.#caughtUp ? this.#readingFrom(this.#caughtUp, fromPrimary, fromReplica) : fromPrimary();
  }

  async #readingFrom<T>(
    caughtUp: () => Promise<boolean>,
    fromPrimary: () => Promise<T>,
    fromReplica: (pool: CancellablePool) => Promise<T>,
  ): Promise<T> {
    if (!(await caughtUp())) return await fromPrimary();
    const replica = this.#database.replica!;
    try {
      return await fromReplica(replica.pool);
    } catch (error) {
      if (this.disconnect?.gone || !replica.gaveUp(error)) throw error;
      return await fromPrimary();
    }
  }

  /**
   * Looks up a credential and prefetches, in the same statement, what the request will read first. `rows` returns the
   * prefetched row once, if called with exactly that statement and values. Permissions are still checked by the caller.
   */
  async lookUp<Row extends object>(
    lookUp: LookUp<Row>,
    values: readonly unknown[],
    prefetch?: Prefetch,
  ): Promise<Row | undefined> {
    const statement = prefetch ? lookUp.with(prefetch, values.length) : lookUp.alone;
    const given = prefetch ? [...values, ...prefetch.values.filter((value) => value !== viewerId)] : values;
    const [row] = await this.counted(statement.name, () =>
      this.#database.rows<WithPrefetch<Row>>(statement, given, this.disconnect),
    );
    if (row && prefetch) {
      const person = row[lookUp.viewer];
      this.#prefetched = {
        statement: prefetch.statement,
        values: prefetch.values.map((value) => (value === viewerId ? person : value)),
        rows: row.prefetch ? [row.prefetch] : [],
      };
    }
    return row;
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    this.#caughtUp = undefined;
    return this.#database.transaction((sql) =>
      work({ rows: (statement, values) => this.counted(statement.name, () => sql.rows(statement, values)) }),
    );
  }

  exclusively<T>(key: number, work: () => Promise<T>): Promise<T> {
    return this.#database.exclusively(key, work);
  }

  /** Runs a statement, counts it and a large result, and records it if the request is traced. @throws as `hold` */
  async counted<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begin = performance.now();
    this.ledger.statements++;
    try {
      const result = await (this.#trace ? this.#trace.step('statement', name, work) : work());
      const bytes = bytesOfLarge(result);
      if (bytes > 0) this.hold(bytes);
      return result;
    } finally {
      this.ledger.milliseconds += performance.now() - begin;
    }
  }
}

/**
 * Prisma's client, or one of its models, with every call attached to a request. Calls are attached one by one, so an
 * operation that doesn't use Prisma has no cost.
 */
function attachedCalls<T extends object>(target: T, request: RequestDatabase): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value === 'object' && value !== null) return attachedCalls(value, request);
      if (typeof value !== 'function') return value;
      // Await inside `attached`: Prisma starts when its promise is awaited.
      return (...args: unknown[]) => attached(request, async () => (await value.apply(of, args)) as unknown);
    },
  });
}
