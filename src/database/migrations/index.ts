import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { openEngine } from './engine.ts';
import { MigrationError } from './error.ts';
import { compare, type Migration, type MigrationStatus, readHistory, readMigrations } from './history.ts';
import { lock } from './lock.ts';
import { howToRepair, refuseForeignTables, refuseUnsafe, remedyFor } from './refusals.ts';

export { MigrationError, readHistory, readMigrations, type MigrationStatus };

export interface MigrationOptions {
  /** A server, not a transaction pooler: the lock and the migrations need a session of their own. */
  connection: pg.PoolConfig;
  /** A plain Prisma folder: `<timestamp>_<name>/migration.sql`. */
  migrationsDir: string;
  /** Called with messages for the log. */
  onNotice?: (message: string) => void;
  /** How long another process may take to migrate, in milliseconds. */
  lockTimeout?: number;
  /** The last migration to apply; omitted: all. */
  through?: string;
}

export interface MigrationReport {
  /** Names of all migrations of this version. */
  all: string[];
  applied: string[];
  alreadyApplied: number;
}

/**
 * Migrates the database to the newest version, or throws a `MigrationError`. Each migration and its record are one
 * transaction, so a failed or killed one leaves nothing behind. Several processes that start at once migrate once. When
 * nothing is pending, this costs one connection and one statement.
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

/** The state of the migrations, read-only. */
export async function migrationStatus({
  connection,
  migrationsDir,
}: Pick<MigrationOptions, 'connection' | 'migrationsDir'>): Promise<MigrationStatus> {
  const migrations = await readMigrations(migrationsDir);
  return withSession(connection, async (client) => compare(migrations, (await readHistory(client)) ?? []));
}

/**
 * The SQL that would turn the database into `schema.prisma`; empty when they agree. For a fully migrated database it is
 * the drift, and the text of the next migration.
 */
export async function schemaDrift(options: { connection: pg.PoolConfig; schemaFile: string }): Promise<string> {
  const schema = await readFile(options.schemaFile, 'utf8');
  return withSession(options.connection, async (client) => (await openEngine(client)).diff(schema));
}

/**
 * Runs work in a session of its own. @throws MigrationError when PostgreSQL refuses something that an operator can
 * correct
 */
export async function withSession<T>(connection: pg.PoolConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ application_name: 'causeway migrations', ...connection });
  // A broken connection rejects the running statement; without a listener, the event would end the process too.
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

/** Matches statements that can't run in a transaction. Each is a migration of its own, and its failure is recorded. */
const outsideTransactions = /^\s*(CREATE|DROP|REINDEX)\s.*\bCONCURRENTLY\b/im;

async function apply(
  client: pg.Client,
  migrations: readonly Migration[],
  pending: readonly string[],
  onNotice: (message: string) => void,
): Promise<void> {
  await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
  const engine = await openEngine(client);
  // Of a new database, the names say nothing.
  const isNew = pending.length === migrations.length;
  if (isNew) onNotice(`Preparing a new database by ${pending.length} migrations.`);
  for (const [index, { name, sql }] of migrations.entries()) {
    if (!pending.includes(name)) continue;
    if (!isNew) onNotice(`Applying migration ${name}.`);
    const transaction = !outsideTransactions.test(sql);
    try {
      if (transaction) await client.query('BEGIN');
      await engine.apply(migrations.slice(0, index + 1));
      if (transaction) await client.query('COMMIT');
    } catch (cause) {
      // The error ends the session, which rolls back the transaction.
      const otherwise = transaction ? 'It was rolled back. Start again after correcting the cause.' : howToRepair(name);
      const remedy = remedyFor(cause, client) ?? otherwise;
      throw new MigrationError(`Migration ${name} failed: ${(cause as Error).message}.`, remedy, { cause });
    }
  }
}
