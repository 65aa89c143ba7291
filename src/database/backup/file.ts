import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import * as z from 'zod';
import type { CopyProgress } from './copy.ts';
import { BackupError } from './error.ts';
import { unframed, type Part } from './parts.ts';

/**
 * A backup is one gzip file: a line of JSON, the header; then the rows of each table that the header names, in its
 * order, one line each as `COPY` writes them (where a line feed within a value is `\n`); then, if the header says so,
 * files as `parts.ts` describes them; and last a line of JSON with the SHA-256 of everything before it.
 */
export const format = 'causeway backup';
/** Version of the format. Raise it when older gateways couldn't read the file. */
export const formatVersion = 2;
/** Versions that this one reads. The first had no files. */
const readable = [1, 2];

const headerType = z.object({
  format: z.literal(format),
  version: z.number(),
  /** The gateway's version. */
  gateway: z.string(),
  madeAt: z.string(),
  /** The applied migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  /** Fingerprints of the instance keys that the sealed values may need. */
  keys: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int().nonnegative() })),
  sequences: z.array(z.object({ name: z.string(), next: z.string().regex(/^\d{1,19}$/) })),
  /** Whether files follow the rows. */
  files: z.boolean().default(false),
});
export type Header = z.infer<typeof headerType>;

const trailerType = z.object({ sha256: z.string() });

export const line = (value: Header | z.infer<typeof trailerType>): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

/** Maximum length of a JSON line, in bytes. */
const maxLineLength = 1_048_576;
const lineFeed = 0x0a;

/** A backup, read from start to end. */
export interface Backup {
  readonly header: Header;
  /** The rows of each table, in the header's order; each must be read to its end before the next. */
  rows(table: Header['tables'][number]): AsyncGenerator<Buffer>;
  /** After the last table: the files, if the header says so. */
  parts(): AsyncGenerator<Part>;
  /** After the last part: checks the SHA-256. @throws BackupError when the file was changed */
  finish(): Promise<void>;
  close(): void;
}

/** Opens a backup, runs the work, closes it. @throws BackupError when the file is no backup */
export async function reading<T>(path: string, work: (backup: Backup) => Promise<T>): Promise<T> {
  const backup = await openBackup(path);
  try {
    return await work(backup);
  } finally {
    backup.close();
  }
}

/** Reads every table of a backup. The caller reads the parts, then finishes. @throws BackupError */
export async function eachTable(
  backup: Backup,
  label: string,
  progress: CopyProgress,
  work: (table: Header['tables'][number], rows: AsyncGenerator<Buffer>) => Promise<void>,
): Promise<void> {
  const report = counted(backup.header, label, progress);
  for (const table of backup.header.tables) {
    await work(table, backup.rows(table));
    report(table);
  }
}

/** Reports how many of all rows are done, after each table. */
export function counted(
  { tables }: Header,
  label: string,
  progress: CopyProgress,
): (done: { readonly rows: number }) => void {
  const all = tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  progress(label, done, all);
  return ({ rows }) => {
    if (rows > 0) progress(label, (done += rows), all);
  };
}

const endsTooSoon = 'it ends too soon';

/**
 * Opens a file as a backup. @throws BackupError when it is no backup, or has a later format; the system's error when
 * it can't be read
 */
async function openBackup(path: string): Promise<Backup> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  const chunks = file.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const hash = createHash('sha256');
  let rest: Buffer = Buffer.alloc(0);

  /** Reads the next chunk. @returns whether there was one */
  async function more(): Promise<boolean> {
    try {
      const { done, value } = await chunks.next();
      if (!done) rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
      return !done;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'Z_BUF_ERROR') throw damaged(endsTooSoon);
      if (code.startsWith('Z_')) throw damaged('it was changed, or is no backup');
      throw error;
    }
  }

  async function requireMore(): Promise<void> {
    if (!(await more())) throw damaged(endsTooSoon);
  }

  /** Takes bytes that were read, as many as there are. */
  function take(length: number): Buffer {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  }

  /** Adds bytes to the hash that the last line is compared with. */
  function hashed(bytes: Buffer): Buffer {
    hash.update(bytes);
    return bytes;
  }

  async function readLine(): Promise<Buffer> {
    let end: number;
    while ((end = rest.indexOf(lineFeed)) < 0) {
      if (rest.length > maxLineLength) throw damaged('it was changed, or is no backup');
      await requireMore();
    }
    return take(end + 1);
  }

  async function readHeader(): Promise<Header> {
    const given = parsed(hashed(await readLine())) as { format?: unknown; version?: unknown } | undefined;
    if (given?.format !== format) throw damaged('it is no backup of Causeway');
    if (!readable.includes(given.version as number)) {
      throw new BackupError(
        `${path} has the format ${String(given.version)}; this version reads ${readable.join(' and ')}.`,
        'Restore it with the version of Causeway that made it, or a newer one.',
      );
    }
    const read = headerType.safeParse(given);
    if (!read.success) throw damaged('its header was changed');
    return read.data;
  }

  const damaged = (how: string) =>
    new BackupError(
      `${path} can't be restored: ${how}.`,
      'Nothing was changed. Take another copy of it, or another backup.',
    );

  const close = () => {
    file.destroy();
    gunzip.destroy();
  };
  try {
    const header = await readHeader();
    return {
      header,
      async *rows({ rows }) {
        for (let left = rows; left > 0;) {
          if (rest.length === 0) await requireMore();
          const { end, missing } = findRows(rest, left);
          left = missing;
          yield hashed(take(end));
        }
      },
      async *parts() {
        if (!header.files) return;
        yield* unframed({
          line: async () => {
            const found = hashed(await readLine());
            return found.toString('utf8', 0, found.length - 1);
          },
          async *bytes(length) {
            for (let left = length; left > 0;) {
              if (rest.length === 0) await requireMore();
              const chunk = hashed(take(left));
              left -= chunk.length;
              yield chunk;
            }
          },
          damaged: () => damaged('it was changed'),
        });
      },
      async finish() {
        const trailer = trailerType.safeParse(parsed(await readLine()));
        if (!trailer.success || trailer.data.sha256 !== hash.digest('hex')) throw damaged('it was changed');
        if (rest.length > 0 || (await more())) throw damaged('something was added to it');
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Where the last of the wanted rows ends; if some are missing, all bytes: a row may be longer than a chunk. */
function findRows(bytes: Buffer, wanted: number): { readonly end: number; readonly missing: number } {
  let end = 0;
  for (let missing = wanted; missing > 0; missing--) {
    const next = bytes.indexOf(lineFeed, end);
    if (next < 0) return { end: bytes.length, missing };
    end = next + 1;
  }
  return { end, missing: 0 };
}

function parsed(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Adds the SHA-256 of the parts as the last line. */
export async function* sealed(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const part of parts) {
    hash.update(part);
    yield part;
  }
  yield line({ sha256: hash.digest('hex') });
}

export const toStream = (parts: AsyncIterable<Buffer>): Readable => Readable.from(parts, { objectMode: false });
