import { createWriteStream } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { readHistory } from '../migrations/index.ts';
import { checkBackup } from './check.ts';
import { copyOut, type CopyProgress } from './copy.ts';
import { BackupError } from './error.ts';
import { counted, format, formatVersion, line, sealed, toStream, type Header } from './file.ts';
import { failWhenStalled, type Watch } from './stall.ts';
import { columnsOf, countRows, listTables, lockTables, quoted, readSequences } from './tables.ts';

export interface BackupOptions {
  /** The connection settings of the client. */
  readonly connection: pg.PoolConfig;
  /** A file that doesn't exist yet. */
  readonly file: string;
  /** The gateway's version. */
  readonly gateway: string;
  /**
   * Returns the fingerprints of the instance keys. Called once the tables are locked. It may wait for a lock, which
   * counts as no progress.
   */
  readonly keys: () => Promise<readonly string[]>;
  readonly progress: CopyProgress;
  /** Milliseconds without progress after which it fails. */
  readonly stallTimeout: number;
}

/**
 * Writes the content of the database at one moment to a file of mode 0600, while writes continue. The file appears
 * under its name only when it is complete; an interrupted backup leaves none.
 * @throws BackupError
 */
export async function backUp(client: pg.Client, options: BackupOptions): Promise<Header> {
  const { file, progress } = options;
  if (await stat(file).catch(() => undefined))
    throw new BackupError(`${file} exists already.`, 'Choose another name; a backup never overwrites a file.');
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  try {
    return await failWhenStalled(client, options.connection, options.stallTimeout, async (watch) => {
      const header = await inSnapshot(client, watch, async () => {
        const made = await describe(client, watch, options);
        await pipeline(
          toStream(sealed(contents(client, made, watch, progress))),
          createGzip(),
          createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
        );
        return made;
      });
      watch.moved('checking the file');
      // Check the backup now: an unreadable one should fail here, not when it is needed.
      await checkBackup(partial, progress, watch);
      await link(partial, file);
      await sync(file);
      return header;
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupError(
      `Another backup is being written to ${file}.`,
      'Choose another name, or let that one finish.',
      { cause: error },
    );
  } finally {
    await rm(partial, { force: true });
  }
}

/** Runs work in one snapshot of the database, with output settings that any PostgreSQL can read. */
async function inSnapshot<T>(client: pg.Client, watch: Watch, work: () => Promise<T>): Promise<T> {
  const tables = await listTables(client);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  // No timeouts: a large table or a slow disk must not end the session.
  await client.query(
    `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO';
     SET LOCAL intervalstyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`,
  );
  watch.moved('waiting for the locks of the tables');
  // Lock before the snapshot is taken: a table altered later may look empty in it.
  await lockTables(client, tables, 'ACCESS SHARE');
  const seen = await listTables(client);
  if (JSON.stringify(seen) !== JSON.stringify(tables))
    throw new BackupError('The database is being migrated.', 'Run the command again when that is done.');
  const result = await work();
  watch.moved('ending the transaction');
  await client.query('COMMIT');
  return result;
}

async function describe(client: pg.Client, watch: Watch, { gateway, keys }: BackupOptions): Promise<Header> {
  const history = await readHistory(client);
  if (!history || history.length === 0)
    throw new BackupError(
      'There is nothing to back up: the database was never migrated.',
      'Start the gateway first, or correct DATABASE_URL.',
    );
  const unfinished = history.find(({ finished }) => !finished);
  if (unfinished)
    throw new BackupError(
      `Migration ${unfinished.name} was started and never finished.`,
      'Run causeway migrate first; it says how to repair that.',
    );
  const tables: Header['tables'] = [];
  for (const table of await listTables(client)) {
    watch.moved(`counting the rows of ${table.name}`);
    tables.push({ name: table.name, columns: [...table.columns], rows: await countRows(client, table) });
  }
  return {
    format,
    version: formatVersion,
    gateway,
    madeAt: new Date().toISOString(),
    migrations: history.map(({ name, checksum }) => ({ name, checksum })),
    keys: [...(await keys())],
    tables,
    // Read outside the snapshot: sequences can only be further on, which is safe.
    sequences: await readSequences(client),
  };
}

async function* contents(
  client: pg.Client,
  header: Header,
  watch: Watch,
  progress: CopyProgress,
): AsyncGenerator<Buffer> {
  yield line(header);
  const report = counted(header, 'rows written', progress);
  for (const table of header.tables) {
    watch.moved(`copying ${table.name}`);
    for await (const chunk of copyOut(client, `COPY ${quoted(table.name)} (${columnsOf(table)}) TO STDOUT`)) {
      yield chunk as Buffer;
      // Only after the chunk was consumed: a disk that accepts no data is no progress.
      watch.moved();
    }
    report(table);
  }
}

/** Syncs the folder, so that the name survives a crash too. */
async function sync(file: string): Promise<void> {
  const folder = await open(dirname(file));
  await folder.sync();
  await folder.close();
}
