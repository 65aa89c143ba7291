import { NotFound, PlainBadRequest } from '../../../errors.ts';
import { isAncestor } from '../../../git/history/index.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import { listRefs, type Ref } from '../../../git/refs/index.ts';
import type { Repository } from '../../../git/repository.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';

/** Reading branches. */

/** A branch. */
export interface BranchRecord {
  readonly repository: RepositoryRecord & { readonly git: Repository };
  readonly name: string;
  /** The commit that it is at. */
  readonly commit: string;
  /** Whether the default branch has everything that it has. Never of the default branch itself. */
  readonly merged: () => Promise<boolean>;
}

export const heads = 'refs/heads/';

/** A branch by its name. @throws PlainBadRequest for a name that git forbids, NotFound */
export async function branchIn(repository: RepositoryRecord, name: string): Promise<BranchRecord> {
  if (!isName(name)) throw new PlainBadRequest('The branch refname is invalid');
  const { git, defaultBranch } = repository;
  const commit = git && (await readRef(git, `${heads}${name}`));
  if (!git || commit === undefined) throw new NotFound('Branch');
  const merged = async () => {
    if (name === defaultBranch || defaultBranch === null) return false;
    const tip = await readRef(git, `${heads}${defaultBranch}`);
    return tip !== undefined && (await isAncestor(git, commit, tip));
  };
  return { repository: { ...repository, git }, name, commit, merged };
}

/** A branch of a list, before anything of its commit is read. */
export interface ListedBranch extends Pick<Ref, 'seconds'> {
  readonly name: string;
  readonly commit: string;
}

/** The branches of a repository, in the order of the bytes of their names. */
export async function listBranches({ git }: RepositoryRecord): Promise<ListedBranch[]> {
  if (!git) return [];
  const refs = await listRefs(git, { below: ['refs/heads'] });
  return refs.map(({ ref, id, seconds }) => ({ name: ref.slice(heads.length), commit: id, seconds }));
}

/** The branches of a page as records. If a field asks, one look finds which of them are merged. */
export function recordsOf(repository: RepositoryRecord, page: readonly ListedBranch[]): BranchRecord[] {
  let found: Promise<ReadonlySet<string>> | undefined;
  // One record for all: what decides about their protection is read once.
  const of = { ...repository, git: repository.git! };
  return page.map(({ name, commit }) => ({
    repository: of,
    name,
    commit,
    merged: async () =>
      (
        await (found ??= mergedOf(
          repository,
          page.map((one) => one.name),
        ))
      ).has(name),
  }));
}

/** Those of some branches that are merged into the default one. */
async function mergedOf(
  { git, defaultBranch }: RepositoryRecord,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const tip = git && defaultBranch !== null ? await readRef(git, `${heads}${defaultBranch}`) : undefined;
  if (!git || tip === undefined) return new Set();
  const below = names.filter((name) => name !== defaultBranch).map((name) => `${heads}${name}`);
  const refs = await listRefs(git, { below, mergedInto: tip });
  return new Set(refs.map(({ ref }) => ref.slice(heads.length)));
}
