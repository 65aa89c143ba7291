import type { Database } from '../../database/index.ts';
import { asGitError } from '../../git/errors.ts';
import type { Git } from '../../git/index.ts';
import { maintain } from '../../git/storage/index.ts';
import { storeMaintained } from '../../schema/repository/writing/statements.ts';
import { enqueue } from '../enqueue.ts';

/** Puts the files of a repository in order, thoroughly, and counts its bytes again. */
export async function maintainRepository(
  database: Database,
  git: Git,
  projectId: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await maintain(git.repository(projectId), 'thorough', signal);
  } catch (error) {
    // Removed meanwhile.
    if (asGitError(error)?.code === 'NOT_FOUND') return;
    throw error;
  }
  await database.rows(storeMaintained, [projectId]);
  await enqueue(database, 'measure_repository', { projectId }, { key: String(projectId) });
}
