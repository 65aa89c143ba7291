import type { Sql } from '../../../database/index.ts';
import { Busy, Mismatch } from '../../../git/errors.ts';
import { readRef } from '../../../git/objects/index.ts';
import { readHead, setHead } from '../../../git/refs/index.ts';
import { changeRefs } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { createRepository, exists, isLocked, removeStaleLocks } from '../../../git/storage/index.ts';
import { findUnapplied, markApplied, type RecordedChange } from './statements.ts';

/**
 * Finishes what a writer recorded and didn't see through: it died between the commit of its transaction and git's. The
 * caller holds the lock of the repository's row, so no other writer is in that place.
 *
 * A reference that is locked is left to its writer, who may live. If a killed git left the lock, only changes of that
 * reference wait until the lock is old enough to be removed; those of others don't.
 * @returns how many changes it finished
 */
export async function settle(sql: Sql, id: number, git: Repository): Promise<number> {
  const unapplied = await sql.rows(findUnapplied, [id]);
  if (unapplied.length === 0) return 0;
  await removeStaleLocks(
    git,
    unapplied.map(({ ref }) => ref),
  );
  const left = new Set<string>();
  const made: number[] = [];
  for (const change of unapplied) {
    if (!left.has(change.ref) && (await isMade(git, change))) made.push(change.id);
    else left.add(change.ref);
  }
  if (made.length === 0) return 0;
  await followDefault(git, unapplied[0]!.default_branch);
  await sql.rows(markApplied, [made]);
  return made.length;
}

/** Makes a change that isn't made yet. @returns false if its reference is locked */
async function isMade(git: Repository, change: RecordedChange): Promise<boolean> {
  if (await isLocked(git, change.ref)) return false;
  try {
    await repeat(git, change);
    return true;
  } catch (error) {
    if (error instanceof Busy) return false;
    throw error;
  }
}

async function repeat(git: Repository, change: RecordedChange, again = true): Promise<void> {
  const { ref, before, after } = change;
  const now = (await readRef(git, ref)) ?? null;
  if (now === after) return;
  // Anything else than the value before can't be: every writer settles first. The reference is left as it is.
  if (now !== before) return;
  try {
    await changeRefs(git, [{ ref, old: before ?? undefined, new: after ?? undefined }]);
  } catch (error) {
    // Its writer lives, and was faster.
    if (!(error instanceof Mismatch) || !again) throw error;
    await repeat(git, change, false);
  }
}

/** Makes the files of a repository, if they aren't there. */
export async function ensureRepository(git: Repository): Promise<void> {
  if (!(await exists(git.path))) await createRepository(git.path).catch(ignoreExisting);
}

async function ignoreExisting(error: unknown): Promise<void> {
  if ((error as { kind?: string }).kind !== 'directory-exists') throw error;
}

/** Makes `HEAD` name the default branch, as the project's record does. */
export async function followDefault(git: Repository, branch: string | null): Promise<void> {
  if (branch !== null && (await readHead(git)) !== branch) await setHead(git, branch);
}
