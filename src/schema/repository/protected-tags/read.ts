import type { Context } from '../../../context.ts';
import type { RefPlace } from '../../../policy/index.ts';
import { readOnce, rulesOf } from '../protected-branches/read.ts';
import { findTagRules } from './statements.ts';

/** The rules for the tags of a repository, in the order of their names. */
export const tagRulesOf = readOnce(findTagRules);

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
