import type { Context } from '../../../context.ts';
import { PlainBadRequest } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { writeTag } from '../../../git/write/index.ts';
import { namesObject } from '../../../policy/index.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { requireWritable } from '../writing/commit.ts';
import { committerOf } from '../writing/committer.ts';
import { openForWriting, writeRefs } from '../writing/write.ts';
import { tags } from './read.ts';

/** A tag that is to be made. */
export interface NewTag {
  readonly name: string;
  /** Finds the commit, after the name was checked. */
  readonly commit: () => Promise<string>;
  /** What it says. It makes an annotated tag. */
  readonly message: string | null | undefined;
}

/**
 * Makes a tag as the viewer.
 * @returns the repository, which exists by then
 * @throws PlainBadRequest with the contract's text for everything that is wrong with it
 */
export async function createTag(
  context: Context,
  repository: RepositoryRecord,
  { name, commit: find, message }: NewTag,
): Promise<Repository> {
  requireWritable(context, repository);
  // The rules of writing have words of their own for a name that could be an object's.
  const isObjectLike = namesObject.test(name);
  if (!isName(name) && !isObjectLike) throw new PlainBadRequest('Tag name invalid');
  const exists = new PlainBadRequest(`Tag ${name} already exists`);
  if (repository.git && (await readRef(repository.git, `${tags}${name}`)) !== undefined) throw exists;
  const commit = await find();
  const git = await openForWriting(context, repository);
  const text = (message ?? '').trim();
  const target = text === '' || isObjectLike ? commit : await annotated(context, git, { name, commit, message: text });
  try {
    await writeRefs(context, repository, git, [{ ref: `${tags}${name}`, old: undefined, new: target }]);
  } catch (error) {
    const known = asGitError(error)?.code;
    if (known === 'CONFLICT') throw new PlainBadRequest(`Tag ${name} conflicts with the name of an existing tag`);
    throw known === 'MISMATCH' ? exists : error;
  }
  return git;
}

/** Writes the object of an annotated tag. */
const annotated = async (
  context: Context,
  git: Repository,
  tag: { readonly name: string; readonly commit: string; readonly message: string },
) => await writeTag(git, { ...tag, tagger: await committerOf(context) });
