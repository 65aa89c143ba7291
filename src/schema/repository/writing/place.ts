import type { Context } from '../../../context.ts';
import type { Sql } from '../../../database/index.ts';
import { NotFound } from '../../../errors.ts';
import { isName } from '../../../git/names/index.ts';
import type { Facts, RefPlace } from '../../../policy/index.ts';
import { branchProtection, branchProtectionLevel } from '../../../values/branch-protection.ts';
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
      via,
      firstBranchLevels: first.levels,
    },
    first,
  };
}

/** How the first branch of a repository is protected, by the setting of the group. */
export interface FirstBranch {
  /** Its name, where a request names none. */
  readonly name: string;
  /** Who makes it. */
  readonly levels: readonly number[];
  /** The rule that it gets; undefined for none. */
  readonly rule: { readonly push: number; readonly merge: number; readonly force: boolean } | undefined;
}

interface Defaults {
  readonly allowed_to_push: readonly { readonly access_level: number }[];
  readonly allowed_to_merge: readonly { readonly access_level: number }[];
  readonly allow_force_push: boolean;
  readonly developer_can_initial_push: boolean;
}

const usual = 2;

function firstBranchOf({ group_attributes: attributes }: WritingRow): FirstBranch {
  const level = (attributes.defaultBranchProtection ?? usual) as keyof typeof branchProtection;
  const defaults = (attributes.defaultBranchProtectionDefaults ?? branchProtection[level]) as Defaults;
  const { defaultBranch } = attributes;
  const name = typeof defaultBranch === 'string' && isName(defaultBranch) ? defaultBranch : 'main';
  if (branchProtectionLevel({ ...defaults }) === 0) return { name, levels: [30], rule: undefined };
  const least = (levels: Defaults['allowed_to_push']) =>
    Math.min(...levels.map(({ access_level: one }) => one).filter((one) => one > 0), 60);
  const push = defaults.allowed_to_push.some(({ access_level: one }) => one > 0) ? least(defaults.allowed_to_push) : 0;
  const merge = defaults.allowed_to_merge.some(({ access_level: one }) => one > 0)
    ? least(defaults.allowed_to_merge)
    : 0;
  return {
    name,
    // Somebody must be able to begin.
    levels: [defaults.developer_can_initial_push ? 30 : push || 40],
    rule: { push, merge, force: defaults.allow_force_push },
  };
}

/** The default branch of a project now. @throws NotFound if it is being removed */
export async function writingDefault(sql: Sql, id: number): Promise<string | null> {
  const [row] = await sql.rows(findWriting, [id]);
  if (!row) throw new NotFound('Project');
  return row.default_branch;
}
