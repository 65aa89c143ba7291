import { idOrNext } from '../../../database/access/imported-ids.ts';
import { statement } from '../../../database/index.ts';

const scopes = ['project', 'group'] as const;
type Scope = (typeof scopes)[number];

/**
 * Makes a milestone, with its number if that is free, otherwise the next one; or takes the one of this title in its place. $1
 * the id to keep or null, $2 place, $3 number, $4 title, $5 description, $6 state, $7 start, $8 due, $9 made, $10 changed.
 */
const insert = (scope: Scope) =>
  statement<{ id: number; iid: number }>(
    `import_milestone_of_${scope}`,
    `with same as (
       select id, iid from milestones where ${scope}_id = $2::int and title = $4
     ), number as (
       insert into ${scope}_counters as c (${scope}_id, kind, last) select $2::int, 'MILESTONE', $3::int where not exists (select from same)
       on conflict (${scope}_id, kind) do update set last = greatest($3::int, c.last + (exists (
         select from milestones m where m.${scope}_id = $2::int and m.iid = $3::int))::int)
       returning last
     ), made as (
       insert into milestones (id, ${scope}_id, iid, title, description, state, start_date, due_date, created_at, updated_at)
       select ${idOrNext('milestones', '$1')}, $2::int,
         case when exists (select from milestones m where m.${scope}_id = $2::int and m.iid = $3::int) then number.last else $3::int end,
         $4, $5, $6::"MilestoneState", $7::date, $8::date, $9::timestamptz, $10::timestamptz
         from number returning id, iid
     ), event as (
       insert into events (kind, ${scope}_id, subject_kind, subject_id, at, imported)
       select 'milestone.created', $2::int, 'Milestone', id, $9::timestamptz, true from made
     )
     select id, iid from made union all select id, iid from same`,
  );

export const insertMilestone = { project: insert('project'), group: insert('group') } as const;

/** Changes a milestone. $1 id, $2 title, $3 description, $4 state, $5 start, $6 due, $7 changed. */
export const changeMilestone = statement<{ id: number; iid: number }>(
  'change_imported_milestone',
  `update milestones set title = $2, description = $3, state = $4::"MilestoneState", start_date = $5::date, due_date = $6::date,
     updated_at = $7::timestamptz
    where id = $1::int returning id, iid`,
);
