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
import { framed, type Part } from './parts.ts';
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
  /**
   * Notes within the snapshot what the files must fit. Returns the files, which are read after it has ended: whatever a
   * row of the snapshot names. Omitted: the backup has none.
   */
  readonly files?: ((client: pg.Client) => Promise<() => AsyncIterable<Part>>) | undefined;
  /** Milliseconds without progress after which it fails. */
  readonly stallTimeout: number;
}

/**
 * Writes the content of the database at one moment, and the files that belong to it, to a file of mode 0600, while writes
 * continue. The file appears under its name only when it is complete; an interrupted backup leaves none.
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
      await beginSnapshot(client, watch);
      const header = await describe(client, watch, options);
      const files = await options.files?.(client);
      await pipeline(
        toStream(sealed(contents(client, header, watch, { progress, files }))),
        createGzip(),
        createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      );
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

/** Begins a transaction that sees one moment of the database, with output settings that any PostgreSQL can read. */
async function beginSnapshot(client: pg.Client, watch: Watch): Promise<void> {
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
}

async function describe(client: pg.Client, watch: Watch, { gateway, keys, files }: BackupOptions): Promise<Header> {
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
    files: files !== undefined,
  };
}

async function* contents(
  client: pg.Client,
  header: Header,
  watch: Watch,
  { progress, files }: { progress: CopyProgress; files: (() => AsyncIterable<Part>) | undefined },
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
  watch.moved('ending the transaction');
  // Files may take long, and need no snapshot: old rows would pile up meanwhile.
  await client.query('COMMIT');
  if (files) yield* framed(watched(files(), watch));
}

/** How often a source that works silently counts as progress, in milliseconds: git counts objects, within its own time. */
const silent = 10_000;

/** Counts each chunk as progress once it was consumed, and time in which the source makes the next. */
async function* watched(parts: AsyncIterable<Part>, watch: Watch): AsyncGenerator<Part> {
  for await (const { name, content } of patient(parts, watch)) {
    watch.moved(`copying ${name}`);
    yield { name, content: patient(content, watch) };
  }
}

async function* patient<T>(source: AsyncIterable<T>, watch: Watch): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setInterval(() => watch.moved(), silent);
      const next = await iterator.next().finally(() => clearInterval(timer));
      if (next.done) return;
      yield next.value;
      watch.moved();
    }
  } finally {
    await iterator.return?.();
  }
}

/** Syncs the folder, so that the name survives a crash too. */
async function sync(file: string): Promise<void> {
  const folder = await open(dirname(file));
  await folder.sync();
  await folder.close();
}
