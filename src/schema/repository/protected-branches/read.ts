import type { Context } from '../../../context.ts';
import type { Statement } from '../../../database/index.ts';
import { findRules } from './statements.ts';

/** Reads the rows of a repository once for each record of it. @param rows $1 the project */
export function readOnce<Row extends object>(
  rows: Statement<Row>,
): (context: Context, repository: { readonly id: number }) => Promise<readonly Row[]> {
  const known = new WeakMap<object, Promise<readonly Row[]>>();
  return (context, repository) => {
    let found = known.get(repository);
    if (!found) known.set(repository, (found = context.database.rows(rows, [repository.id])));
    return found;
  };
}

/** The rules for the branches of a repository, in the order of their names. */
export const rulesOf = readOnce(findRules);
