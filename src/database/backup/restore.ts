import pg from 'pg';
import { migrate, readHistory, readMigrations, withSession } from '../migrations/index.ts';
import { copyIn, type CopyProgress } from './copy.ts';
import { BackupError } from './error.ts';
import { eachTable, reading, type Backup, type Header } from './file.ts';
import type { Part } from './parts.ts';
import { failWhenStalled, watchedConnection, type Watch } from './stall.ts';
import { columnsOf, listTables, lockTables, quoted, refuseRows, restartSequence } from './tables.ts';

/** Files of a backup that were written aside. */
export interface RestoredFiles {
  /** Gives them their places, just before the transaction of the rows commits. */
  place(): Promise<void>;
  /** Takes them away again: the rows couldn't be written. */
  discard(): Promise<void>;
}

export interface RestoreOptions {
  readonly connection: pg.PoolConfig;
  readonly migrationsDir: string;
  readonly file: string;
  /** Whether to revoke sessions, OAuth tokens and codes: some may have been revoked after the backup was made. */
  readonly signOut: boolean;
  readonly progress: CopyProgress;
  /** Writes the files of the backup aside; the client sees the rows. Omitted: its files are left out. */
  readonly files?: ((parts: AsyncIterable<Part>, client: pg.Client) => Promise<RestoredFiles>) | undefined;
  /** Milliseconds without progress after which it fails, while rows are copied or a lock is awaited. */
  readonly stallTimeout: number;
  /** Called with messages for the log. */
  readonly onNotice: (message: string) => void;
}

/**
 * Restores a backup into an empty database, in one transaction. The database is migrated to the version of the backup
 * first, and to this version afterwards.
 * @throws BackupError when it doesn't fit; MigrationError
 */
export async function restore(options: RestoreOptions): Promise<Header> {
  const { connection, migrationsDir, file, stallTimeout, onNotice } = options;
  return await reading(file, async (backup) => {
    const { header } = backup;
    await refuseOtherHistory(header, migrationsDir);
    const session = { ...watchedConnection(connection, stallTimeout), application_name: 'causeway restore' };
    await withSession(session, async (client) => refuseRows(client, await listTables(client)));
    await migrate({ connection, migrationsDir, onNotice, through: header.migrations.at(-1)!.name });
    await withSession(session, (client) =>
      failWhenStalled(client, session, stallTimeout, (watch) => fill(client, backup, watch, options)),
    );
    await migrate({ connection, migrationsDir, onNotice });
    return header;
  });
}

/**
 * Checks that this version can migrate from the backup's version. @throws BackupError unless the backup's history is
 * the beginning of this version's
 */
async function refuseOtherHistory({ gateway, migrations }: Header, migrationsDir: string): Promise<void> {
  const ours = await readMigrations(migrationsDir);
  const other = migrations.find(
    ({ name, checksum }, index) => name !== ours[index]?.name || checksum !== ours[index].checksum,
  );
  if (!other) return;
  throw new BackupError(
    `The backup was made by version ${gateway}, whose database has the migration ${other.name}, which this version doesn't have in its place.`,
    'Restore it with the version that made it, or a newer one.',
  );
}

/** Fills the tables. The transaction rolls back when its session ends before the commit. */
async function fill(
  client: pg.Client,
  backup: Backup,
  watch: Watch,
  { signOut, progress, files }: RestoreOptions,
): Promise<void> {
  const { header } = backup;
  await client.query('BEGIN');
  await client.query(
    `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'`,
  );
  const tables = await listTables(client);
  watch.moved('waiting for the locks of the tables');
  // From here on no other process can set the database up.
  await lockTables(client, tables, 'ACCESS EXCLUSIVE');
  await refuseRows(client, tables);
  const shape = (all: readonly { name: string; columns: readonly string[] }[]) =>
    all
      .map((table) => `${table.name}(${[...table.columns].sort().join()})`)
      .sort()
      .join();
  const history = (await readHistory(client)) ?? [];
  if (history.length !== header.migrations.length || shape(tables) !== shape(header.tables)) {
    throw new BackupError(
      'The database was migrated further than the backup, or isn’t one of Causeway.',
      'Restore into a database that was never migrated: name a new one in DATABASE_URL, or a new folder in DATA_DIR.',
    );
  }
  await eachTable(backup, 'rows restored', progress, async (table, rows) => {
    watch.moved(`copying ${table.name}`);
    await copyIn(client, `COPY ${quoted(table.name)} (${columnsOf(table)}) FROM STDIN`, watched(rows, watch)).catch(
      (error: Error) => {
        if (!(error instanceof pg.DatabaseError)) throw error;
        throw new BackupError(
          `The database refuses rows of ${table.name}: ${error.message}.`,
          'Nothing was changed. Take another copy of the backup, or another one.',
          { cause: error },
        );
      },
    );
  });
  watch.rest();
  for (const sequence of header.sequences) await restartSequence(client, sequence);
  // Revokes everything authorized before: docs/decisions/0007.
  if (signOut)
    await client.query(
      'UPDATE users SET valid_from = clock_timestamp(); UPDATE applications SET valid_from = clock_timestamp()',
    );
  const parts = watchedParts(backup.parts(), watch);
  const restored = await files?.(parts, client);
  try {
    // What wasn't asked for, or is left.
    for await (const _ of parts);
    await backup.finish();
    await restored?.place();
    await client.query('COMMIT');
  } catch (error) {
    await restored?.discard();
    throw error;
  }
  // Gives the planner the new sizes of the tables.
  await client.query('ANALYZE');
}

/**
 * Passes rows on, and counts each as progress. After the last, the server checks foreign keys, for as long as it
 * takes.
 */
async function* watched(rows: AsyncIterable<Buffer>, watch: Watch): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    yield chunk;
    watch.moved();
  }
  watch.rest();
}

/** How often the work on a file counts as progress, in milliseconds: git takes a pack in, within its own time. */
const silent = 10_000;

async function* watchedParts(parts: AsyncIterable<Part>, watch: Watch): AsyncGenerator<Part> {
  for await (const part of parts) {
    watch.moved(`restoring ${part.name}`);
    const timer = setInterval(() => watch.moved(), silent);
    try {
      yield part;
    } finally {
      clearInterval(timer);
    }
  }
}
