import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { NotFound } from '../../../errors.ts';
import { isName } from '../../../git/names/index.ts';
import type { Facts, RefPlace } from '../../../policy/index.ts';
import { firstProtection, type FirstProtection } from '../../../values/attributes/branch-protection.ts';
import { findWriting, type WritingRow } from './statements.ts';

/** What decides who may change which branch of a project, read at the time of the change. */

/** The branch and rules of a project now. @throws NotFound if it is being removed */
export async function writingPlace(
  sql: Sql,
  { viewer, baseUrl }: Pick<Context, 'viewer' | 'baseUrl'>,
  { id, facts }: { readonly id: number; readonly facts: Facts },
  via: RefPlace['via'],
): Promise<{ place: RefPlace; first: FirstBranch }> {
  const [row] = await sql.rows(findWriting, [id]);
  if (!row) throw new NotFound('Project');
  const first = firstBranchOf(row);
  return {
    place: {
      viewer,
      facts,
      archived: row.archived,
      fullPath: row.full_path,
      membersUrl: `${baseUrl}/${row.full_path}/-/members`,
      defaultBranch: row.default_branch,
      rules: row.rules,
      tagRules: row.tag_rules,
      via,
      firstBranchLevels: first.levels,
    },
    first,
  };
}

/** The first branch of a repository, by the settings of the group. */
export interface FirstBranch extends FirstProtection {
  /** Its name, where a request names none. */
  readonly name: string;
}

function firstBranchOf({ group_attributes: attributes }: WritingRow): FirstBranch {
  const { defaultBranch } = attributes;
  const name = typeof defaultBranch === 'string' && isName(defaultBranch) ? defaultBranch : 'main';
  return { name, ...firstProtection(attributes) };
}

/** The default branch of a project now. @throws NotFound if it is being removed */
export async function writingDefault(sql: Sql, id: number): Promise<string | null> {
  const [row] = await sql.rows(findWriting, [id]);
  if (!row) throw new NotFound('Project');
  return row.default_branch;
}
