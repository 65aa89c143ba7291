import { resolveCommit } from '../../../git/objects/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import type { Repository } from '../../../git/repository.ts';
import type { RepositoryRecord } from './look-up.ts';

/** A commit of a repository, with its files. */
export interface Revision {
  readonly git: Repository;
  readonly commit: Commit;
}

/**
 * What a revision stands for: a branch, a tag, `HEAD`, or the beginning of an object's name (contract S3).
 * @param ref the default branch if omitted or empty
 * @returns undefined for anything else, and in an empty repository
 */
export async function revisionIn(
  { git, defaultBranch }: RepositoryRecord,
  ref?: string | null,
): Promise<Revision | undefined> {
  const name = ref || defaultBranch;
  if (!git || name === null) return undefined;
  const commit = await resolveCommit(git, name);
  return commit && { git, commit };
}
