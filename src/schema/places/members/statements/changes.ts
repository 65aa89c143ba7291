import { statement, type Statement } from '../../../../database/index.ts';
import { stillMember } from '../../../../database/access/places.ts';
import { eventsFrom } from '../../../../events/statements.ts';
import { requestsEndedFrom } from '../../access-requests/statements.ts';
import { ofProject, type Scope } from './row.ts';

/** People by id ($1) and by name in lower case ($2). */
export const findPeople = statement<{ id: number }>(
  'find_people',
  `select u.id from users u
    where u.deleting_since is null
      and u.id = any($1::int[] || array(
        select n.owner_id from routes r join namespaces n on n.id = r.namespace_id where r.path = any($2::text[])))
    order by u.id`,
);

export interface InheritedRow {
  user_id: number;
  access_level: number;
  /** The name of the group that gives the role. */
  group_name: string;
}

/** The highest inherited role of each of the people $2 in a place $1, if any. */
const inherited = (scope: Scope, above: string) =>
  statement<InheritedRow>(
    `inherited_${scope}_roles`,
    `select distinct on (m.user_id) m.user_id, m.access_level, g.name as group_name
       from group_members m join namespaces g on g.id = m.group_id
      where m.user_id = any($2::int[]) and ${stillMember} and m.group_id = any(${above})
      order by m.user_id, m.access_level desc, array_length(g.ancestry, 1) desc`,
  );
export const inheritedRoles: Record<Scope, Statement<InheritedRow>> = {
  group: inherited('group', '(select array_remove(n.ancestry, n.id) from namespaces n where n.id = $1)::int[]'),
  project: inherited(
    'project',
    '(select n.ancestry from projects p join namespaces n on n.id = p.namespace_id where p.id = $1)::int[]',
  ),
};

const forScope = <Row>(
  make: (scope: Scope, table: string, place: string) => Statement<Row>,
): Record<Scope, Statement<Row>> => ({
  group: make('group', 'group_members', 'group_id'),
  project: make('project', 'project_members', 'project_id'),
});

/**
 * Adds the people $2 to the place $1 with the role $3 until $4, by the person $5 (or null), except those who are members
 * already. An expired membership is replaced. It ends what they asked for; `request_id`: that of the person, or null; `todoOwners`:
 * whose to-dos about that are done, the same in each row.
 */
export const insertMembers = forScope((scope, table, place) =>
  statement<{ user_id: number; request_id: number | null; todoOwners: number[] }>(
    `insert_${scope}_members`,
    `with added as (
     insert into ${table} as m (user_id, ${place}, access_level, expires_at, created_by_id)
     select u.id, $1::int, $3::smallint, $4::date, $5::int from unnest($2::int[]) as u(id)
     on conflict (user_id, ${place}) do update set
       id = excluded.id, access_level = excluded.access_level, expires_at = excluded.expires_at,
       created_by_id = excluded.created_by_id, created_at = now(), updated_at = now()
     where not ${stillMember}
     returning m.user_id
     ), ${eventsFrom('member.added', 'added', { actor: '$5', [scope]: '$1', subject: 'added.user_id' })},
     ${requestsEndedFrom(scope, 'added')}
     select user_id, (select ended.id from ended where ended.user_id = added.user_id) as request_id,
       array(select settled.user_id from settled) as "todoOwners" from added`,
  ),
);

/** The direct membership of the person $2 in the place $1. */
const findIn = (scope: Scope, members: string) =>
  statement<{ access_level: number; expires_at: string | null }>(
    `find_${scope}_member`,
    `select m.access_level, m.expires_at::text as expires_at from (${members}) m where m.user_id = $2 and ${stillMember}
      order by m.access_level desc limit 1`,
  );
export const findMember: Record<Scope, ReturnType<typeof findIn>> = {
  group: findIn('group', 'select * from group_members where group_id = $1'),
  project: findIn('project', ofProject('$1')),
};

/**
 * Changes the membership of the person $2 in the place $1: role $3, expiry date $4. $5 the actor. No row: the place is
 * the person's own.
 */
