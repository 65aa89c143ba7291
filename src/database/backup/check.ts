import type { CopyProgress } from './copy.ts';
import { eachTable, reading, type Header } from './file.ts';
import type { Watch } from './stall.ts';

/**
 * Reads a whole backup and changes nothing.
 * @param watch is notified of progress, if given
 * @throws BackupError when the file isn't a complete, unchanged backup
 */
export function checkBackup(file: string, progress: CopyProgress, watch?: Watch): Promise<Header> {
  return reading(file, async (backup) => {
    await eachTable(backup, 'rows checked', progress, async (_table, rows) => {
      for await (const _ of rows) watch?.moved();
    });
    for await (const { content } of backup.parts()) for await (const _ of content) watch?.moved();
    await backup.finish();
    return backup.header;
  });
}
