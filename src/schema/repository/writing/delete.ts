import type { Context } from '../../../context.ts';
import { PlainBadRequest, PlainForbidden, PreconditionFailed } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { readCommit } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { deletesProtected, deletesProtectedTag } from '../../../policy/index.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { requireWritable } from './commit.ts';
import { openForWriting, writeRefs } from './write.ts';

/** A branch or a tag that is deleted. */
interface Deleted {
  readonly git: Repository;
  /** The full name. */
  readonly ref: string;
  /** What it holds. */
  readonly value: string;
  /** The commit that this leads to. */
  readonly commit: string;
  readonly unmodifiedSince: Date | null | undefined;
  /** What is said if it moved meanwhile. */
  readonly moved: string;
}

/** Refusals that are about the role of the person. */
const ofRoles: readonly string[] = [deletesProtected, deletesProtectedTag];

/**
 * Deletes a branch or a tag.
 * @throws PreconditionFailed if its commit was written after `unmodifiedSince`; PlainBadRequest with the first rule that
 *   refuses it, or if it moved meanwhile; PlainForbidden for people below Maintainer, if a rule protects it
 */
export async function deleteRef(
  context: Context,
  repository: RepositoryRecord,
  { git: known, ref, value, commit, unmodifiedSince, moved }: Deleted,
): Promise<void> {
  const { author } = (await readCommit(known, commit))!;
  if (unmodifiedSince && author.seconds * 1000 > unmodifiedSince.getTime()) throw new PreconditionFailed();
  requireWritable(context, repository);
  const git = await openForWriting(context, repository);
  try {
    await writeRefs(context, repository, git, [{ ref, old: value, new: undefined }]);
  } catch (error) {
    if (asGitError(error)?.code === 'MISMATCH') throw new PlainBadRequest(moved);
    if (error instanceof PlainBadRequest && ofRoles.includes(error.message)) throw new PlainForbidden(error.message);
    throw error;
  }
}