export const changeMember = forScope((scope, table, place) =>
  statement<{ user_id: number }>(
    `change_${scope}_member`,
    `with changed as (
       update ${table} m set access_level = $3, expires_at = $4::date, updated_at = now()
        where m.${place} = $1 and m.user_id = $2 and ${stillMember} returning m.user_id
     ), ${eventsFrom('member.updated', 'changed', { actor: '$5', [scope]: '$1', subject: 'changed.user_id' })}
     select user_id from changed`,
  ),
);

/** Removes the membership of the person $2 in the place $1. $3 the actor. */
export const deleteMember = forScope((scope, table, place) =>
  statement<{ user_id: number }>(
    `delete_${scope}_member`,
    `with removed as (
       delete from ${table} m where m.${place} = $1 and m.user_id = $2 and ${stillMember} returning m.user_id
     ), ${eventsFrom('member.removed', 'removed', { actor: '$3', [scope]: '$1', subject: 'removed.user_id' })}
     select user_id from removed`,
  ),
);

/** Removes the memberships of the person $2 in groups and projects below the group $1. $3 the actor. */
export const deleteMembersBelow = statement<object>(
  'delete_members_below',
  `with groups as (
     delete from group_members m using namespaces n
      where m.user_id = $2 and n.id = m.group_id and n.ancestry @> array[$1::int] and n.id <> $1 returning m.user_id, m.group_id
   ), projects as (
     delete from project_members m using projects p, namespaces n
      where m.user_id = $2 and p.id = m.project_id and n.id = p.namespace_id and n.ancestry @> array[$1::int]
      returning m.user_id, m.project_id
   ), ${eventsFrom('member.removed', 'groups', { actor: '$3', group: 'group_id', subject: 'user_id' })},
   ${eventsFrom('member.removed', 'projects', { actor: '$3', project: 'project_id', subject: 'user_id' })}
   select 1 where false`,
);

/** The projects of a place $1, as a condition on the column `project_id`. */
const projectsIn: Record<Scope, string> = {
  group: `project_id in (select p.id from projects p join namespaces n on n.id = p.namespace_id where n.ancestry @> array[$1::int])`,
  project: 'project_id = $1::int',
};

/** Takes the issues and merge requests of the place $1 from their assignee $2, as in GitLab without a note. */
export const unassign = forScope((scope) =>
  statement<object>(
    `unassign_in_${scope}`,
    `with issues as (update issues set assignee_id = null where assignee_id = $2::int and ${projectsIn[scope]})
     update merge_requests set assignee_id = null where assignee_id = $2::int and ${projectsIn[scope]}`,
  ),
);

/** Serializes changes of a group's members, so that of two last owners only one can leave. */
export const lockGroup = statement<object>('hold_group', 'select 1 from namespaces where id = $1 for no key update');

/** Whether the group $1 has an owner, direct or inherited; if $2, one whose membership doesn't expire. */
export const hasOwner = statement<{ owned: boolean }>(
  'has_owner',
  `select exists (
     select 1 from group_members m join users u on u.id = m.user_id
      where m.group_id = any((select ancestry from namespaces where id = $1)::int[])
        and m.access_level >= 50 and ${stillMember} and (m.expires_at is null or not $2::boolean) and u.deleting_since is null) as owned`,
);

/**
 * Removes expired memberships, which have no effect any more, at most $1 of each kind. It returns the people and
 * places, whose settings the caller cleans up.
 */
export const endMemberships = statement<{ user_id: number; group_id: number | null; project_id: number | null }>(
  'end_memberships',
  `with groups as (
     select m.user_id, m.group_id from group_members m where m.expires_at <= (now() at time zone 'utc')::date limit $1 for update skip locked
   ), projects as (
     select m.user_id, m.project_id from project_members m where m.expires_at <= (now() at time zone 'utc')::date limit $1 for update skip locked
   ), left_groups as (
     delete from group_members m using groups g where m.user_id = g.user_id and m.group_id = g.group_id returning m.user_id, m.group_id
   ), left_projects as (
     delete from project_members m using projects p where m.user_id = p.user_id and m.project_id = p.project_id returning m.user_id, m.project_id
   ), ${eventsFrom('member.expired', 'left_groups', { group: 'group_id', subject: 'user_id' })},
   ${eventsFrom('member.expired', 'left_projects', { project: 'project_id', subject: 'user_id' })}
   select user_id, group_id, null::int as project_id from left_groups
   union all select user_id, null, project_id from left_projects`,
);
