import type { Application } from '../../../context.ts';
import { commitNames } from '../../../git/history/index.ts';
import { resolveCommit } from '../../../git/objects/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { deployedRange, linkAllMerged, linkMerged } from './statements/merge-requests.ts';

/** Commits between two deployments that are looked at; merge requests of older ones aren't linked. */
const mostCommits = 10_000;

/**
 * After a successful deployment: links the merge requests that it brought to its environment. Not for environments in
 * folders, which show branches, unless they are for production or staging. The job `link_deployment`; may be repeated.
 */
export async function linkDeployment(
  { database, git }: Application,
  { deploymentId }: PayloadOf<'link_deployment'>,
  signal: AbortSignal,
): Promise<void> {
  const [range] = await database.rows(deployedRange, [deploymentId]);
  if (!range || (range.name.includes('/') && !['production', 'staging'].includes(range.tier))) return;
  const { id, projectId, environmentId, ref, sha, before } = range;
  if (before === null) {
    await database.rows(linkAllMerged, [id, environmentId, projectId, ref]);
    return;
  }
  const repository = git.repository(projectId);
  // A force push may have removed either of them.
  const [from, to] = await Promise.all([resolveCommit(repository, before), resolveCommit(repository, sha)]);
  if (!from || !to) return;
  const commits = await commitNames(repository, { from: [to.id], not: [from.id] }, mostCommits, signal);
  if (commits.length > 0) await database.rows(linkMerged, [id, environmentId, projectId, commits]);
}
