import type { Context } from '../../../context.ts';
import { asGitError, Mismatch } from '../../../git/errors.ts';
import { readRef } from '../../../git/objects/index.ts';
import { prepareChanges } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';

/** The reference that keeps the commit of a pipeline while its jobs run. Only their tokens see it. */
const refOfPipeline = (pipelineId: number): string => `refs/pipelines/${pipelineId}`;

/**
 * Makes the reference of a pipeline, if it isn’t there. The caller has locked the pipeline, so no one removes it meanwhile.
 * @throws NotFound without the commit; Busy, TimedOut, Broken
 */
export async function keepCommit(
  { git }: Pick<Context, 'git'>,
  { projectId, id, sha }: { readonly projectId: number; readonly id: number; readonly sha: string },
): Promise<void> {
  const repository = git.repository(projectId);
  await change(repository, { ref: refOfPipeline(id), old: undefined, new: sha }).catch((error: unknown) => {
    // A process that died before its transaction ended made it.
    if (!(error instanceof Mismatch)) throw error;
  });
}

/** Removes the reference of a pipeline, if it is there. */
export async function releaseCommit(repository: Repository, pipelineId: number): Promise<void> {
  const ref = refOfPipeline(pipelineId);
  const old = await readRef(repository, ref);
  if (old !== undefined) await change(repository, { ref, old, new: undefined });
}

/** The same, where there may be no repository: external statuses make pipelines of projects without one. */
export async function releaseCommitIfAny(repository: Repository, pipelineId: number): Promise<void> {
  await releaseCommit(repository, pipelineId).catch((error: unknown) => {
    if (asGitError(error)?.code !== 'NOT_FOUND') throw error;
  });
}

async function change(repository: Repository, one: Parameters<typeof prepareChanges>[1][number]): Promise<void> {
  const prepared = await prepareChanges(repository, [one]);
  await prepared.commit();
}
