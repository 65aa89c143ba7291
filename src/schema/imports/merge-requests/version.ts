import { statsBetween } from '../../../git/diff/index.ts';
import { asGitError } from '../../../git/errors.ts';
import { countCommits } from '../../../git/history/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { changeRefs } from '../../../git/refs/transaction.ts';
import type { Repository } from '../../../git/repository.ts';
import { keepAround } from '../../../git/storage/index.ts';

/** The commits between which an imported merge request shows its changes. */
export interface ImportedVersion {
  readonly head: string;
  readonly base: string;
  readonly start: string;
  readonly files: number;
  readonly commits: number;
}

interface Commits {
  readonly headSha?: string | null | undefined;
  readonly baseSha?: string | null | undefined;
  readonly startSha?: string | null | undefined;
}

/** One more than a count ever shows. */
const most = 1_001;

/** What the commits show, which stay from now on. Undefined if the repository doesn’t have them. */
export async function versionOf(git: Repository, given: Commits): Promise<ImportedVersion | undefined> {
  const { headSha: head, baseSha: base, startSha: start } = given;
  if (!head || !base || !start) return undefined;
  try {
    const [{ files }, commits] = await Promise.all([
      statsBetween(git, base, head),
      countCommits(git, { from: [head], not: [base] }, most),
    ]);
    await keepAround(git, [head, base, start]);
    return { head, base, start, files: Math.min(files, most), commits };
  } catch (error) {
    if (asGitError(error) === undefined) throw error;
    return undefined;
  }
}

/** Names the head of a merge request, as clients fetch it. */
export async function nameHead(git: Repository, iid: number, head: string): Promise<void> {
  const ref = `refs/merge-requests/${iid}/head`;
  const old = await readRef(git, ref);
  if (old !== head) await changeRefs(git, [{ ref, old, new: head }]);
}
