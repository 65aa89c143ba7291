import type { Context } from '../../../context.ts';
import { PlainBadRequest } from '../../../errors.ts';
import { asGitError } from '../../../git/errors.ts';
import { isName } from '../../../git/names/index.ts';
import { readRef } from '../../../git/objects/index.ts';
import type { Repository } from '../../../git/repository.ts';
import { writeTag } from '../../../git/write/index.ts';
import { namesObject, writeCode, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { requireWritable } from '../writing/commit.ts';
import { committerOf } from '../writing/committer.ts';
import { deleteRef } from '../writing/delete.ts';
import { openForWriting, writeRefs } from '../writing/write.ts';
import { tagIn, tags, type TagRecord } from './read.ts';
import { Tag } from './types.ts';

/** Making and deleting tags. */

const payload = (t: FieldsOf<{ tag: TagRecord }>) => ({ tag: t.expose('tag', { type: Tag }) });

mutation('tagCreate', {
  description: 'Makes a tag.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true }),
    ref: t.string({ required: true, description: 'What it tags: a branch, a tag or a commit.' }),
    message: t.string({ description: 'What the tag says. It makes an annotated tag.' }),
  }),
  payload,
  resolve: async (context, { projectPath, name, ref, message }) => {
    const repository = await repositoryIn(context, projectPath, writeCode);
    requireWritable(context, repository);
    // The rules of writing have words of their own for a name that could be an object's.
    const isObjectLike = namesObject.test(name);
    if (!isName(name) && !isObjectLike) throw new PlainBadRequest('Tag name invalid');
    const exists = new PlainBadRequest(`Tag ${name} already exists`);
    if (repository.git && (await readRef(repository.git, `${tags}${name}`)) !== undefined) throw exists;
    const revision = ref === '' ? undefined : await revisionIn(repository, ref);
    if (!revision) throw new PlainBadRequest(`Target ${ref} is invalid`);
    const git = await openForWriting(context, repository);
    const text = (message ?? '').trim();
    const { id: commit } = revision.commit;
    const target =
      text === '' || isObjectLike ? commit : await annotated(context, git, { name, commit, message: text });
    try {
      await writeRefs(context, repository, git, [{ ref: `${tags}${name}`, old: undefined, new: target }]);
    } catch (error) {
      const known = asGitError(error)?.code;
      if (known === 'CONFLICT') throw new PlainBadRequest(`Tag ${name} conflicts with the name of an existing tag`);
      throw known === 'MISMATCH' ? exists : error;
    }
    return { tag: await tagIn({ ...repository, git }, name) };
  },
});

/** Writes the object of an annotated tag. */
const annotated = async (
  context: Context,
  git: Repository,
  tag: { readonly name: string; readonly commit: string; readonly message: string },
) => await writeTag(git, { ...tag, tagger: await committerOf(context) });

mutation('tagDelete', {
  description: 'Deletes a tag.',
  admission: { class: 'token', scopes: writes },
  input: (t) => ({
    projectPath: t.id({ required: true, description: 'Full path, global id or number.' }),
    name: t.string({ required: true }),
    unmodifiedSince: t.field({
      type: 'Time',
      description: 'Refuses the removal if the tag’s commit was written after this moment.',
    }),
  }),
  payload,
  resolve: async (context, { projectPath, name, unmodifiedSince }) => {
    const repository = await repositoryIn(context, projectPath, writeCode);
    const tag = await tagIn(repository, name);
    await deleteRef(context, repository, {
      git: tag.repository.git,
      ref: `${tags}${name}`,
      value: tag.id,
      commit: tag.commit,
      unmodifiedSince,
      moved: 'Could not delete the tag. Please refresh and try again.',
    });
    return { tag };
  },
});
