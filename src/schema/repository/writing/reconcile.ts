import type { Database } from '../../../database/index.ts';
import type { Git } from '../../../git/index.ts';
import { exists, removeStaleLocks } from '../../../git/storage/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { storageFits } from '../storage/mark.ts';
import { settle } from './settle.ts';
import { findUnsettled, lockRepository } from './statements.ts';

/** Seconds after which a change that isn't known to be made is no writer's any more. */
const overdue = 30;

/**
 * Finishes what writers recorded and didn't see through, in all repositories: a process that dies between the commit of
 * its transaction and git's can't do it itself.
 * @param report receives which repository couldn't be settled; the next run tries again
 * @returns how many changes it finished
 * @throws once it is aborted
 */
export async function reconcile(
  database: Database,
  git: Git,
  { signal, report }: { signal: AbortSignal; report: (projectId: number, error: Error) => void },
): Promise<number> {
  // Of another folder's repositories, nothing can be said.
  if (!(await storageFits({ database, git }))) return 0;
  let settled = 0;
  let last = 0;
  for (;;) {
    const found = await database.rows(findUnsettled, [overdue, last]);
    if (found.length === 0) return settled;
    for (const { id } of found) {
      signal.throwIfAborted();
      last = id;
      try {
        settled += await settleOne(database, git, id);
      } catch (error) {
        report(id, error as Error);
      }
    }
  }
}

/** At a start: if a process left something, it is finished as soon as no one else does. */
export async function reconcileSoon(database: Database): Promise<void> {
  const found = await database.rows(findUnsettled, [0, 0]);
  if (found.length > 0)
    await enqueue(database, 'settle_repositories', {}, { key: 'start', runAt: new Date(Date.now() + overdue * 1_000) });
}

function settleOne(database: Database, git: Git, id: number): Promise<number> {
  const repository = git.repository(id);
  return database.transaction(async (sql) => {
    await sql.rows(lockRepository, [id]);
    // Without its files, nothing can be said about them.
    if (!(await exists(repository.path))) return 0;
    await removeStaleLocks(repository);
    return await settle(sql, id, repository);
  });
}
