import { type FileHandle, open, stat, truncate, writeFile } from 'node:fs/promises';

/** Maximum size of PostgreSQL's log in bytes; the older part beside it has the same limit. */
const largestLog = 5_000_000;
/** Milliseconds between two checks of its size. */
const checkInterval = 2_000;

/**
 * Opens the log of a PostgreSQL that outlives the gateway. Clients can make it grow by causing errors, so its size is
 * bounded.
 */
export async function openLog(file: string): Promise<FileHandle> {
  await boundLog(file);
  return open(file, 'a', 0o600);
}

/** Keeps the size of the log bounded. @returns stops the checks */
export function watchLog(file: string): () => void {
  const timer = setInterval(() => void boundLog(file).catch(() => {}), checkInterval).unref();
  return () => clearInterval(timer);
}

/**
 * Copies the end of a too long log to a second file, and empties the log. It isn't renamed: PostgreSQL appends to the
 * open file, possibly opened by another gateway. A line written between the two steps is lost.
 */
async function boundLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= largestLog) return;
  try {
    await writeFile(`${file}.1`, await endOf(file, size), { mode: 0o600 });
  } finally {
    // Also when the disk is full: truncating frees space.
    await truncate(file);
  }
}

async function endOf(file: string, size: number): Promise<Buffer> {
  const log = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await log.read(Buffer.alloc(largestLog), 0, largestLog, size - largestLog);
    return buffer.subarray(0, bytesRead);
  } finally {
    await log.close();
  }
}
