import type { Database } from '../../database/index.ts';
import type { Git } from '../../git/index.ts';
import { removeRepository, sweepRemoved } from '../../git/storage/index.ts';
import { findAbandoned, forgetRepositories } from '../../schema/repository/writing/statements.ts';

/** Repositories that one round takes away. */
const batch = 100;

/** Milliseconds for which the files of a removed project wait for someone who misses them. */
const graceTime = 7 * 24 * 3_600_000;

/**
 * Takes the files of removed projects away: first aside, and after a week for good.
 * @returns how many were taken aside
 */
export async function removeRepositories(database: Database, git: Git): Promise<number> {
  const abandoned = (await database.rows(findAbandoned, [batch])).map(({ id }) => id);
  for (const id of abandoned) await removeRepository(git.root, git.repository(id));
  if (abandoned.length > 0) await database.rows(forgetRepositories, [abandoned]);
  await sweepRemoved(git.root, Date.now() - graceTime);
  return abandoned.length;
}
