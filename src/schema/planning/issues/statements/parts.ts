import type { Item } from '../../notes/statements/item.ts';
import { resourceEventsFrom } from '../../notes/statements/system.ts';
import { personSees } from './readers.ts';

/** Parts of statements that write issues and merge requests. */

/**
 * SQL for a person who may be assigned in a project: null if they don't see it. @param reads what must hold besides, of the
 * person `u`
 */
export const assignable = (person: string, project: string, reads = 'true') =>
  // One row of each table, so that PostgreSQL doesn't read a whole one where that is small.
  `(select u.id from users u, projects p join namespaces n on n.id = (select here.namespace_id from projects here where here.id = ${project})
     where u.id = ${person}::int and p.id = ${project} and ${personSees} and ${reads})`;

/** SQL for a milestone of a project or of a group above it: null for any other. */
export const milestoneIn = (milestone: string, project: string) =>
  `(select m.id from milestones m, projects p join namespaces n on n.id = p.namespace_id
     where m.id = ${milestone}::int and p.id = ${project} and (m.project_id = p.id or m.group_id = any(n.ancestry)))`;

/**
 * CTEs that write the resource events of something new: of its labels and of its milestone.
 * @param from a CTE with it: `id`, `label_ids`, `milestone_id`
 * @param item names it by the column `about`
 */
export const eventsOfNew = (from: string, item: Item, author: string) => `happened as (
     select one.id as about, 'LABEL' as kind, 'ADD' as change, unnest(one.label_ids) as label_id, null::int as milestone_id from ${from} one
     union all select one.id, 'MILESTONE', 'ADD', null, one.milestone_id from ${from} one where one.milestone_id is not null
   ), resource as (${resourceEventsFrom('happened', { ...item, author })}
   )`;
