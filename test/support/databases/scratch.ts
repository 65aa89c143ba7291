import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const needed = 4 * 2 ** 30;

/**
 * The folder for the data of a PostgreSQL that lives as long as a test: in memory, where the system has room for it.
 * Cloning a database makes a thousand files, which takes several times as long on a disk.
 */
export function scratch(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory) || process.availableMemory() < needed) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize < needed ? tmpdir() : memory;
}
