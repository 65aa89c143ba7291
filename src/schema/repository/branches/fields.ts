import { BadRequest } from '../../../errors.ts';
import { matchesPattern, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg } from '../../engine/page.ts';
import { matching } from '../references/match.ts';
import { byName, pageOfNames } from '../references/page.ts';
import { Repository } from '../repositories/types.ts';
import { branchIn, heads, listBranches, recordsOf, type ListedBranch } from './read.ts';
import { Branch } from './types.ts';

/** The branches of a repository. */

const BranchSort = builder.enumType('BranchSort', {
  description: 'How branches are sorted: by name, or by the date of their last commit.',
  values: {
    NAME_ASC: { value: 'name_asc' },
    UPDATED_ASC: { value: 'updated_asc' },
    UPDATED_DESC: { value: 'updated_desc' },
  } as const,
});

type Sort = typeof BranchSort.$inferType;

function sorted(branches: readonly ListedBranch[], sort: Sort): readonly ListedBranch[] {
  // They come by name.
  if (sort === 'name_asc') return branches;
  const sign = sort === 'updated_asc' ? 1 : -1;
  return branches.toSorted((one, other) => sign * (one.seconds - other.seconds) || byName(one, other));
}

const mostNames = 1_000;

builder.objectFields(Repository, (t) => ({
  branch: t.field({
    type: Branch,
    nullable: true,
    description: 'A branch.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: { name: t.arg.string({ required: true }) },
    resolve: (repository, { name }) => branchIn(repository, name),
  }),
  branches: t.connection(
    {
      type: Branch,
      nullable: true,
      description: 'The branches; none in an empty repository.',
      admission: { class: 'token', scopes: reads, anonymous: true },
      args: {
        ...offsetArg,
        search: t.arg.string({
          description: 'A part of the name; `^x` for names that begin with it, `x$` for those that end with it.',
        }),
        regex: t.arg.string({ description: 'A regular expression in the syntax of RE2.' }),
        sort: t.arg({ type: BranchSort, defaultValue: 'name_asc' }),
      },
      resolve: async (repository, { search, regex, sort: given, ...args }) => {
        const sort = given ?? 'name_asc';
        return (await pageOfNames(args, {
          items: await matching(sorted(await listBranches(repository), sort), { search, regex }),
          folder: heads,
          byName: sort === 'name_asc',
          toRecords: (page) => recordsOf(repository, page),
        })) as never;
      },
    },
    connectionOf(Branch) as never,
  ),
  branchNames: t.stringList({
    nullable: true,
    description: 'Names of branches.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: {
      searchPattern: t.arg.string({ required: true, description: 'In it, `*` stands for any text.' }),
      offset: t.arg.int({ required: true, description: 'How many to skip.' }),
      limit: t.arg.int({ required: true, description: `How many at most, up to ${mostNames}.` }),
    },
    resolve: async (repository, { searchPattern, offset, limit }) => {
      if (offset < 0) throw new BadRequest('An offset is not negative.');
      if (limit < 0 || limit > mostNames) throw new BadRequest(`A limit is from 0 to ${mostNames}.`);
      const branches = await listBranches(repository);
      const found = branches.filter(({ name }) => matchesPattern(searchPattern, name));
      return found.slice(offset, offset + limit).map(({ name }) => name);
    },
  }),
}));
