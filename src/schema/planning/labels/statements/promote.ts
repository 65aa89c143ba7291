import { statement } from '../../../../database/index.ts';

/**
 * Makes a label of a project one of its group. All labels of this title in the projects of the group become that one.
 */

/** The label of a group with the title of a project's label: the one that is there, or a copy. $1 group, $2 the label. */
export const groupLabel = statement<{ id: number }>(
  'group_label_for',
  `insert into labels (group_id, title, color, description, archived)
   select $1::int, l.title, l.color, l.description, l.archived from labels l where l.id = $2
   on conflict (group_id, title) do update set updated_at = now() returning id`,
);

/** The labels of the projects of a group with the title of a label. $1 group, $2 the label. */
export const sameTitled = statement<{ id: number }>(
  'labels_of_projects_with_title',
  `select l.id from labels l
    where l.title = (select title from labels where id = $2)
      and l.project_id in (select p.id from projects p where p.namespace_id = $1)
    order by l.id for update`,
);

const replaceIn = (table: 'issues' | 'merge_requests') =>
  statement<object>(
    `replace_labels_in_${table}`,
    `update ${table} i
      set label_ids = array(select distinct case when one = any($2::int[]) then $1::int else one end from unnest(i.label_ids) one order by 1)
    where i.id = any(array(select id from ${table} where label_ids && $2::int[] order by id for no key update))`,
  );

/** Replaces labels in issues and merge requests. $1 the new one, $2 the old ones. */
export const replaceInItems = [replaceIn('issues'), replaceIn('merge_requests')] as const;

/** Gives a label what others had: priorities, subscriptions in their projects, and events. $1 the label, $2 the others. */
export const takeOver = statement<object>(
  'take_over_labels',
  `with priorities as (
     insert into label_priorities (project_id, label_id, priority)
     select o.project_id, $1::int, o.priority from label_priorities o where o.label_id = any($2::int[])
     on conflict do nothing
   ), subscribers as (
     insert into subscriptions (user_id, label_id, project_id, subscribed)
     select s.user_id, $1::int, l.project_id, s.subscribed
       from subscriptions s join labels l on l.id = s.label_id where s.label_id = any($2::int[]) order by s.id
     on conflict do nothing
   )
   update resource_events set label_id = $1::int where label_id = any($2::int[])`,
);

/** Removes labels. $1 ids. */
export const deleteLabels = statement<object>('delete_labels', 'delete from labels where id = any($1::int[])');
