import type { Database } from '../../database/index.ts';
import { asGitError } from '../../git/errors.ts';
import type { Git } from '../../git/index.ts';
import { copyRepository, createRepository, exists } from '../../git/storage/index.ts';
import { setHead } from '../../git/refs/index.ts';
import { endCopy, findCopied, lockRepository, storeCopyStatus } from '../../schema/repository/writing/statements.ts';
import { firstProtection } from '../../values/attributes/branch-protection.ts';
import { enqueue } from '../enqueue.ts';

/**
 * Copies the branches and tags of a project into its fork, or one branch with its tags, with every object: nothing is shared
 * (contract S14). May run again after it was broken off: a fetch brings what is missing.
 */
export async function copyToFork(
  database: Database,
  git: Git,
  { projectId, sourceId, branch }: { projectId: number; sourceId: number; branch?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const [source] = await database.rows(findCopied, [sourceId, projectId]);
  if (!source) return;
  await database.rows(storeCopyStatus, [projectId, 'started']);
  const defaultBranch = branch ?? source.default_branch;
  const fork = git.repository(projectId);
  try {
    // The row is there before the files, so that the sweep finds them.
    await database.transaction(async (sql) => await sql.rows(lockRepository, [projectId]));
    if (!(await exists(fork.path))) await createRepository(fork.path);
    await copyRepository(fork, git.repository(sourceId), { branch, signal });
    if (defaultBranch !== null) await setHead(fork, defaultBranch);
  } catch (error) {
    const isLast = asGitError(error)?.code === 'NOT_FOUND';
    if (!isLast) throw error;
    await database.rows(storeCopyStatus, [projectId, 'failed']);
    return;
  }
  const { rule } = firstProtection(source.group_attributes);
  const levels = [rule?.push ?? null, rule?.merge ?? null, rule?.force ?? null];
  await database.rows(endCopy, [projectId, defaultBranch, ...levels]);
  await enqueue(database, 'measure_repository', { projectId }, { key: String(projectId) });
}
