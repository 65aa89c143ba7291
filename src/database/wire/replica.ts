import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../../observability/index.ts';
import type { Sql } from './sql.ts';
import type { Statement } from './statement.ts';
import { CancellablePool } from './pool.ts';

export interface ReplicaOptions {
  readonly pool: pg.PoolConfig;
  readonly primary: Sql;
  readonly log: Log;
  /** Whether an error says that the server can't answer just now. */
  readonly isUnreachable: (error: unknown) => boolean;
}

interface Position {
  readonly position: string;
  readonly system: string;
  readonly timeline: string;
}

/**
 * How far the primary has come, on which timeline. What a client was told is committed is
 * flushed, unless commits don't wait for that.
 */
const position: Statement<Position> = {
  name: 'primary_position',
  text: `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position,
                (select system_identifier::text from pg_control_system()) as system,
                substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) as timeline`,
};

/**
 * Whether a replica follows the primary of cluster $2 and timeline $3, and has come as far as $1. On another timeline
 * the same position means something else: a replica of the last primary may be beyond it, and lack what the new one
 * has written. After a promotion a replica says that it is on the new timeline from its next restart point on.
 */
const reached: Statement<{ follows: boolean; reached: boolean | null }> = {
  name: 'replica_position',
  text: `select pg_is_in_recovery() and (select system_identifier::text from pg_control_system()) = $2
            and (select lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0') from pg_control_checkpoint(), pg_control_recovery()) = $3 as follows,
          pg_last_wal_replay_lsn() >= $1::pg_lsn as reached`,
};

/** Milliseconds for which a read waits for the replica to catch up. */
const catchUpTimeout = 10;
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
    this.pool = new CancellablePool({
      ...options.pool,
      connectionTimeoutMillis: silence,
      application_name: 'causeway reading',
    });
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
    if (this.#options.isUnreachable(error) && !isOfTheStatement.test((error as { code?: string }).code ?? ''))
      this.#gone((error as Error).message);
    return true;
  }

  async #look(): Promise<boolean> {
    const at = await this.#options.primary.rows(position, []).catch(() => undefined);
    // Whoever asked will hear from the primary itself what is wrong with it.
    if (!at) return false;
    const tooLong = new AbortController();
    try {
      const { position, system, timeline } = at[0]!;
      const follows = await Promise.race([
        this.#follows([position, system, timeline]),
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

  async #follows(values: readonly [position: string, system: string, timeline: string]): Promise<boolean> {
    for (const deadline = performance.now() + catchUpTimeout; ; await pause(1)) {
      const [row] = await this.pool.run(reached, values);
      if (!row!.follows) throw new Error('it follows another primary, or an older timeline of it');
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
    if (now - this.#lagsSince > longLag) this.#trouble('it lags behind the primary');
  }

  #gone(why: string): void {
    this.#restsUntil = performance.now() + rest.gone;
    // Its address may lead elsewhere by then.
    this.pool.giveUp();
    this.#trouble(why);
  }

  /** ErrorResponse once, until it is well again. */
  #trouble(why: string): void {
    if (!this.#troubled)
      this.#options.log.warn({ error: why }, 'the replica isn’t used: the primary answers everything');
    this.#troubled = true;
  }
}

/**
 * SQLSTATEs of what happens to a replica in good health: what was read was being removed by what is replayed (40001),
 * a lock took too long (55P03), or the statement does more than read (25006).
 */
const isOfTheStatement = /^(40001|55P03|25006)$/;

/** What a statement does besides reading, or may; a word too many only means that the primary answers. */
const doesMore =
  /\b(insert|update|delete|merge|truncate|for share|for key share|nextval|setval|pg_notify|pg_(try_)?advisory\w*)\b/i;

/** Whether a replica can run a statement. */
export const onlyReads = (text: string): boolean => /^\s*(select|with)\b/i.test(text) && !doesMore.test(text);
