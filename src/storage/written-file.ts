import type { FileHandle } from 'node:fs/promises';

/** A file that is open to be written. */
export class WrittenFile {
  readonly handle: FileHandle;
  #isFlushing = false;
  #failure: unknown;

  constructor(handle: FileHandle) {
    this.handle = handle;
  }

  /** Begins to flush it to the disk, unless that is under way. A failure is thrown by the next `requireFlushed`. */
  flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    void this.handle
      .datasync()
      .catch((error: unknown) => (this.#failure ??= error))
      .finally(() => (this.#isFlushing = false));
  }

  /** @throws the error of a flush that failed: the system doesn’t report it to a later one */
  requireFlushed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Types of file systems, as statfs has them: NFS, those of SMB, 9P, and FUSE, which may be any. */
const seenWhenClosed = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);

/**
 * Whether a file may stay open after it was written, by the type of its file system: on some, another machine, whose gateway
 * may get the next piece, sees what was written only after the file was closed.
 */
export const mayStayOpen = (type: number): boolean => !seenWhenClosed.has(type);

/** Milliseconds for which a file stays open after it was written. */
const lasts = 5_000;
/** Most files that stay open. */
const most = 64;

/** Files that were written a moment ago stay open: a log comes in many pieces. */
export class WrittenFiles {
  readonly #open = new Map<string, { readonly file: WrittenFile; readonly closing: NodeJS.Timeout }>();

  /** Takes a file out: the caller puts it back, or closes it. */
  take(name: string): WrittenFile | undefined {
    const kept = this.#open.get(name);
    if (!kept) return undefined;
    clearTimeout(kept.closing);
    this.#open.delete(name);
    return kept.file;
  }

  /** Keeps a file open for a while. */
  async keep(name: string, file: WrittenFile): Promise<void> {
    if (this.#open.size >= most || this.#open.has(name)) return await file.handle.close();
    const closing = setTimeout(() => void this.close(name).catch(() => undefined), lasts).unref();
    this.#open.set(name, { file, closing });
  }

  /** Closes a file, if it is open. */
  async close(name: string): Promise<void> {
    await this.take(name)?.handle.close();
  }
}
