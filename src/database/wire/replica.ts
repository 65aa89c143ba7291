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
  /** Whether an error means that the server can't answer now. */
  readonly isUnreachable: (error: unknown) => boolean;
}

interface Position {
  readonly position: string;
  readonly system: string;
  readonly timeline: string;
}

/**
 * Reads the primary's WAL position and timeline. The position includes every commit that a client knows of, unless
 * commits don't wait for the flush.
 */
const position: Statement<Position> = {
  name: 'primary_position',
  text: `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position,
                (select system_identifier::text from pg_control_system()) as system,
                substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) as timeline`,
};

/**
 * Asks a replica whether it follows the primary of cluster $2 and timeline $3, and has replayed up to $1. Positions on
 * different timelines can't be compared: a replica of the former primary may be beyond the position, but lack what the
 * new one wrote. After a promotion a replica reports the new timeline from its next restart point on.
 */
const reached: Statement<{ follows: boolean; reached: boolean | null }> = {
  name: 'replica_position',
  text: `select pg_is_in_recovery() and (select system_identifier::text from pg_control_system()) = $2
            and (select lpad(upper(to_hex(greatest(timeline_id, min_recovery_end_timeline))), 8, '0') from pg_control_checkpoint(), pg_control_recovery()) = $3 as follows,
          pg_last_wal_replay_lsn() >= $1::pg_lsn as reached`,
};

/** Milliseconds for which a read waits for the replica to catch up. */
const catchUpTimeout = 10;
/** Milliseconds after which an unresponsive replica counts as gone. */
const silence = 1_000;
/** Milliseconds for which a replica isn't used after it lagged or was gone. */
const rest = { lagging: 100, gone: 5_000 } as const;
/** Milliseconds of continuous lag after which a warning is logged. */
const longLag = 10_000;

/**
 * A read replica, which replays the primary's commits a moment later. It serves a read only if it has replayed
 * everything that any process had committed when the read began, so clients notice no difference.
 */
export class Replica {
  readonly pool: CancellablePool;
  readonly #options: ReplicaOptions;
  #looking: Promise<boolean> | undefined;
  #next: Promise<boolean> | undefined;
  /** Until when it isn't used, on the clock of `performance.now()`. */
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
   * Whether the replica has replayed everything that was committed when this was called. Calls during a check share
   * the next check, so that any number of them costs the primary one small statement at a time.
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
   * Handles the failure of a read.
   * @returns whether to ask the primary instead: always, except after a statement timeout (57014)
   */
  gaveUp(error: unknown): boolean {
    if ((error as { code?: string }).code === '57014') return false;
    if (this.#options.isUnreachable(error) && !isOfTheStatement.test((error as { code?: string }).code ?? ''))
      this.#gone((error as Error).message);
    return true;
  }

  async #look(): Promise<boolean> {
    const at = await this.#options.primary.rows(position, []).catch(() => undefined);
    // The read then goes to the primary, and reports its errors.
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
    // Its address may lead to another server later.
    this.pool.giveUp();
    this.#trouble(why);
  }

  /** Logs a warning once, until the replica recovers. */
  #trouble(why: string): void {
    if (!this.#troubled) this.#options.log.warn({ error: why }, 'the replica isn’t used: all reads go to the primary');
    this.#troubled = true;
  }
}

/**
 * SQLSTATEs that occur on a healthy replica: a replayed change removed rows that the read needed (40001), a lock
 * timeout (55P03), a statement that doesn't only read (25006).
 */
const isOfTheStatement = /^(40001|55P03|25006)$/;

/** Words of statements that may do more than read. A false match is harmless: the primary answers. */
const doesMore =
  /\b(insert|update|delete|merge|truncate|for share|for key share|nextval|setval|pg_notify|pg_(try_)?advisory\w*)\b/i;

/** Whether a replica can run a statement. */
export const onlyReads = (text: string): boolean => /^\s*(select|with)\b/i.test(text) && !doesMore.test(text);
