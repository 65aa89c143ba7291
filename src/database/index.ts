import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { Unavailable } from '../errors.ts';
import { once } from '../values/once.ts';
import type { Log } from '../observability/index.ts';
import { PrismaClient } from './client/client.ts';
import { StatementBatcher } from './wire/batching.ts';
import { CancellablePool } from './wire/pool.ts';
import { PrimaryWatch } from './wire/primary.ts';
import { statementName } from './wire/prisma-statements.ts';
import { endWhenSilent } from './wire/silence.ts';
import { runForEach } from './wire/prepared.ts';
import { Replica } from './wire/replica.ts';
import { statement, type Statement } from './wire/statement.ts';
import type { Sql } from './wire/sql.ts';
import type { OpenDatabase } from './wire/types.ts';
import './wasm.ts';

export type { ClientDisconnect, Sql } from './wire/sql.ts';
export type { Database, OpenDatabase } from './wire/types.ts';
export { batchedStatement, batchedWrite, byNumber, statement, type Statement } from './wire/statement.ts';
export { LookUp, viewerId, type Prefetch } from './wire/look-up.ts';
export { RequestDatabase, type Ledger } from './wire/request.ts';
export type * from './client/client.ts';

export interface DatabaseOptions {
  readonly connection: pg.PoolConfig;
  readonly connections: number;
  /** Milliseconds. */
  readonly statementTimeout: number;
  /** Milliseconds that work waits for a connection; omitted: as long as a statement may run. */
  readonly connectionTimeout?: number;
  readonly log: Log;
  /** Whether the address may lead to another server later: after a failover, or through a pooler. */
  readonly movable?: boolean;
  /** A replica that answers reads, if there is one. */
  readonly replica?: pg.PoolConfig | undefined;
}

/** Opens the connection pool. Connects only on first use. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const connectionTimeout = options.connectionTimeout ?? options.statementTimeout;
  const primary = options.movable ? new PrimaryWatch(options.connection, connectionTimeout, options.log) : undefined;
  const pool = new CancellablePool(
    {
      ...options.connection,
      max: options.connections,
      statement_timeout: options.statementTimeout,
      connectionTimeoutMillis: connectionTimeout,
      application_name: 'causeway',
    },
    primary,
  );
  // One second after PostgreSQL's own timeout, which gives a better error.
  if (options.statementTimeout > 0) {
    // When one connection is silent, the network path is broken for all of them.
    const { statementTimeout } = options;
    pool.on('connect', (client) => endWhenSilent(client, statementTimeout + 1_000, lockKey.name, () => pool.giveUp()));
  }
  pool.on('error', (error) => options.log.warn({ error: error.message }, 'an idle database connection was lost'));
  const adapter = new PrismaPg(pool, { statementNameGenerator: statementName });
  const prisma = new PrismaClient({ adapter });
  const batcher = new StatementBatcher(pool);
  const enqueued = new Set<() => void>();
  const announceJobs = () => enqueued.forEach((listener) => listener());
  const queued = new Set<() => void>();
  const announceCiJobs = () => queued.forEach((listener) => listener());
  const watchingPipelines = new Set<(id: number) => void>();
  const rows: OpenDatabase['rows'] = async (statement, values, disconnect) => {
    const found = await reachable(
      statement.isBatched ? batcher.rows(statement, values, disconnect) : pool.run(statement, values, disconnect),
    );
    if (statement.enqueues) announceJobs();
    if (statement.queuesCiJobs) announceCiJobs();
    return found;
  };
  const replica =
    options.replica &&
    new Replica({
      pool: { ...options.replica, max: options.connections, statement_timeout: options.statementTimeout },
      primary: { rows },
      log: options.log,
      isUnreachable,
    });
  // The replica's address may have moved together with the primary's.
  primary?.onMoved(() => replica?.pool.cut());
  const database: OpenDatabase = {
    replica,
    primary,
    rows,
    get pool() {
      return { size: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },
    prisma,
    wholePrisma: once(async () => new (await import('./client/whole/client.ts')).PrismaClient({ adapter })),
    exclusively(key, work) {
      // A transaction-level lock works behind a pooler and ends with the process.
      return database.transaction(async (sql) => {
        // No timeouts: a waiting process waits until the other one has finished.
        await sql.rows(withoutTimeouts, []);
        await sql.rows(lockKey, [key]);
        return await work();
      });
    },
    async transaction(work) {
      const client = await reachable(pool.take());
      let broken: Error | undefined;
      let enqueues = false;
      let queuesCiJobs = false;
      const pipelines = new Set<number>();
      const sql = new TransactionSql(client, (statement, values) => {
        enqueues ||= statement.enqueues === true;
        queuesCiJobs ||= statement.queuesCiJobs === true;
        if (statement.changesPipeline) pipelines.add(values[0] as number);
      });
      try {
        const result = await work(sql);
        if (sql.end()) await client.query('commit');
        if (enqueues) announceJobs();
        if (queuesCiJobs) announceCiJobs();
        for (const id of pipelines) watchingPipelines.forEach((listener) => listener(id));
        return result;
      } catch (error) {
        if (sql.end()) await client.query('rollback').catch((failed: Error) => (broken = failed));
        throw isUnreachable(error) ? new Unavailable() : error;
      } finally {
        client.release(broken);
      }
    },
    onEnqueued(listener) {
      enqueued.add(listener);
      return () => void enqueued.delete(listener);
    },
    onCiJobsQueued(listener) {
      queued.add(listener);
      return () => void queued.delete(listener);
    },
    onPipelineChanged(listener) {
      watchingPipelines.add(listener);
      return () => void watchingPipelines.delete(listener);
    },
    async close() {
      await primary?.close();
      await prisma.$disconnect();
      await pool.end();
      await replica?.pool.end();
    },
  };
  return database;
}

const withoutTimeouts = statement(
  'without_timeouts',
  `select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true)`,
);
const lockKey = statement('lock_key', 'select pg_advisory_xact_lock($1)');

const begin = statement('begin', 'begin');

/**
 * The statements of a transaction, which begins in the message of the first one: that saves a round trip. PostgreSQL may skip
 * all of a message that fails. So the others wait for the first one, and fail with it: none may run outside of the transaction.
 */
