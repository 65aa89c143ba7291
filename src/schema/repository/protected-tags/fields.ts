import type { Context } from '../../../context.ts';
import { Forbidden, NotFound } from '../../../errors.ts';
import { adminBranches, holds, reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { connectionOf, offsetArg, resolveArrayPage } from '../../engine/page.ts';
import type { RepositoryRecord } from '../repositories/look-up.ts';
import { Repository } from '../repositories/types.ts';
import { tagRulesOf } from './read.ts';
import { TagRule, type TagRuleRecord } from './types.ts';

/** The rules that protect tags. Those who may change them see them. */

/** @throws Forbidden */
async function rulesFor(context: Context, repository: RepositoryRecord): Promise<readonly TagRuleRecord[]> {
  if (!holds(adminBranches, context.viewer, repository.facts)) throw new Forbidden();
  return (await tagRulesOf(context, repository)).map((rule) => ({ ...rule, repository }));
}

builder.objectFields(Repository, (t) => ({
  tagRules: t.connection(
    {
      type: TagRule,
      nullable: true,
      description: 'The rules that protect tags, by name. For maintainers.',
      admission: { class: 'token', scopes: reads },
      args: { ...offsetArg },
      resolve: async (repository, args, context) =>
        (await resolveArrayPage(args, await rulesFor(context, repository), ({ id }) => String(id))) as never,
    },
    connectionOf(TagRule) as never,
  ),
  tagRule: t.field({
    type: TagRule,
    nullable: true,
    description: 'A rule by its own name, not by that of a tag. For maintainers.',
    admission: { class: 'token', scopes: reads },
    args: { name: t.arg.string({ required: true }) },
    resolve: async (repository, { name }, context) => {
      const rule = (await rulesFor(context, repository)).find((one) => one.name === name);
      if (!rule) throw new NotFound('Tag rule');
      return rule;
    },
  }),
}));
