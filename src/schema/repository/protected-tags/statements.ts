import { statement } from '../../../database/index.ts';
import type { TagRule } from '../../../policy/index.ts';

/** A rule that protects tags. */
export interface TagRuleRow extends TagRule {
  readonly id: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const columns = `r.id, r.name, r.create_access_level as "createAccessLevel", r.created_at as "createdAt",
  r.updated_at as "updatedAt"`;

/** The rules of a project, in the order of their names. $1 project. */
export const findTagRules = statement<TagRuleRow>(
  'find_tag_rules',
  `select ${columns} from protected_tags r where r.project_id = $1::int order by r.name collate "C"`,
);

/** A rule, locked until the transaction ends. $1 project, $2 its name. */
export const lockTagRule = statement<TagRuleRow>(
  'lock_tag_rule',
  `select ${columns} from protected_tags r where r.project_id = $1::int and r.name = $2 for update`,
);

/**
 * Makes a rule. No row: the project has one of that name, or as many as it may have. $1 project, $2 name, $3 level, $4 the
 * most that it may have.
 */
export const insertTagRule = statement<TagRuleRow>(
  'insert_tag_rule',
  `insert into protected_tags as r (project_id, name, create_access_level)
   select $1::int, $2::text, $3::int
    where (select count(*) from protected_tags other where other.project_id = $1::int) < $4::int
   on conflict (project_id, name) do nothing returning ${columns}`,
);

/** $1 rule. */
export const deleteTagRule = statement<object>('delete_tag_rule', 'delete from protected_tags where id = $1::int');
