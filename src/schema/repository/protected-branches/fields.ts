import type { Context } from '../../../context.ts';
import { NotFound } from '../../../errors.ts';
import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { searchText } from '../../engine/list.ts';
import { connectionOf, offsetArg, resolveArrayPage, type PageArgs } from '../../engine/page.ts';
import { Project } from '../../places/place/types.ts';
import { repositoryOf } from '../repositories/fields.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';
import { rulesOf } from './read.ts';
import { BranchRule } from './types.ts';

/** The rules that protect branches. Everybody who reads the repository sees them. */

interface Asked extends PageArgs {
  readonly search?: string | null;
}

async function page(context: Context, repository: RepositoryRecord, { search: given, ...args }: Asked) {
  const search = searchText(given)?.toLowerCase();
  const all = await rulesOf(context, repository);
  const rules = search ? all.filter(({ name }) => name.toLowerCase().includes(search)) : all;
  const records = rules.map((rule) => ({ ...rule, repository }));
  return (await resolveArrayPage(args, records, ({ id }) => String(id))) as never;
}

const searchDescription = 'A part of the name.';

builder.objectFields(Repository, (t) => ({
  branchRules: t.connection(
    {
      type: BranchRule,
      nullable: true,
      description: 'The rules that protect branches, by name.',
      admission: { class: 'token', scopes: reads, anonymous: true },
      args: { ...offsetArg, search: t.arg.string({ description: searchDescription }) },
      resolve: (repository, args, context) => page(context, repository, args),
    },
    connectionOf(BranchRule) as never,
  ),
  branchRule: t.field({
    type: BranchRule,
    nullable: true,
    description: 'A rule by its own name, not by that of a branch.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: { name: t.arg.string({ required: true }) },
    resolve: async (repository, { name }, context) => {
      const rule = (await rulesOf(context, repository)).find((one) => one.name === name);
      if (!rule) throw new NotFound('Branch rule');
      return { ...rule, repository };
    },
  }),
}));

builder.objectField(Project, 'branchRules', (t) =>
  t.connection(
    {
      type: BranchRule,
      nullable: true,
      description: 'The rules that protect branches, by name. Null if you don’t read the repository.',
      args: { ...offsetArg, search: t.arg.string({ description: searchDescription }) },
      resolve: async (project, args, context) => {
        const repository = await repositoryOf(context, project);
        return repository ? await page(context, repository, args) : (null as never);
      },
    },
    connectionOf(BranchRule) as never,
  ),
);
