import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { InvalidFields } from '../../../errors.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { exists } from '../../../git/storage/index.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { followDefault, settle } from './settle.ts';
import { lockRepository, storeDefaultBranch } from './statements.ts';

/**
 * Makes another branch the default one, in a transaction that changes its project: before it locks the project, because
 * writers of the repository lock it in that order. After the commit, call what is returned.
 * @returns makes `HEAD` name it. Should the process die before, the next writer does that.
 * @throws InvalidFields if there is no such branch
 */
export async function chooseDefaultBranch(
  sql: Sql,
  context: Context,
  projectId: number,
  branch: string,
): Promise<() => Promise<void>> {
  await sql.rows(lockRepository, [projectId]);
  const git = context.git.repository(projectId);
  const isThere = isName(branch) && (await exists(git.path));
  if (isThere) await settle(sql, projectId, git);
  if (!isThere || (await readRef(git, `refs/heads/${branch}`)) === undefined)
    throw new InvalidFields({ base: [`Could not change HEAD: branch '${branch}' does not exist`] });
  await sql.rows(storeDefaultBranch, [projectId, branch]);
  await enqueue(sql, 'measure_repository', { projectId }, { key: String(projectId) });
  return () => followDefault(git, branch);
}
