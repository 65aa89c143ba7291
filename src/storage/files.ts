import { randomUUID } from 'node:crypto';
import { constants, createReadStream, fstatSync } from 'node:fs';
import { mkdir, open, readdir, rm, statfs, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { mayStayOpen, WrittenFile, WrittenFiles } from './written-file.ts';

/**
 * Files that records name: logs and artifacts of jobs. A name is made up here, never by a client; only the gateway’s
 * account reads the files. This room knows no records: a room that stores a name notes it before the file is made, so that a
 * crash leaves no file that nothing names.
 */
export interface FileStore {
  /** A name that no file has. */
  newName(): string;
  /**
   * Writes bytes at a position, and makes the file if it is missing. One writer at a time: the caller sees to that. Flushing
   * to the disk begins with each full mebibyte, and isn’t awaited; the caller asks for that.
   * @throws FileTooShort if the file ends before the position
   */
  write(name: string, position: number, bytes: Uint8Array): Promise<void>;
  /** Makes a file that isn’t there, to be written from its beginning. */
  create(name: string): Promise<FileWriter>;
  /** Flushes a file to the disk. A missing one is empty. */
  flush(name: string): Promise<void>;
  /** The bytes from `start` to before `end`, as a stream. A missing file fails it. */
  read(name: string, start: number, end: number): Readable;
  /** Opens a file to read parts of it. @throws if it is missing */
  open(name: string): Promise<FileReader>;
  /** How many bytes it has; 0 for a missing one. */
  size(name: string): Promise<number>;
  /** Removes a file, unless it is missing. */
  remove(name: string): Promise<void>;
  /** The names of all files that are there. */
  names(): AsyncIterable<string>;
}

/** A file that is being written for the first time. */
export interface FileWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Flushes it to the disk and closes it. */
  finish(): Promise<void>;
  /** Closes and removes it. */
  abandon(): Promise<void>;
}

/** A file of which parts are read. */
export interface FileReader {
  /** At most `length` bytes from a position: fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** A file ends before the position at which something is to be written: the machine crashed after it was noted. */
export class FileTooShort extends Error {
  /** Bytes that are there. */
  readonly size: number;
  constructor(size: number) {
    super(`The file has only ${size} bytes.`);
    this.size = size;
  }
}

/** Bytes after which what was written is flushed. */
const flushedAt = 1_048_576;

const wellFormed = /^[0-9a-f]{2}\/[0-9a-f-]{36}$/;

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants;

/** Files in a folder of this machine, or of a file system that all gateways share. */
export class Folder implements FileStore {
  readonly #root: string;
  readonly #written = new WrittenFiles();
  /** Whether a file may stay open after it was written. */
  #mayStayOpen: Promise<boolean> | undefined;

  /** @param root absolute; it is made with the first file */
  constructor(root: string) {
    this.#root = root;
  }

  newName(): string {
    const id = randomUUID();
    return `${id.slice(0, 2)}/${id}`;
  }

  async write(name: string, position: number, bytes: Uint8Array): Promise<void> {
    const { file, size } = await this.#takeToWrite(name, position);
    try {
      file.requireFlushed();
      if (size < position) throw new FileTooShort(size);
      await writeAll(file.handle, bytes, position);
    } catch (error) {
      await file.handle.close();
      throw error;
    }
    if (Math.floor(position / flushedAt) < Math.floor((position + bytes.length) / flushedAt)) file.flushSoon();
    if (await (this.#mayStayOpen ??= mayStayOpenIn(this.#root))) return await this.#written.keep(name, file);
    await file.handle.close();
    file.requireFlushed();
  }

  async create(name: string): Promise<FileWriter> {
    const file = await this.#openToWrite(name, O_RDWR | O_CREAT | O_EXCL);
    let position = 0;
    return {
      async write(bytes) {
        await writeAll(file, bytes, position);
        position += bytes.length;
      },
      async finish() {
        await file.sync();
        await file.close();
      },
      abandon: async () => {
        await file.close().catch(() => undefined);
        await this.remove(name);
      },
    };
  }

  async flush(name: string): Promise<void> {
    const written = this.#written.take(name);
    const file = written?.handle ?? (await open(this.#pathOf(name), O_RDWR | O_NOFOLLOW).catch(unlessMissing));
    if (!file) return;
    try {
      await file.datasync();
      written?.requireFlushed();
    } finally {
      await file.close();
    }
  }

  read(name: string, start: number, end: number): Readable {
    const path = this.#pathOf(name);
    // Node can’t read an empty range.
    const range = end > start ? { start, end: end - 1 } : { end: 0 };
    const flags = (O_RDONLY | O_NOFOLLOW) as unknown as string;
    const stream = createReadStream(path, { ...range, flags });
    if (end <= start) stream.push(null);
    return stream;
  }

  async open(name: string): Promise<FileReader> {
    const file = await open(this.#pathOf(name), O_RDONLY | O_NOFOLLOW);
    let closing: Promise<void> | undefined;
    return {
      async read(position, length) {
        const bytes = Buffer.allocUnsafe(length);
        let filled = 0;
        while (filled < length) {
          const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
          if (bytesRead === 0) break;
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      },
      close: () => (closing ??= file.close()),
    };
  }

  async size(name: string): Promise<number> {
    const file = await open(this.#pathOf(name), O_RDONLY | O_NOFOLLOW).catch(unlessMissing);
    if (!file) return 0;
    try {
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  }

  async remove(name: string): Promise<void> {
    await this.#written.close(name);
    await rm(this.#pathOf(name), { force: true });
  }

  async *names(): AsyncGenerator<string> {
    for (const folder of (await readdir(this.#root).catch(unlessMissing)) ?? []) {
      for (const file of (await readdir(join(this.#root, folder)).catch(unlessMissing)) ?? []) {
        const name = `${folder}/${file}`;
        if (wellFormed.test(name)) yield name;
      }
    }
  }

  #pathOf(name: string): string {
    if (!wellFormed.test(name)) throw new TypeError('That isn’t the name of a file.');
    return join(this.#root, name);
  }

  /** The file, with how many bytes it has. One that was removed while it was open is opened again. */
  async #takeToWrite(name: string, position: number): Promise<{ file: WrittenFile; size: number }> {
    const kept = this.#written.take(name);
    const file = kept ?? new WrittenFile(await this.#openToWrite(name, position === 0 ? O_RDWR | O_CREAT : O_RDWR));
    // Of an open file the system knows that at once.
    const { size, nlink } = fstatSync(file.handle.fd);
    if (!kept || nlink > 0) return { file, size };
    await file.handle.close();
    return await this.#takeToWrite(name, position);
  }

  async #openToWrite(name: string, flags: number): Promise<FileHandle> {
    const path = this.#pathOf(name);
    const begin = () => open(path, flags | O_NOFOLLOW, 0o600);
    try {
      return await begin();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if ((flags & O_CREAT) === 0) throw new FileTooShort(0);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      return await begin();
    }
  }
}

/** Whether files of a folder may stay open after they were written. */
const mayStayOpenIn = (folder: string): Promise<boolean> =>
  statfs(folder).then(
    ({ type }) => mayStayOpen(type),
    () => false,
  );

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
