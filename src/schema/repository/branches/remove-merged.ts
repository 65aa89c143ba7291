import { contextOfPerson, type Application, type Context } from '../../../context.ts';
import { Forbidden, NotFound, PlainBadRequest } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { readRef } from '../../../git/objects/index.ts';
import { listRefs } from '../../../git/refs/index.ts';
import type { RefChange } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { protectionOf, writeCode } from '../../../policy/index.ts';
import type { PayloadOf } from '../../../values/kinds/job-kinds.ts';
import { rulesOf } from '../protected-branches/read.ts';
import { repositoryIn, type RepositoryRecord } from '../repositories/look-up.ts';
import { openForWriting, writeRefs } from '../writing/write.ts';
import { heads } from './read.ts';
import { findBranchesInReview } from './statements.ts';

/** Branches that one write deletes. */
const batch = 50;

/**
 * Deletes the merged branches of a project for a person, with the rights that they have now. The job
 * `remove_merged_branches` does it.
 * @throws once it is aborted
 */
export async function removeMergedBranches(
  application: Application,
  { projectId, personId }: PayloadOf<'remove_merged_branches'>,
  signal: AbortSignal,
): Promise<void> {
  const context = await contextOfPerson(application, personId);
  const first = context && (await writable(context, projectId));
  if (!first) return;
  const git = await openForWriting(context, first);
  const merged = await mergedIn(context, { ...first, git }, signal);
  for (let at = 0; at < merged.length; at += batch) {
    signal.throwIfAborted();
    const repository = await writable(context, projectId);
    if (!repository) return;
    await remove(context, repository, git, merged.slice(at, at + batch));
  }
}

/** The repository, if the person may still write to it. */
async function writable(context: Context, projectId: number): Promise<RepositoryRecord | undefined> {
  try {
    const repository = await repositoryIn(context, String(projectId), writeCode);
    return repository.git ? repository : undefined;
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return undefined;
    throw error;
  }
}

/** The deletions of what is merged and may go: no open merge request needs it (contract §2.2). */
async function mergedIn(
  context: Context,
  repository: RepositoryRecord & { readonly git: Repository },
  signal: AbortSignal,
): Promise<RefChange[]> {
  const { git, defaultBranch } = repository;
  const tip = defaultBranch === null ? undefined : await readRef(git, `${heads}${defaultBranch}`);
  if (tip === undefined) return [];
  const refs = await listRefs(git, { below: ['refs/heads'], mergedInto: tip, signal });
  const rules = await rulesOf(context, repository);
  const rows = await context.database.rows(findBranchesInReview, [repository.id]);
  const needed = new Set([defaultBranch, ...rows.map(({ name }) => name)]);
  const stays = (name: string) => needed.has(name) || protectionOf(rules, name) !== undefined;
  return refs
    .filter(({ ref }) => !stays(ref.slice(heads.length)))
    .map(({ ref, id }) => ({ ref, old: id, new: undefined }));
}

/** Deletes branches. Those that moved or were protected meanwhile stay. */
async function remove(
  context: Context,
  repository: RepositoryRecord,
  git: Repository,
  changes: readonly RefChange[],
): Promise<void> {
  try {
    await writeRefs(context, repository, git, changes);
  } catch (error) {
    const isRefused = error instanceof PlainBadRequest || asGitError(error)?.code === 'MISMATCH';
    if (!isRefused) throw error;
    if (changes.length === 1) return;
    for (const change of changes) await remove(context, repository, git, [change]);
  }
}
