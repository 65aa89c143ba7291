import type { CopyProgress } from './copy.ts';
import { eachTable, reading, type Header } from './file.ts';
import type { Watch } from './stall.ts';

/**
 * Reads a whole backup, changing nothing.
 * @param watch notes the progress, where it is watched
 * @throws BackupError for a file that isn't what a backup wrote
 */
export function checkBackup(file: string, progress: CopyProgress, watch?: Watch): Promise<Header> {
  return reading(file, async (backup) => {
    await eachTable(backup, 'rows checked', progress, async (_table, rows) => {
      for await (const _ of rows) watch?.moved();
    });
    return backup.header;
  });
}
