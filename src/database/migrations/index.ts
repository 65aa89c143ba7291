import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { openEngine } from './engine.ts';
import { MigrationError } from './error.ts';
import { compare, type Migration, type MigrationStatus, readHistory, readMigrations } from './history.ts';
import { lock } from './lock.ts';
import { howToRepair, refuseForeignTables, refuseUnsafe, remedyFor } from './refusals.ts';

export { MigrationError, readHistory, readMigrations, type MigrationStatus };

export interface MigrationOptions {
  /** A server, not a pooler of transactions: the lock and the migrations need a session of their own. */
  connection: pg.PoolConfig;
  /** A plain Prisma folder: `<timestamp>_<name>/migration.sql`. */
  migrationsDir: string;
  /** ErrorResponse what an operator may want to see in the log. */
  onNotice?: (message: string) => void;
  /** How long another process may take to migrate, in milliseconds. */
  lockTimeout?: number;
  /** The last migration to apply; left out: all. */
  through?: string;
}

export interface MigrationReport {
  /** Names of those of this version. */
  all: string[];
  applied: string[];
  alreadyApplied: number;
}

/**
 * Brings the database to the newest migration, or throws a `MigrationError`. Each
 * migration is one transaction with its own record, so one that fails or is
 * killed leaves nothing behind. Several processes starting at once migrate once.
 * When there is nothing to do, this costs one connection and one statement.
 */
export async function migrate(options: MigrationOptions): Promise<MigrationReport> {
  const { connection, migrationsDir, onNotice = () => {}, lockTimeout = 60_000, through } = options;
  const migrations = (await readMigrations(migrationsDir)).filter(
    ({ name }) => through === undefined || name <= through,
  );
  return withSession(connection, async (client) => {
    let history = await readHistory(client);
    let status = compare(migrations, history ?? []);
    if (status.pending.length > 0 || status.failed.length > 0) {
      await lock(client, lockTimeout, onNotice);
      history = await readHistory(client);
      status = compare(migrations, history ?? []);
    }
    refuseUnsafe(status);
    if (status.unknown.length > 0) {
      onNotice(`A newer version has migrated this database further: ${status.unknown.join(', ')}.`);
    }
    if (history === null) await refuseForeignTables(client);
    if (status.pending.length > 0) await apply(client, migrations, status.pending, onNotice);
    return { all: migrations.map(({ name }) => name), applied: status.pending, alreadyApplied: status.applied.length };
  });
}

/** Where the database stands, changing nothing. */
export async function migrationStatus({
  connection,
  migrationsDir,
}: Pick<MigrationOptions, 'connection' | 'migrationsDir'>): Promise<MigrationStatus> {
  const migrations = await readMigrations(migrationsDir);
  return withSession(connection, async (client) => compare(migrations, (await readHistory(client)) ?? []));
}

/**
 * The SQL that would bring the database as it is to `schema.prisma`; empty when
 * they agree. Of a database with every migration applied it is the drift, and
 * the text of the next migration.
 */
export async function schemaDrift(options: { connection: pg.PoolConfig; schemaFile: string }): Promise<string> {
  const schema = await readFile(options.schemaFile, 'utf8');
  return withSession(options.connection, async (client) => (await openEngine(client)).diff(schema));
}

/** Runs work in a session of its own. @throws MigrationError where PostgreSQL refuses something that an operator can mend */
export async function withSession<T>(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ application_name: 'causeway migrations', ...connection });
  // A connection that breaks rejects the statement under way; unheard, the event would end the process too.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } catch (error) {
    const remedy = remedyFor(error, client);
    if (remedy === undefined) throw error;
    throw new MigrationError(`PostgreSQL refused: ${(error as Error).message}.`, remedy, { cause: error });
  } finally {
    await client.end();
  }
}

/** Such a statement refuses to run in a transaction, so it is a migration of its own, whose failure is recorded. */
const outsideTransactions = /^\s*(CREATE|DROP|REINDEX)\s.*\bCONCURRENTLY\b/im;

async function apply(
  client: pg.Client,
  migrations: readonly Migration[],
  pending: readonly string[],
  onNotice: (message: string) => void,
): Promise<void> {
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  const engine = await openEngine(client);
  for (const [index, { name, sql }] of migrations.entries()) {
    if (!pending.includes(name)) continue;
    onNotice(`Applying migration ${name}.`);
    const transaction = !outsideTransactions.test(sql);
    try {
      if (transaction) await client.query('BEGIN');
      await engine.apply(migrations.slice(0, index + 1));
      if (transaction) await client.query('COMMIT');
    } catch (cause) {
      // The session ends with the error, and what was begun with the session.
      const otherwise = transaction
        ? 'Nothing of it was kept. Start again when the cause is mended.'
        : howToRepair(name);
      const remedy = remedyFor(cause, client) ?? otherwise;
      throw new MigrationError(`Migration ${name} failed: ${(cause as Error).message}.`, remedy, { cause });
    }
  }
}
