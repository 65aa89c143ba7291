import type { Readable } from 'node:stream';
import { checkedObject } from '../names/refs.ts';
import type { Repository } from '../repository.ts';
import { outputOf } from '../runner/output.ts';

/**
 * How two commits differ, as `git diff` prints it, without a limit.
 * @param how.owner who asks: one of them doesn't hold up the others
 * @returns a stream that fails if git fails; destroying it ends git
 * @throws Busy
 */
export async function patchBetween(
  repository: Repository,
  from: string,
  to: string,
  { owner, signal }: { readonly owner?: string; readonly signal?: AbortSignal } = {},
): Promise<Readable> {
  const options = ['-p', '-r', '-M', '--no-ext-diff', '--no-textconv', '--no-color'];
  const job = await repository.start(['diff-tree', ...options, checkedObject(from), checkedObject(to)], {
    kind: 'heavy',
    ...(owner === undefined ? {} : { owner }),
    signal,
  });
  return outputOf(job, signal);
}
