import pg from 'pg';
import { destroy, NotPrimary, type PrimaryWatch } from './wire/primary.ts';

/** The state of the database. Nothing in it is secret. */
interface DatabaseState {
  /**
   * `unreachable`: no answer, or too late. `read only`: accepts no changes, as a standby. `moved`: another server has
   * just become the primary.
   */
  readonly database: 'ok' | 'unreachable' | 'read only' | 'moved';
  /** Undefined when the database didn't answer. */
  readonly migrated: boolean | undefined;
}

export interface DatabaseProbe {
  /** The state, at most a quarter of a second old, within `probeTimeout` milliseconds. Never throws. */
  look(): Promise<DatabaseState>;
  close(): Promise<void>;
}

/** Milliseconds for which a result is cached: a flood of probes costs the database four statements a second. */
const freshFor = 250;
/** Milliseconds after which an answer is too late. Together with `freshFor` well below a second. */
const probeTimeout = 500;

const unreachable: DatabaseState = { database: 'unreachable', migrated: undefined };

const moved: DatabaseState = { database: 'moved', migrated: undefined };

const text = `select current_setting('transaction_read_only') = 'on' as "readOnly",
  (select count(distinct migration_name)::int from _prisma_migrations
    where migration_name = any($1) and finished_at is not null and rolled_back_at is null) as applied`;
const undefinedTable = '42P01';

/**
 * Readiness probe: whether the database answers, on a connection of its own, so that a full or hanging pool can't block
 * the probe.
 * @param migrations names of the migrations that this version needs
 * @param primary the watch on the primary that the pool depends on, if any
 */
export function databaseProbe(
  connection: pg.PoolConfig,
  migrations: readonly string[],
  primary?: PrimaryWatch,
): DatabaseProbe {
  let client: pg.Client | undefined;
  let looking: Promise<DatabaseState> | undefined;
  let found = unreachable;
  let foundAt = Number.NEGATIVE_INFINITY;

  function drop(dropped: pg.Client): void {
    if (client === dropped) client = undefined;
    // Not `end()`: it would wait for a server that doesn't answer.
    destroy(dropped);
  }
  primary?.onMoved(() => client && drop(client));

  async function connect(): Promise<pg.Client> {
    const opened = new pg.Client({
      ...connection,
      application_name: 'causeway readiness',
      connectionTimeoutMillis: probeTimeout,
      statement_timeout: probeTimeout,
    });
    opened.on('error', () => drop(opened));
    await opened.connect();
    return opened;
  }

  /** After a pause without checks, confirm in the background: a new connection takes time. */
  async function confirmed(): Promise<void> {
    if (!primary || primary.isTrusted) return;
    const looking = primary.confirm();
    if (primary.isInDoubt) await looking;
    else looking.catch(() => undefined);
  }

  /** @param tooLate aborts when the answer is no longer awaited */
  async function ask(tooLate: AbortSignal): Promise<DatabaseState> {
    const kept = client;
    const asked = kept ?? (await connect());
    tooLate.addEventListener('abort', () => drop(asked));
    client = asked;
    try {
      tooLate.throwIfAborted();
      const { rows } = await asked.query<{ readOnly: boolean; applied: number }>({
        name: 'readiness',
        text,
        values: [migrations],
      });
      const { readOnly, applied } = rows[0]!;
      // The next check connects again: by then the address may lead to a server that accepts writes.
      if (readOnly) drop(asked);
      else await confirmed();
      return { database: readOnly ? 'read only' : 'ok', migrated: applied === migrations.length };
    } catch (error) {
      if (error instanceof NotPrimary) return primary!.isSettling ? moved : unreachable;
      if ((error as pg.DatabaseError).code === undefinedTable) return { database: 'ok', migrated: false };
      drop(asked);
      // A connection opened earlier may have been closed by the server; try once more.
      if (asked === kept && !tooLate.aborted) return await ask(tooLate);
      return unreachable;
    }
  }

  async function look(): Promise<DatabaseState> {
    const tooLate = new AbortController();
    const answer = ask(tooLate.signal).catch(() => unreachable);
    found = await Promise.race([answer, late()]);
    if (found === unreachable) tooLate.abort();
    foundAt = performance.now();
    return found;
  }

  return {
    async look() {
      if (performance.now() - foundAt < freshFor) return found;
      looking ??= look().finally(() => (looking = undefined));
      return await looking;
    },
    async close() {
      await looking;
      if (client) drop(client);
    },
  };
}

function late(): Promise<DatabaseState> {
  return new Promise((resolve) => {
    // One turn of the event loop later: an answer that arrived while the loop was busy wins.
    setTimeout(() => setImmediate(() => resolve(unreachable)), probeTimeout).unref();
  });
}
