import { type FileHandle, open, stat, truncate, writeFile } from 'node:fs/promises';

/** Bytes of PostgreSQL's log, and of its former end beside it. */
const largestLog = 5_000_000;
/** Milliseconds between two looks at its size. */
const lookedAtEvery = 2_000;

/** The log of a PostgreSQL that outlives the gateway. It grows by what goes wrong, which others may provoke. */
export async function openLog(file: string): Promise<FileHandle> {
  await boundLog(file);
  return open(file, 'a', 0o600);
}

/** Keeps the log bounded. @returns what ends that */
export function watchLog(file: string): () => void {
  const timer = setInterval(() => void boundLog(file).catch(() => {}), lookedAtEvery).unref();
  return () => clearInterval(timer);
}

/**
 * Moves the end of a log that has grown too long aside, and empties it. It isn't renamed: PostgreSQL appends to the
 * file that it was given, and another gateway may have given it. A line that is written between the two steps is lost.
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
    // Also on a full disk: this makes room.
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
