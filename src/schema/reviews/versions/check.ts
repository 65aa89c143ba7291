import { operatorContext, type Application } from '../../../context.ts';
import { readRef } from '../../../git/objects/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { refreshVersion } from './refresh.ts';
import { findFollowingProject, findUnchecked } from './statements.ts';

/** Merge requests that are checked after a change of their target, besides those that are to be merged by themselves. */
const mostChecked = 50;

/**
 * The job `check_merge_requests`, after a change of a branch: checks the merge requests into it, one after the other. One that
 * can't be checked doesn't keep it from the others.
 */
export async function checkMergeRequests(
  application: Application,
  { projectId, branch }: PayloadOf<'check_merge_requests'>,
  signal: AbortSignal,
): Promise<void> {
  const context = operatorContext(application);
  const { database, git } = context;
  const [project] = await database.rows(findFollowingProject, [projectId]);
  if (!project) return;
  const tip = (await readRef(git.repository(projectId), `refs/heads/${branch}`)) ?? null;
  const failures: unknown[] = [];
  for (const { id } of await database.rows(findUnchecked, [projectId, branch, tip, mostChecked])) {
    signal.throwIfAborted();
    await refreshVersion(context, id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
