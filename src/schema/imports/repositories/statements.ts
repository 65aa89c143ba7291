import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

/**
 * Makes a rule of protected branches, or changes the one of its name. $1 project, $2 name, $3 push, $4 merge, $5 force, $6 the id
 * to keep or null. No row: the project is gone.
 */
export const storeRule = statement<{ id: number }>(
  'import_branch_rule',
  `insert into protected_branches (id, project_id, name, push_access_level, merge_access_level, allow_force_push)
   select ${idOrNext('protected_branches', '$6')}, p.id, $2, $3::int, $4::int, $5 from projects p where p.id = $1::int and p.deleting_since is null
   on conflict (project_id, name) do update set push_access_level = excluded.push_access_level,
     merge_access_level = excluded.merge_access_level, allow_force_push = excluded.allow_force_push, updated_at = now()
   returning id`,
);

/** Changes a rule. $1 id, $2 push, $3 merge, $4 force. */
export const changeRule = statement<{ id: number }>(
  'change_imported_branch_rule',
  `update protected_branches set push_access_level = $2::int, merge_access_level = $3::int, allow_force_push = $4,
      updated_at = now() where id = $1::int returning id`,
);

/**
 * Makes a rule of protected tags, or changes the one of its name. $1 project, $2 name, $3 level. No row: the project is gone.
 */
export const storeTagRule = statement<{ id: number }>(
  'import_tag_rule',
  `insert into protected_tags (project_id, name, create_access_level)
   select p.id, $2, $3::int from projects p where p.id = $1::int and p.deleting_since is null
   on conflict (project_id, name) do update set create_access_level = excluded.create_access_level, updated_at = now()
   returning id`,
);

/** Changes a rule. $1 id, $2 level. */
export const changeTagRule = statement<{ id: number }>(
  'change_imported_tag_rule',
  'update protected_tags set create_access_level = $2::int, updated_at = now() where id = $1::int returning id',
);
