import { matchesPattern } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { identify } from '../../engine/global-id.ts';
import { accessLevel } from '../protected-branches/types.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { listTags } from '../tags/read.ts';
import type { TagRuleRow } from './statements.ts';

/** A rule that protects tags, with the repository that they are in. */
export interface TagRuleRecord extends TagRuleRow {
  readonly repository: RepositoryRecord;
}

const CreateAccessLevel = accessLevel('CreateAccessLevel', 'The least role that makes protected tags.');

export const TagRule = builder.objectRef<TagRuleRecord>('TagRule').implement({
  description: 'A rule that protects tags.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'A tag, or a pattern with `*` for any text.' }),
    matchingTagsCount: t.int({
      description: 'How many tags it is about now.',
      resolve: async ({ repository, name: pattern }) =>
        (await listTags(repository)).filter(({ name }) => matchesPattern(pattern, name)).length,
    }),
    createAccessLevels: t.field({
      type: [CreateAccessLevel],
      description: 'Who makes them: always one.',
      resolve: ({ id, createAccessLevel }) => [{ id, level: createAccessLevel }],
    }),
    createdAt: t.expose('createdAt', { type: 'Time' }),
    updatedAt: t.expose('updatedAt', { type: 'Time' }),
  }),
});

identify(TagRule, 'ProtectedTag');