class TransactionSql implements Sql {
  readonly #client: pg.PoolClient;
  readonly #onStatement: (statement: Statement<unknown>, values: readonly unknown[]) => void;
  #first: Promise<unknown> | undefined;
  #hasEnded = false;

  /** @param onStatement called before each statement */
  constructor(client: pg.PoolClient, onStatement: (statement: Statement<unknown>, values: readonly unknown[]) => void) {
    this.#client = client;
    this.#onStatement = onStatement;
  }

  /**
   * Refuses further statements: what goes on after a part of the work failed would run on a connection that others use.
   * @returns whether there was a statement
   */
  end(): boolean {
    this.#hasEnded = true;
    return this.#first !== undefined;
  }

  async rows<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const first = this.#first;
    if (first) await reachable(first);
    if (this.#hasEnded) throw new Error('The transaction has ended.');
    this.#onStatement(statement, values);
    const sent = runForEach(this.#client, statement, [values], first ? undefined : begin);
    this.#first ??= sent;
    const [rows] = await reachable(sent);
    return rows!;
  }
}

/** The error of PostgreSQL, or of the system's network. */
interface DriverError {
  /** SQLSTATE, or the system's error code. */
  readonly code: string;
  /** FATAL: the session was refused or ended. */
  readonly severity: string | undefined;
}

/** Prisma wraps the driver's error in one of its own. */
interface PrismaError {
  readonly code?: string;
  readonly severity?: string;
  readonly meta?: {
    readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string; readonly severity?: string } };
  };
}

function driverErrorOf(error: PrismaError): DriverError {
  const cause = error.meta?.driverAdapterError?.cause;
  return { code: cause?.originalCode ?? error.code ?? '', severity: cause?.severity ?? error.severity };
}

/**
 * SQLSTATEs and Prisma's codes that mean "try again later": connection lost, out of resources, cancelled or shutting
 * down, serialization failure or deadlock, read-only server (25006), lock timeout (55P03), a prepared statement lost
 * by a pooler (26000, 42P05), and a foreign key to a row removed a moment ago, or of a row made a moment ago (23503, 23001): a
 * repeated request then gets the proper error.
 */
const unreachable = /^(08|53|57|23001|23503|25006|26000|40001|40P01|42P05|55P03|P1001|P1002|P1008|P1017|P2024|P2028)/;
const unreachableSockets = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Whether an error of the pool or of Prisma means that the database can't answer now. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = driverErrorOf(error as PrismaError);
  return (
    severity === 'FATAL' ||
    unreachable.test(code) ||
    unreachableSockets.has(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      error.message,
    )
  );
}

/** The table whose unique key refused a row (SQLSTATE 23505); undefined for any other error. */
export function takenIn(error: unknown): string | undefined {
  const { code, table } = error as { code?: string; table?: string };
  return error instanceof Error && code === '23505' ? table : undefined;
}

/** Whether a statement violated a unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && driverErrorOf(error as PrismaError).code === '23505';
}

/** Whether PostgreSQL refuses the values of a statement, and would again: SQLSTATE classes 22 (data) and 23 (integrity). */
export function isRefusedData(error: unknown): boolean {
  return error instanceof Error && /^2[23]/.test(driverErrorOf(error as PrismaError).code);
}

/** SQLSTATEs of text that PostgreSQL can't store: NUL and invalid Unicode. */
export function isUnstorableText(error: unknown): boolean {
  return error instanceof Error && ['22021', '22P05'].includes(driverErrorOf(error as PrismaError).code);
}

async function reachable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUnreachable(error) ? new Unavailable() : error;
  }
}
