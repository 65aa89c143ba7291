import { statement } from '../../../database/index.ts';
import type { BranchRule } from '../../../policy/index.ts';

/** A rule that protects branches. */
export interface RuleRow extends BranchRule {
  readonly id: number;
  readonly projectId: number;
  readonly createdAt: Date;
}

const columns = `r.id, r.project_id as "projectId", r.name, r.push_access_level as "pushAccessLevel",
  r.merge_access_level as "mergeAccessLevel", r.allow_force_push as "allowForcePush", r.created_at as "createdAt"`;

/** The rules of a project, in the order of their names. $1 project. */
export const findRules = statement<RuleRow>(
  'find_branch_rules',
  `select ${columns} from protected_branches r where r.project_id = $1::int order by r.name collate "C"`,
);
