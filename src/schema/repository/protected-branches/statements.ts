import { statement } from '../../../database/index.ts';
import type { BranchRule } from '../../../policy/index.ts';

/** A rule that protects branches. */
export interface RuleRow extends BranchRule {
  readonly id: number;
  readonly projectId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `r.id, r.project_id as "projectId", r.name, r.push_access_level as "pushAccessLevel",
  r.merge_access_level as "mergeAccessLevel", r.allow_force_push as "allowForcePush", r.created_at as "createdAt",
  r.updated_at as "updatedAt"`;

/** The rules of a project, in the order of their names. $1 project. */
export const findRules = statement<RuleRow>(
  'find_branch_rules',
  `select ${columns} from protected_branches r where r.project_id = $1::int order by r.name collate "C"`,
);

/** The project of a rule. $1 rule. */
export const findProjectOfRule = statement<{ id: number }>(
  'find_project_of_branch_rule',
  'select r.project_id as id from protected_branches r where r.id = $1::int',
);

/** A rule, locked until the transaction ends. $1 project, $2 rule or null, $3 its name if $2 is null. */
export const lockRule = statement<RuleRow>(
  'lock_branch_rule',
  `select ${columns} from protected_branches r
    where r.project_id = $1::int and case when $2::int is null then r.name = $3::text else r.id = $2::int end for update`,
);

/**
 * Makes a rule. No row: the project has one of that name, or as many as it may have. $1 project, $2 name, $3 push, $4
 * merge, $5 force, $6 the most that it may have.
 */
export const insertRule = statement<RuleRow>(
  'insert_branch_rule',
  `insert into protected_branches as r (project_id, name, push_access_level, merge_access_level, allow_force_push)
   select $1::int, $2::text, $3::int, $4::int, $5::boolean
    where (select count(*) from protected_branches other where other.project_id = $1::int) < $6::int
   on conflict (project_id, name) do nothing returning ${columns}`,
);

/** Changes a rule; null keeps a value. $1 rule, $2 name, $3 push, $4 merge, $5 force. */
export const updateRule = statement<RuleRow>(
  'update_branch_rule',
  `update protected_branches r set name = coalesce($2::text, name), push_access_level = coalesce($3::int, push_access_level),
     merge_access_level = coalesce($4::int, merge_access_level), allow_force_push = coalesce($5::boolean, allow_force_push),
     updated_at = now()
    where r.id = $1::int returning ${columns}`,
);

/** $1 rule. */
export const deleteRule = statement<object>('delete_branch_rule', 'delete from protected_branches where id = $1::int');
