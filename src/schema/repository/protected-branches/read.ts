import type { Context } from '../../../context.ts';
import { findRules, type RuleRow } from './statements.ts';

const known = new WeakMap<object, Promise<readonly RuleRow[]>>();

/** The rules for the branches of a repository, in the order of their names. Read once for each record of it. */
export function rulesOf(context: Context, repository: { readonly id: number }): Promise<readonly RuleRow[]> {
  let found = known.get(repository);
  if (!found) known.set(repository, (found = context.database.rows(findRules, [repository.id])));
  return found;
}
