import { PlainBadRequest } from '../../../errors.ts';
import { writeCode, writes } from '../../../policy/index.ts';
import { mutation, type FieldsOf } from '../../engine/mutation.ts';
import { repositoryIn } from '../repositories/look-up.ts';
import { revisionIn } from '../repositories/revision.ts';
import { deleteRef } from '../writing/delete.ts';
import { createTag } from './create.ts';
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
    const commit = async () => {
      const revision = ref === '' ? undefined : await revisionIn(repository, ref);
      if (!revision) throw new PlainBadRequest(`Target ${ref} is invalid`);
      return revision.commit.id;
    };
    const git = await createTag(context, repository, { name, commit, message });
    return { tag: await tagIn({ ...repository, git }, name) };
  },
});

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
