import { statement } from '../../../../database/index.ts';
import { eventsFrom } from '../../../../events/statements.ts';

type Scope = 'project' | 'group';

/** The next number of a milestone in a place. Concurrent requests wait for each other here, and a failure gives it back. */
const nextNumber = (scope: Scope, place: string) => `number as (
     insert into ${scope}_counters (${scope}_id, kind, last) values (${place}, 'MILESTONE', 1)
     on conflict (${scope}_id, kind) do update set last = ${scope}_counters.last + 1 returning last
   )`;

/** Creates a milestone. $1 place, $2 title, $3 description, $4 start date, $5 due date, $6 actor. */
const insert = (scope: Scope) =>
  statement<{ id: number }>(
    `insert_milestone_of_${scope}`,
    `with ${nextNumber(scope, '$1::int')}, milestone as (
       insert into milestones (${scope}_id, iid, title, description, start_date, due_date)
       select $1::int, number.last, $2, $3, $4::date, $5::date from number returning id
     ), ${eventsFrom('milestone.created', 'milestone', { actor: '$6', [scope]: '$1', subject: 'id' })}
     select id from milestone`,
  );

export const insertMilestone = { project: insert('project'), group: insert('group') } as const;

/**
 * Whether another milestone of a place, or of the group of a project or the projects of a group, has a title. $1 project or
 * null, $2 group or null, $3 title, $4 the milestone or null.
 */
export const findSameTitle = statement<{ id: number }>(
  'find_milestone_of_title',
  `select m.id from milestones m
    where m.title = $3::text and m.id is distinct from $4::int
      and (m.project_id = $1::int
        or m.group_id = coalesce($2::int, (select p.namespace_id from projects p where p.id = $1::int))
        or m.project_id in (select p.id from projects p where p.namespace_id = $2::int))
    limit 1`,
);

/** Locks a milestone until the end of the transaction. $1 id. */
export const lockMilestone = statement<{ startDate: string | null; dueDate: string | null }>(
  'lock_milestone',
  `select start_date::text as "startDate", due_date::text as "dueDate" from milestones where id = $1 for update`,
);

/**
 * Changes a milestone that this transaction locked. Null keeps title and state. $1 id, $2 title, $3 whether to set the
 * description, $4 the description, $5 start date, $6 due date, $7 state, $8 actor.
 */
export const updateMilestone = statement<object>(
  'update_milestone',
  `with former as (
     select id, state from milestones where id = $1
   ), milestone as (
     update milestones set title = coalesce($2::text, title),
            description = case when $3::boolean then $4::text else description end,
            start_date = $5::date, due_date = $6::date,
            state = coalesce($7::"MilestoneState", state), updated_at = now()
      where id = $1 returning id, project_id, group_id, state
   ), closed as (
     select m.* from milestone m join former f on f.id = m.id where m.state = 'CLOSED' and f.state = 'ACTIVE'
   ), reopened as (
     select m.* from milestone m join former f on f.id = m.id where m.state = 'ACTIVE' and f.state = 'CLOSED'
   ), ${eventsFrom('milestone.closed', 'closed', { actor: '$8', project: 'project_id', group: 'group_id', subject: 'id' })},
   ${eventsFrom('milestone.reopened', 'reopened', { actor: '$8', project: 'project_id', group: 'group_id', subject: 'id' })}
   select id from milestone`,
);

/** Removes a milestone; its issues lose it. $1 id, $2 actor. */
export const deleteMilestone = statement<{ id: number }>(
  'delete_milestone',
  `with milestone as (
     delete from milestones where id = $1 returning id, project_id, group_id
   ), ${eventsFrom('milestone.destroyed', 'milestone', { actor: '$2', project: 'project_id', group: 'group_id', subject: 'id' })}
   select id from milestone`,
);

/** Copies a milestone of a project to a group. $1 group, $2 the milestone. */
export const copyToGroup = statement<{ id: number }>(
  'copy_milestone_to_group',
  `with ${nextNumber('group', '$1::int')}
   insert into milestones (group_id, iid, title, description, state, start_date, due_date, created_at)
   select $1::int, number.last, m.title, m.description, m.state, m.start_date, m.due_date, m.created_at
     from milestones m, number where m.id = $2
   returning id`,
);

/** The milestones of the projects of a group with the title of a milestone. $1 group, $2 the milestone. */
export const sameTitledMilestones = statement<{ id: number }>(
  'milestones_of_projects_with_title',
  `select m.id from milestones m
    where m.title = (select title from milestones where id = $2)
      and m.project_id in (select p.id from projects p where p.namespace_id = $1)
    order by m.id for update`,
);

const replaceIn = (table: 'issues' | 'merge_requests') =>
  statement<object>(
    `replace_milestones_in_${table}`,
    `update ${table} set milestone_id = $1::int
      where id = any(array(select id from ${table} where milestone_id = any($2::int[]) order by id for no key update))`,
  );

/** Replaces milestones in issues, merge requests and their events, and removes them. $1 the new one, $2 the others. */
export const replaceMilestones = [
  replaceIn('issues'),
  replaceIn('merge_requests'),
  statement<object>(
    'replace_milestones_in_events',
    'update resource_events set milestone_id = $1::int where milestone_id = any($2::int[])',
  ),
  statement<object>('delete_replaced_milestones', 'delete from milestones where id <> $1::int and id = any($2::int[])'),
] as const;
