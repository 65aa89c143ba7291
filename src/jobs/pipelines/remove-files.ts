import type { Database } from '../../database/index.ts';
import { findAbandonedFiles, forgetFiles, giveUpArtifacts } from '../../schema/pipelines/job-files/statements.ts';
import type { FileStore } from '../../storage/files.ts';

/** Files of each kind that are removed at a time. */
const batch = 200;

/**
 * Removes the files of jobs that are gone, erased or expired. A row goes after its file, so that a crash leaves no file
 * that nothing names.
 * @returns how many files were removed
 */
export async function removeJobFiles(database: Database, files: FileStore, signal: AbortSignal): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    await database.rows(giveUpArtifacts, [batch]);
    const found = await database.rows(findAbandonedFiles, [batch]);
    if (found.length === 0) return removed;
    for (const { location } of found) await files.remove(location);
    const idsOf = (wanted: string) => found.filter(({ kind }) => kind === wanted).map(({ id }) => id);
    await database.rows(forgetFiles, [idsOf('trace'), idsOf('artifact')]);
    removed += found.length;
  }
  return removed;
}
