import { statement } from '../../../../database/index.ts';

/** SQL for the groups whose labels are available in the project $1 or in the group $2. */
const above = `(select n.ancestry from namespaces n
  where n.id = coalesce((select p.namespace_id from projects p where p.id = $1::int), $2::int))`;

/**
 * Creates a label in a place. No row: the title is taken there or in a group above. $1 project or null, $2 group or null,
 * $3 title, $4 color, $5 description, $6 priority in the project, or null.
 */
export const insertLabel = statement<{ id: number }>(
  'insert_label',
  `with label as (
     insert into labels (project_id, group_id, title, color, description)
     select $1::int, $2::int, $3::text, $4, $5
      where not exists (select from labels l where l.title = $3 and l.group_id = any(${above}::int[]))
     on conflict do nothing
     returning id
   ), prioritized as (
     insert into label_priorities (project_id, label_id, priority)
     select $1::int, label.id, $6::int from label where $6::int is not null
   )
   select id from label`,
);

/** The name of a group above that has a label with a title. $1 project or null, $2 group or null, $3 title. */
export const findTakenAbove = statement<{ name: string }>(
  'find_label_above',
  `select g.name from labels l join namespaces g on g.id = l.group_id
    where l.title = $3::text and l.group_id = any(${above}::int[]) and l.group_id is distinct from $2::int limit 1`,
);

/**
 * Changes a label. Null keeps a value. $1 id, $2 title, $3 color, $4 whether to set the description, $5 the description,
 * $6 archived. No row: it was removed.
 */
export const updateLabel = statement<{ id: number }>(
  'update_label',
  `update labels set title = coalesce($2::text, title), color = coalesce($3::text, color),
          description = case when $4::boolean then $5::text else description end,
          archived = coalesce($6::boolean, archived), updated_at = now()
    where id = $1 returning id`,
);

/** Sets the priority of a label in a project, unless the label was removed. $1 project, $2 label, $3 priority. */
export const setPriority = statement<object>(
  'set_label_priority',
  `insert into label_priorities (project_id, label_id, priority)
   select $1::int, l.id, $3::int from labels l where l.id = $2 for key share
   on conflict (project_id, label_id) do update set priority = excluded.priority`,
);

/** Removes the priority of a label in a project. $1 project, $2 label. */
export const removePriority = statement<object>(
  'remove_label_priority',
  'delete from label_priorities where project_id = $1 and label_id = $2',
);

/** Removes a label, unless it was changed after a moment. $1 id, $2 the moment, or null. */
export const deleteLabel = statement<{ id: number }>(
  'delete_label',
  `delete from labels
    where id = $1 and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz) returning id`,
);

/** CTEs that take a label from what has it. Ordered, so that concurrent removals don't wait in a circle. */
const removeFrom = (table: 'issues' | 'merge_requests') => `batch_of_${table} as (
     select id from ${table} where label_ids @> array[$1::int] order by id limit $2 for no key update
   ), changed_${table} as (
     update ${table} i set label_ids = array_remove(i.label_ids, $1::int) from batch_of_${table} batch where i.id = batch.id returning 1
   )`;

/**
 * Takes a removed label from issues and merge requests, and returns from how many of the kind that had more. $1 the label,
 * $2 how many of each.
 */
export const removeFromItems = statement<{ removed: number }>(
  'remove_label_from_items',
  `with ${removeFrom('issues')}, ${removeFrom('merge_requests')}
   select greatest((select count(*) from changed_issues), (select count(*) from changed_merge_requests))::int as removed`,
);

/** Subscribes a person. $1 the person, $2 the label, $3 the project for a label of a group. No row: they were. */
export const subscribe = statement<{ id: number }>(
  'subscribe_to_label',
  `insert into subscriptions (user_id, label_id, project_id, subscribed) values ($1, $2, $3, true)
   on conflict do nothing returning id`,
);

/** Unsubscribes a person, with the same values. No row: they weren't. */
export const unsubscribe = statement<{ id: number }>(
  'unsubscribe_from_label',
  `delete from subscriptions
    where user_id = $1 and label_id = $2 and project_id is not distinct from $3::int returning id`,
);
