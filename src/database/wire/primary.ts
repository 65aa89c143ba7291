import type { Socket } from 'node:net';
import pg from 'pg';
import type { Log } from '../../observability/index.ts';
import { refuseUnfitPooler } from './pooler.ts';

/** Identifies the server that a connection leads to. */
interface ServerIdentity {
  readonly inRecovery: boolean;
  /** The identifier of the cluster: a copy keeps it, a new cluster gets another. Empty if the role may not read it. */
  readonly system: string;
  /** Eight hexadecimal digits; each promotion starts a higher timeline. Empty if the role may not read it. */
  readonly timeline: string;
}

/**
 * The query for each new connection. It uses the name of the current WAL file, which has the new timeline at once:
 * pg_control_checkpoint() shows it only after the first checkpoint following a promotion.
 */
export const whichPrimary = `select pg_is_in_recovery() as "inRecovery",
  (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end as timeline`;
/** The query if the role may not call those functions. */
const whetherPrimary = `select pg_is_in_recovery() as "inRecovery", '' as system, '' as timeline`;

/** Milliseconds for which open connections are trusted after a new connection led to the same primary. */
const trust = 2_000;
/** Milliseconds between two checks while connections are used: two checks fit into the time of trust. */
const interval = 1_000;
/** Milliseconds until a check times out; less if the pool's timeout is shorter. */
const checkTimeout = 5_000;
/** Milliseconds without use after which checks pause. The pool closes idle connections after the same time. */
const idle = 10_000;
/**
 * Milliseconds for which a new primary isn't used yet. After that, every process has found it or stopped using the old
 * one, so no process reads at the old one after writes at the new one.
 */
const settling = trust + 500;

/** What pg says of a server that doesn't answer in time. */
const silence = /timeout expired|Query read timeout/;

/** The error for a connection whose server can't be used. It has the SQLSTATE of a starting server. */
export class NotPrimary extends Error {
  readonly code = '57P03';
  readonly severity = 'FATAL';
}

/**
 * Detects a failover. After a promotion the old primary may still run, with connections open to it, and return stale
 * data. The database's address leads to the new primary, so each new connection is compared with the previous one.
 */
export class PrimaryWatch {
  readonly #connection: pg.PoolConfig;
  readonly #patience: number;
  readonly #connectionTimeout: number;
  readonly #log: Log;
  readonly #moved = new Set<() => void>();
  #known: ServerIdentity | undefined;
  /** Timestamps of `performance.now()`. */
  #trustedUntil = Number.NEGATIVE_INFINITY;
  #settledAt = Number.NEGATIVE_INFINITY;
  #usedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether a pooler must be tested again, because it lost a prepared statement. */
  #poolerInDoubt = false;
  /** Whether the last check failed. */
  #troubled = false;
  #closed = false;

  /**
   * @param connection the settings with which the pool connects
   * @param connectionTimeout milliseconds that work waits for a connection
   */
  constructor(connection: pg.PoolConfig, connectionTimeout: number, log: Log) {
    this.#connection = connection;
    this.#patience = Math.min(connectionTimeout || checkTimeout, checkTimeout);
    this.#connectionTimeout = connectionTimeout;
    this.#log = log;
  }

  /** Whether open connections may be used now. */
  get isTrusted(): boolean {
    const now = performance.now();
    return now < this.#trustedUntil && now >= this.#settledAt && !this.#poolerInDoubt;
  }

  /** The same as `isTrusted`, called for each use of a connection: checks continue while there is use. */
  use(): boolean {
    this.#usedAt = performance.now();
    return this.isTrusted;
  }

  get isSettling(): boolean {
    return performance.now() < this.#settledAt;
  }

  /** Whether there is a reason not to use open connections, other than paused checks. */
  get isInDoubt(): boolean {
    return this.isSettling || this.#poolerInDoubt || (this.#troubled && !this.isTrusted);
  }

  /** Registers a listener for failovers: its connections lead to the wrong server then. */
  onMoved(listener: () => void): () => void {
    this.#moved.add(listener);
    return () => void this.#moved.delete(listener);
  }

