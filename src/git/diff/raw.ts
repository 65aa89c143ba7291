import type { Readable } from 'node:stream';
import { checkedObject } from '../names/refs.ts';
import { readCommit } from '../objects/index.ts';
import type { Repository } from '../repository.ts';
import { outputOf } from '../runner/output.ts';

/** What git prints of commits, without a limit: streams that fail if git fails; destroying one ends git. */

/** How it is printed. */
interface Asking {
  /** Who asks: one of them doesn't hold up the others. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

const plain = ['-p', '-M', '--no-ext-diff', '--no-textconv', '--no-color'];

/** @throws Busy */
async function printed(repository: Repository, args: readonly string[], { owner, signal }: Asking): Promise<Readable> {
  const job = await repository.start([...args], {
    kind: 'heavy',
    ...(owner === undefined ? {} : { owner }),
    signal,
  });
  return outputOf(job, signal);
}

/** How two commits differ, as `git diff` prints it. @throws Busy */
export const patchBetween = (repository: Repository, from: string, to: string, how: Asking = {}): Promise<Readable> =>
  printed(repository, ['diff-tree', '-r', ...plain, checkedObject(from), checkedObject(to)], how);

/** What a commit changed against its first parent, or against nothing, as `git diff` prints it. @throws Busy */
export async function patchOfCommit(repository: Repository, commit: string, how: Asking = {}): Promise<Readable> {
  const parent = (await readCommit(repository, commit))?.parents[0];
  if (parent !== undefined) return await patchBetween(repository, parent, commit, how);
  return await printed(
    repository,
    ['diff-tree', '-r', '--root', '--no-commit-id', ...plain, checkedObject(commit)],
    how,
  );
}

/**
 * Commits as mails that `git am` takes: the one, or all that lead to it from another. Merges are left out.
 * @throws Busy
 */
export function mailedPatches(
  repository: Repository,
  commit: string,
  { from, ...how }: Asking & { readonly from?: string } = {},
): Promise<Readable> {
  const to = checkedObject(commit);
  const which = from === undefined ? ['-1', to] : [`${checkedObject(from)}..${to}`];
  const [, ...withStat] = plain;
  return printed(repository, ['format-patch', '--stdout', '--no-signature', ...withStat, ...which], how);
}
