import type { Socket } from 'node:net';
import pg from 'pg';
import type { Log } from '../../observability/index.ts';
import { refuseUnfitPooler } from './pooler.ts';

/** Which primary a connection leads to. */
interface Place {
  readonly inRecovery: boolean;
  /** Of the cluster: a copy keeps it, a new cluster gets another. Empty where the role may not read it. */
  readonly system: string;
  /** Eight hexadecimal digits. Each promotion begins a higher one. Empty where the role may not read it. */
  readonly timeline: string;
}

/**
 * PendingStatement by each new connection. The name of the log file being written carries the
 * timeline at once; pg_control_checkpoint() lags until the first checkpoint after a promotion.
 */
export const whichPrimary = `select pg_is_in_recovery() as "inRecovery",
  (select system_identifier::text from pg_control_system()) as system,
  case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end as timeline`;
/** The same for a server that keeps those functions from ordinary roles. */
const whetherPrimary = `select pg_is_in_recovery() as "inRecovery", '' as system, '' as timeline`;

/** Milliseconds for which connections are used after a new one was seen to lead to the same primary. */
const trust = 2_000;
/** Milliseconds between two looks while connections are used: two fit into the time of trust. */
const interval = 1_000;
/** Milliseconds until a look is given up; less where the pool has less patience. */
const patience = 5_000;
/** Milliseconds without use after which nobody looks. The pool closes what is idle for as long. */
const idle = 10_000;
/**
 * Milliseconds for which a new primary isn't used yet. By then every process has looked
 * and left the old one, or stopped using it, so none reads there what is written here.
 */
const settling = trust + 500;

/** Why the server behind a connection can't be used. PostgreSQL says the same of a server that is starting. */
export class NotPrimary extends Error {
  readonly code = '57P03';
  readonly severity = 'FATAL';
}

/**
 * Watches that connections lead to the present primary. After a promotion the old primary may
 * live on with connections open to it, and answer what is no longer true; the address
 * of the database leads to the new one, so each new connection is compared with the last.
 */
export class PrimaryWatch {
  readonly #connection: pg.PoolConfig;
  readonly #patience: number;
  readonly #log: Log;
  readonly #moved = new Set<() => void>();
  #known: Place | undefined;
  /** These are moments of `performance.now()`. */
  #trustedUntil = Number.NEGATIVE_INFINITY;
  #settledAt = Number.NEGATIVE_INFINITY;
  #usedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether a pooler has lost a prepared statement since it was last examined. */
  #poolerInDoubt = false;
  /** Whether the last look failed. */
  #troubled = false;
  #closed = false;

  /**
   * @param connection with which the pool connects
   * @param connectionTimeout milliseconds that work waits for a connection
   */
  constructor(connection: pg.PoolConfig, connectionTimeout: number, log: Log) {
    this.#connection = connection;
    this.#patience = Math.min(connectionTimeout || patience, patience);
    this.#log = log;
  }

  /** Whether connections that are open may be used now. */
  get isTrusted(): boolean {
    const now = performance.now();
    return now < this.#trustedUntil && now >= this.#settledAt && !this.#poolerInDoubt;
  }

  /** The same, for each use of a connection: while they are used, the watch goes on. */
  use(): boolean {
    this.#usedAt = performance.now();
    return this.isTrusted;
  }

  get isSettling(): boolean {
    return performance.now() < this.#settledAt;
  }

  /** Whether connections may not be used for a reason: not only because nobody has looked for a while. */
  get isInDoubt(): boolean {
    return this.isSettling || this.#poolerInDoubt || (this.#troubled && !this.isTrusted);
  }

  /** Calls the listener when another primary has taken over: its connections lead to the wrong server. */
  onMoved(listener: () => void): () => void {
    this.#moved.add(listener);
    return () => void this.#moved.delete(listener);
  }

  /**
   * Compares where a new connection leads with where the others do.
   * @returns whether it leads to a new primary; listeners have been called then
   * @throws NotPrimary where it can't be used
   */
  async admit(client: pg.ClientBase): Promise<boolean> {
    const askedAt = performance.now();
    let place: Place;
    try {
      place = await placeOf(client, this.#patience);
      const known = this.#known;
      if (place.inRecovery) throw new NotPrimary('the server replays another one');
      if (known?.system === place.system && isKnown(place) && place.timeline < known.timeline)
        throw new NotPrimary('the server was left behind by a promotion');
    } catch (error) {
      destroy(client);
      throw error;
    }
    this.#trustedUntil = Math.max(this.#trustedUntil, askedAt + trust);
    this.#troubled = false;
    this.#lookLater();
    if (!isKnown(place)) return false;
    const isOther =
      this.#known !== undefined && (this.#known.system !== place.system || this.#known.timeline !== place.timeline);
    this.#known = place;
    if (isOther) this.#move(place);
    return isOther;
  }

  #move({ timeline }: Place): void {
    this.#settledAt = performance.now() + settling;
    this.#log.warn({ timeline }, 'another server has become the primary: connections to the last one are closed');
    for (const listener of this.#moved) listener();
  }

  /** Notes that a prepared statement was lost: the way to the database is examined before it is used again. */
  doubtPooler(): void {
    this.#poolerInDoubt = true;
  }

  /**
   * Looks whether the address still leads to the same primary.
   * @throws NotPrimary where it doesn't, or can't be reached
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
      await this.#connect();
    } catch (error) {
      // It lets nobody in: too many connections, or another password. Whether it is the same server can't be seen.
      if (isRefusal(error)) this.#trustedUntil = performance.now() + trust;
      if (!this.#troubled)
        this.#log.warn({ error: (error as Error).message }, 'whether the database is still the primary can’t be seen');
      this.#troubled = true;
      if (this.#poolerInDoubt || !isRefusal(error)) throw new NotPrimary((error as Error).message);
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
      // PostgreSQL may answer no more.
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

async function placeOf(client: pg.ClientBase, patience: number): Promise<Place> {
  const ask = async (text: string) =>
    (await client.query<Place & pg.QueryResultRow>({ text, query_timeout: patience } as pg.QueryConfig)).rows[0]!;
  try {
    return await ask(whichPrimary);
  } catch (error) {
    if (!isWithheld.test((error as pg.DatabaseError).code ?? '')) throw error;
    return await ask(whetherPrimary);
  }
}

/** SQLSTATEs of a function that the role may not call, or that the server doesn't have or offer. */
const isWithheld = /^(42501|42883|0A000)$/;

const isKnown = ({ timeline }: Place): boolean => timeline !== '';

/** Whether a server answered that it lets nobody in, and not for being started or stopped (SQLSTATE class 57). */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57') === false;
}

/** Ends a connection without waiting for the other side. */
export function destroy(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
