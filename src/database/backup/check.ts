import type { CopyProgress } from './copy.ts';
import { eachTable, reading, type Header } from './file.ts';

/**
 * Reads a whole backup, changing nothing.
 * @throws BackupError for a file that isn't what a backup wrote
 */
export function checkBackup(file: string, progress: CopyProgress): Promise<Header> {
  return reading(file, async (backup) => {
    await eachTable(backup, 'rows checked', progress, async (_table, rows) => {
      for await (const _ of rows) void _;
    });
    return backup.header;
  });
}