  /**
   * Checks that a new connection leads to the same primary as the others.
   * @returns whether it leads to a new primary; the listeners have been called then
   * @throws NotPrimary when it can't be used
   */
  async admit(client: pg.ClientBase): Promise<boolean> {
    const askedAt = performance.now();
    let server: ServerIdentity;
    try {
      server = await identify(client, this.#patience);
      const known = this.#known;
      if (server.inRecovery) throw new NotPrimary('the server replays another one');
      if (known?.system === server.system && isKnown(server) && server.timeline < known.timeline)
        throw new NotPrimary('the server was left behind by a promotion');
    } catch (error) {
      destroy(client);
      throw error;
    }
    this.#trustedUntil = Math.max(this.#trustedUntil, askedAt + trust);
    this.#troubled = false;
    this.#lookLater();
    if (!isKnown(server)) return false;
    const isOther =
      this.#known !== undefined && (this.#known.system !== server.system || this.#known.timeline !== server.timeline);
    this.#known = server;
    if (isOther) this.#move(server);
    return isOther;
  }

  #move({ timeline }: ServerIdentity): void {
    this.#settledAt = performance.now() + settling;
    this.#log.warn({ timeline }, 'another server has become the primary: connections to the former one are closed');
    for (const listener of this.#moved) listener();
  }

  /** Notes that a pooler lost a prepared statement: it is tested before the database is used again. */
  doubtPooler(): void {
    this.#poolerInDoubt = true;
  }

  /**
   * Checks that the address still leads to the same primary.
   * @throws NotPrimary when it doesn't, or can't be reached
   */
  confirm(): Promise<void> {
    if (this.isSettling) return Promise.reject(new NotPrimary('another server has just become the primary'));
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
  }

  async #look(): Promise<void> {
    try {
      if (this.#poolerInDoubt) {
        await refuseUnfitPooler(this.#connection);
        this.#poolerInDoubt = false;
      }
      await this.#reach();
    } catch (error) {
      // The server refuses connections (too many, or a changed password): can't check, so keep trusting.
      if (isRefusal(error)) this.#trustedUntil = performance.now() + trust;
      if (!this.#troubled)
        this.#log.warn({ error: (error as Error).message }, 'can’t check whether the database is still the primary');
      this.#troubled = true;
      if (this.#poolerInDoubt || !isRefusal(error)) throw new NotPrimary((error as Error).message);
    }
  }

  /** Connects; again after silence, as long as work waits for a connection: a busy machine needs its time. */
  async #reach(): Promise<void> {
    const until = performance.now() + this.#connectionTimeout;
    for (;;) {
      try {
        return await this.#connect();
      } catch (error) {
        const isSilence = silence.test((error as Error).message);
        if (!isSilence || this.#closed || performance.now() + this.#patience > until) throw error;
      }
    }
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...this.#connection,
      application_name: 'causeway following',
      connectionTimeoutMillis: this.#patience,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await this.admit(client);
    } finally {
      // Not awaited: the server may not answer.
      client.end().catch(() => undefined);
    }
  }

  #lookLater(): void {
    if (this.#timer || this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (performance.now() - this.#usedAt > idle) return;
      this.confirm()
        .catch(() => undefined)
        .finally(() => this.#lookLater());
    }, interval).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#looking?.catch(() => undefined);
  }
}

async function identify(client: pg.ClientBase, patience: number): Promise<ServerIdentity> {
  const ask = async (text: string) =>
    (await client.query<ServerIdentity & pg.QueryResultRow>({ text, query_timeout: patience } as pg.QueryConfig))
      .rows[0]!;
  try {
    return await ask(whichPrimary);
  } catch (error) {
    if (!isWithheld.test((error as pg.DatabaseError).code ?? '')) throw error;
    return await ask(whetherPrimary);
  }
}

/** SQLSTATEs of a function that the role may not call, or that the server lacks. */
const isWithheld = /^(42501|42883|0A000)$/;

const isKnown = ({ timeline }: ServerIdentity): boolean => timeline !== '';

/** Whether the server refused the connection for a reason other than starting or stopping (SQLSTATE class 57). */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57') === false;
}

/** Closes a connection without waiting for the other side. */
export function destroy(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
