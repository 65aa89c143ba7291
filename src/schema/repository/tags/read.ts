import { NotFound } from '../../../errors.ts';
import { isName } from '../../../git/names/index.ts';
import { readInfo, readRef, resolveCommit } from '../../../git/objects/index.ts';
import { listRefs, type Ref } from '../../../git/refs/index.ts';
import type { Repository } from '../../../git/repository.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';

/** Reading tags. */

/** A tag that leads to a commit. */
export interface ListedTag {
  readonly name: string;
  /** The object that it holds: of an annotated tag, that of the tag itself. */
  readonly id: string;
  readonly annotated: boolean;
  readonly commit: string;
  /** Committer date of the commit, in seconds since 1970. */
  readonly seconds: number;
}

export interface TagRecord extends Omit<ListedTag, 'seconds'> {
  readonly repository: RepositoryRecord & { readonly git: Repository };
}

export const tags = 'refs/tags/';

/** The tags of a repository that lead to commits, in the order of the bytes of their names. */
export async function listTags({ git }: RepositoryRecord): Promise<ListedTag[]> {
  if (!git) return [];
  const refs = await listRefs(git, { below: ['refs/tags'] });
  const found = await Promise.all(refs.map((ref) => tagOf(git, ref)));
  return found.filter((tag) => tag !== undefined);
}

/** Undefined for a tag of something else than a commit. */
function tagOf(git: Repository, { ref, id, annotated, commit, seconds }: Ref) {
  const name = ref.slice(tags.length);
  if (commit !== undefined) return { name, id, annotated, commit, seconds };
  // A tag of a tag: git's list looks behind the first one only.
  return annotated ? tagOfTag(git, name, id) : undefined;
}

async function tagOfTag(git: Repository, name: string, id: string): Promise<ListedTag | undefined> {
  const commit = await resolveCommit(git, name, 'tag');
  return commit && { name, id, annotated: true, commit: commit.id, seconds: commit.committer.seconds };
}

/** A tag by its name. @throws NotFound */
export async function tagIn(repository: RepositoryRecord, name: string): Promise<TagRecord> {
  const { git } = repository;
  const id = git && isName(name) ? await readRef(git, `${tags}${name}`) : undefined;
  const commit = git && id !== undefined ? await resolveCommit(git, name, 'tag') : undefined;
  if (!git || id === undefined || !commit) throw new NotFound('Tag');
  const annotated = (await readInfo(git, id))?.type === 'tag';
  return { repository: { ...repository, git }, name, id, annotated, commit: commit.id };
}
