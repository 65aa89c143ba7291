import { readCommit, readRef, resolveCommit } from '../../../git/objects/index.ts';
import type { Commit } from '../../../git/objects/parse.ts';
import type { Repository } from '../../../git/repository.ts';
import type { RepositoryRecord } from '../../repository/repositories/look-up.ts';
import { refused } from './refused.ts';

/** What a pipeline is made for. */
export interface Target {
  readonly git: Repository;
  /** The short name of a branch or tag. */
  readonly ref: string;
  readonly tag: boolean;
  readonly commit: Commit;
}

const heads = 'refs/heads/';
const tags = 'refs/tags/';

/**
 * The branch or tag that a request names.
 * @param sha the commit, if it isn’t the one that the branch is at
 * @throws InvalidFields in the words of the contract
 */
export async function targetOf({ git }: RepositoryRecord, given: string, sha?: string): Promise<Target> {
  if (!git) throw refused('Reference not found');
  const named = nameOf(given);
  const [branch, tag] = await Promise.all([
    named.kind === 'tag' ? undefined : readRef(git, `${heads}${named.name}`),
    named.kind === 'branch' ? undefined : readRef(git, `${tags}${named.name}`),
  ]);
  if (branch === undefined && tag === undefined) throw refused('Reference not found');
  if (branch !== undefined && tag !== undefined) throw refused('Ref is ambiguous');
  const isTag = branch === undefined;
  const commit = await (sha === undefined
    ? resolveCommit(git, named.name, isTag ? 'tag' : 'branch')
    : readCommit(git, sha));
  if (!commit) throw refused('Commit not found');
  return { git, ref: named.name, tag: isTag, commit };
}

/** The short name behind a full one, or a name that may be either. */
export function nameOf(given: string): { readonly name: string; readonly kind?: 'branch' | 'tag' } {
  if (given.startsWith(heads)) return { name: given.slice(heads.length), kind: 'branch' };
  if (given.startsWith(tags)) return { name: given.slice(tags.length), kind: 'tag' };
  return { name: given };
}
