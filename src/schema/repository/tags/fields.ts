import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg } from '../../engine/page.ts';
import { matching } from '../references/match.ts';
import { pageOfNames } from '../references/page.ts';
import { Repository } from '../repositories/types.ts';
import { sortedTags, tagSorts } from './order.ts';
import { listTags, tagIn, tags } from './read.ts';
import { Tag } from './types.ts';

/** The tags of a repository. */

const TagSort = builder.enumType('TagSort', {
  description: 'How tags are sorted: by name, by the date of their commit, or by the version in their name.',
  values: tagSorts,
});

builder.objectFields(Repository, (t) => ({
  tag: t.field({
    type: Tag,
    nullable: true,
    description: 'A tag.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: { name: t.arg.string({ required: true }) },
    resolve: (repository, { name }) => tagIn(repository, name),
  }),
  tags: t.connection(
    {
      type: Tag,
      nullable: true,
      description: 'The tags that lead to commits.',
      admission: { class: 'token', scopes: reads, anonymous: true },
      args: {
        ...offsetArg,
        search: t.arg.string({
          description: 'A part of the name; `^x` for names that begin with it, `x$` for those that end with it.',
        }),
        sort: t.arg({ type: TagSort, defaultValue: 'updated_desc' }),
      },
      resolve: async (repository, { search, sort, ...args }) =>
        (await pageOfNames(args, {
          items: await matching(sortedTags(await listTags(repository), sort ?? 'updated_desc'), { search }),
          folder: tags,
          byName: false,
          toRecords: (page) => {
            // One record for all: what decides about their protection is read once.
            const of = { ...repository, git: repository.git! };
            return page.map(({ seconds: _unused, ...tag }) => ({ ...tag, repository: of }));
          },
        })) as never,
    },
    connectionOf(Tag) as never,
  ),
}));
