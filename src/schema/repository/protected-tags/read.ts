import type { Context } from '../../../context.ts';
import type { RefPlace } from '../../../policy/index.ts';
import { rulesOf } from '../protected-branches/read.ts';
import { findTagRules, type TagRuleRow } from './statements.ts';

const known = new WeakMap<object, Promise<readonly TagRuleRow[]>>();

/** The rules for the tags of a repository, in the order of their names. Read once for each record of it. */
export function tagRulesOf(context: Context, repository: { readonly id: number }): Promise<readonly TagRuleRow[]> {
  let found = known.get(repository);
  if (!found) known.set(repository, (found = context.database.rows(findTagRules, [repository.id])));
  return found;
}

/** The rules that decide about a branch, or about a tag: the others are not read. */
export async function rulesAbout(
  context: Context,
  repository: { readonly id: number },
  { tag }: { readonly tag: boolean },
): Promise<Pick<RefPlace, 'rules' | 'tagRules'>> {
  return tag
    ? { rules: [], tagRules: await tagRulesOf(context, repository) }
    : { rules: await rulesOf(context, repository), tagRules: [] };
}
