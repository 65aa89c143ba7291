import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

/**
 * Makes a label, or takes the one of this title in its place. $1 the id to keep or null, $2 project or null, $3 group or null,
 * $4 title, $5 color, $6 description, $7 archived.
 */
export const insertLabel = statement<{ id: number }>(
  'import_label',
  `with made as (
     insert into labels (id, project_id, group_id, title, color, description, archived)
     select ${idOrNext('labels', '$1')}, $2::int, $3::int, $4, $5, $6, $7::boolean
     on conflict do nothing returning id
   )
   select id from made
   union all
   select id from labels where not exists (select from made) and title = $4
      and project_id is not distinct from $2::int and group_id is not distinct from $3::int`,
);

/** Changes a label. $1 id, $2 title, $3 color, $4 description, $5 archived. */
export const changeLabel = statement<{ id: number }>(
  'change_imported_label',
  `update labels set title = $2, color = $3, description = $4, archived = $5::boolean, updated_at = now()
    where id = $1::int returning id`,
);

/** Stores the priority of a label in its project. $1 project, $2 label, $3 priority or null. */
export const storePriority = statement<object>(
  'import_label_priority',
  `with gone as (
     delete from label_priorities where project_id = $1::int and label_id = $2::int and $3::int is null
   )
   insert into label_priorities (project_id, label_id, priority) select $1::int, $2::int, $3::int where $3::int is not null
   on conflict (project_id, label_id) do update set priority = excluded.priority`,
);
