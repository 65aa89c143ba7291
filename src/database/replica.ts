import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../observability/index.ts';
import type { Sql } from './index.ts';
import type { Statement } from './statement.ts';
import { CancellablePool } from './pool.ts';

export interface ReplicaOptions {
  readonly pool: pg.PoolConfig;
  readonly primary: Sql;
  readonly log: Log;
  /** Whether an error says that the server can't answer just now. */
  readonly isUnreachable: (error: unknown) => boolean;
}

/**
 * How far the primary has come. What a client was told is committed is flushed,
 * unless commits don't wait for that.
 */
const position: Statement<{ position: string; system: string }> = {
  name: 'primary_position',
  text: `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position,
                (select system_identifier::text from pg_control_system()) as system`,
};

/** Whether a replica has come that far, $1. Positions of another cluster, $2, would mean nothing. */
const reached: Statement<{ reached: boolean | null }> = {
  name: 'replica_position',
  text: `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn
            and (select system_identifier::text from pg_control_system()) = $2 as reached`,
};

/** Milliseconds for which a read waits for the replica to catch up. */
const patience = 10;
/** Milliseconds after which a replica that doesn't answer is taken for gone. */
const silence = 1_000;
/** Milliseconds for which nobody asks a replica that lagged, or that was gone. */
const rest = { lagging: 100, gone: 5_000 } as const;
/** Milliseconds of lagging all the time after which it is told in the log. */
const longLag = 10_000;

/**
 * A server that replays what the primary commits, a moment later, and only reads.
 * It serves a read only if it has by then replayed everything that was committed
 * when the read began, by whichever process: so nobody can tell that it answered.
 */
export class Replica {
  readonly pool: CancellablePool;
  readonly #options: ReplicaOptions;
  #looking: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;
  /** On the clock of `performance.now()`. */
  #restsUntil = 0;
  #lagsSince: number | undefined;
  #troubled = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.pool = new CancellablePool({ ...options.pool, connectionTimeoutMillis: silence, application_name: 'causeway reading' });
    this.pool.on('error', () => undefined);
  }

  /**
   * Whether it has everything that was committed when this was called. Callers who
   * come while a look is under way share the next one, so that however many there are
   * cost the primary one small statement at a time.
   */
  caughtUp(): Promise<boolean> {
    if (this.#rests) return Promise.resolve(false);
    return (this.#next ??= (this.#looking ?? Promise.resolve(true)).then(() => {
      this.#next = undefined;
      return (this.#looking = this.#rests ? Promise.resolve(false) : this.#look());
    }));
  }

  get #rests(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /**
   * Judges what went wrong with a read.
   * @returns whether the primary is to be asked instead: always, but for a statement that took too long (57014)
   */
  gaveUp(error: unknown): boolean {
    if ((error as { code?: string }).code === '57014') return false;
    // 40001: what it read was being removed by what is replayed, which happens to a replica in good health.
    if (this.#options.isUnreachable(error) && (error as { code?: string }).code !== '40001') this.#gone((error as Error).message);
    return true;
  }

  async #look(): Promise<boolean> {
    const at = await this.#options.primary.rows(position, []).catch(() => undefined);
    // Whoever asked will hear from the primary itself what is wrong with it.
    if (!at) return false;
    const tooLong = new AbortController();
    try {
      const follows = await Promise.race([
        this.#follows([at[0]!.position, at[0]!.system]),
        pause(silence, undefined, { ref: false, signal: tooLong.signal }).then(() => {
          throw new Error('it doesn’t answer');
        }),
      ]);
      if (follows) this.#well();
      else this.#lags();
      return follows;
    } catch (error) {
      this.#gone((error as Error).message);
      return false;
    } finally {
      tooLong.abort();
    }
  }

  async #follows(values: readonly [position: string, system: string]): Promise<boolean> {
    for (const deadline = performance.now() + patience; ; await pause(1)) {
      const [row] = await this.pool.run(reached, values);
      if (row!.reached) return true;
      if (performance.now() > deadline) return false;
    }
  }

  #well(): void {
    this.#lagsSince = undefined;
    if (this.#troubled) this.#options.log.info({}, 'the replica is used again');
    this.#troubled = false;
  }

  #lags(): void {
    const now = performance.now();
    this.#restsUntil = now + rest.lagging;
    this.#lagsSince ??= now;
    if (now - this.#lagsSince > longLag) this.#trouble('it lags behind the primary, or follows another one');
  }

  #gone(why: string): void {
    this.#restsUntil = performance.now() + rest.gone;
    this.#trouble(why);
  }

  /** Told once, until it is well again. */
  #trouble(why: string): void {
    if (!this.#troubled) this.#options.log.warn({ error: why }, 'the replica isn’t used: the primary answers everything');
    this.#troubled = true;
  }
}

/** What a statement does besides reading, or may; a word too many only means that the primary answers. */
const doesMore = /\b(insert|update|delete|merge|truncate|for share|for key share|nextval|setval|pg_notify|pg_(try_)?advisory\w*)\b/i;

/** Whether a replica can run a statement. */
export const onlyReads = (text: string): boolean => /^\s*(select|with)\b/i.test(text) && !doesMore.test(text);
