import { readCommit, readTag } from '../../../git/objects/index.ts';
import type { Tag as GitTag } from '../../../git/objects/parse.ts';
import { mayDeleteTag, tagLevelsOf } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { Commit, commitRecord, localOf } from '../commits/types.ts';
import { tagRulesOf } from '../protected-tags/read.ts';
import type { TagRecord } from './read.ts';

const read = new WeakMap<TagRecord, Promise<GitTag | undefined>>();

/** What an annotated tag says, read once for all fields; undefined for a lightweight one. */
function annotationOf(tag: TagRecord): Promise<GitTag | undefined> {
  let found = read.get(tag);
  if (!found) read.set(tag, (found = tag.annotated ? readTag(tag.repository.git, tag.id) : Promise.resolve(undefined)));
  return found;
}

export const Tag = builder.objectRef<TagRecord>('Tag').implement({
  description: 'A tag of a repository.',
  fields: (t) => ({
    name: t.exposeString('name'),
    message: t.string({
      nullable: true,
      description: 'What an annotated tag says; null for a lightweight one.',
      resolve: async (tag) => (await annotationOf(tag))?.message.trimEnd() ?? null,
    }),
    target: t.exposeString('id', { description: 'The object that it holds: of an annotated tag, the tag’s own.' }),
    commit: t.field({
      type: Commit,
      nullable: true,
      description: 'The commit that it leads to.',
      resolve: async ({ repository, commit: id }) => {
        const commit = await readCommit(repository.git, id);
        return commit ? commitRecord(repository, commit) : null;
      },
    }),
    protected: t.boolean({
      description: 'Whether a rule protects it.',
      resolve: async ({ repository, name }, _args, context) =>
        tagLevelsOf(await tagRulesOf(context, repository), name) !== undefined,
    }),
    canDelete: t.boolean({
      description: 'Whether you may delete it.',
      resolve: async ({ repository, name }, _args, context) => {
        const { viewer } = context;
        return mayDeleteTag({ ...repository, viewer, tagRules: await tagRulesOf(context, repository) }, name);
      },
    }),
    createdAt: t.string({
      nullable: true,
      description: 'When an annotated tag was made, as the clock of its maker showed it; null for a lightweight one.',
      resolve: async (tag) => {
        const tagger = (await annotationOf(tag))?.tagger;
        return tagger ? localOf(tagger) : null;
      },
    }),
  }),
});
