import { statement, type Statement, type User } from '../../../database/index.ts';
import { groupAccessLevel, stillMember } from '../../../database/access/places.ts';
import type { Listed } from '../../../database/list.ts';
import { userReading } from '../../../database/access/records.ts';

/** Members of groups and of projects: two tables with the same columns and statements. */
export type Scope = 'group' | 'project';

/** A person with their membership. */
export interface MemberRow extends User {
  user_id: number;
  access_level: number;
  created_at: Date;
  /** The first day (UTC) on which the membership is no longer valid, as YYYY-MM-DD. */
  expires_at: string | null;
  /** The group or project of the membership: one of the two is set. */
  source_group: number | null;
  source_project: number | null;
}

/** A row of a list: a person, the place whose members are listed, and the position. */
export interface ListedMemberRow extends MemberRow, Pick<Listed, 'position'> {
  place_id: number;
}

/**
 * SQL for the members of a project, as rows of project_members. The owner of a personal namespace is a member of its
 * projects without a stored row, so it adds one.
 */
const ofProject = (project: string) =>
  `select m.user_id, m.access_level, m.expires_at, m.created_at from project_members m where m.project_id = ${project}
   union all
   select o.owner_id, 50::smallint, null, p.created_at
     from projects p join namespaces o on o.id = p.namespace_id
    where p.id = ${project} and o.owner_id is not null`;

/** The sources of members of a place `k.id`: itself and, if $3, the groups above it that the viewer sees. */
const sources = {
  group: (visible: string) =>
    `select a.id as group_id, null::int as project_id, a.depth
       from namespaces place, unnest(place.ancestry) with ordinality as a(id, depth) join namespaces n on n.id = a.id
      where place.id = k.id and (a.id = k.id or $3::boolean and ${visible})`,
  project: (visible: string) =>
    `select null::int as group_id, k.id as project_id, 1000::bigint as depth
     union all
     select a.id, null, a.depth
       from projects p join namespaces place on place.id = p.namespace_id,
            unnest(place.ancestry) with ordinality as a(id, depth) join namespaces n on n.id = a.id
      where p.id = k.id and n.kind = 'GROUP' and $3::boolean and ${visible}`,
} satisfies Record<Scope, (visible: string) => string>;

/** Filters of members: the person is `u`, the membership `m`. $4 a pattern, $5 only these people, $6 not these. */
const wanted = `u.deleting_since is null and ${stillMember}
  and ($4::text is null or u.username ilike $4 or u.name ilike $4)
  and ($5::int[] is null or m.user_id = any($5))
  and ($6::int[] is null or not m.user_id = any($6))`;

/** Each person of a place once, with their highest role and the nearest place that gives it. */
function membersOf(scope: Scope, visible: string, order: 'asc' | 'desc', bounds: string, limit: string): string {
  // Order before joining the people, so that the join stops at the end of the page.
  const rows = {
    group: 'select m.* from group_members m where m.group_id = s.group_id order by m.user_id',
    project: `select m.user_id, m.access_level, m.expires_at, m.created_at from group_members m where m.group_id = s.group_id
              union all
              select * from (${ofProject('s.project_id')}) own order by user_id`,
  }[scope];
  // Limit each source to a page: the first people of the result are among the first people of each source.
  return `select distinct on (m.user_id) m.user_id, m.access_level, m.created_at, m.expires_at, s.group_id, s.project_id
            from (${sources[scope](visible)}) s
            cross join lateral (
              select m.user_id, m.access_level, m.created_at, m.expires_at
                from lateral (${rows} ${order}) m join users u on u.id = m.user_id
               where ${wanted} and ${bounds}
               order by m.user_id ${order} limit ${limit}
            ) m
           order by m.user_id ${order}, m.access_level desc, s.depth desc`;
}

/**
 * Pages of members of any number of places, ordered by the ids of people. $1 the places, $2 the viewer, $3 whether
 * to include inherited ones, $4 to $6 filters, $7 and $8 ids between which to list (or null), $9 the limit, $10 the
 * offset.
 */
export function listMembers(
  scope: Scope,
  variant: string,
  order: 'asc' | 'desc',
  visible: (columns: { visibility: string; accessLevel: string }) => string,
): Statement<ListedMemberRow> {
  const seen = visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel('$2::int') });
  const bounds = '($7::int is null or m.user_id > $7) and ($8::int is null or m.user_id < $8)';
  return statement(
    `list_${scope}_members_${variant}_${order}`,
    `select ${userReading.columns}, k.id as place_id, m.user_id, m.access_level, m.created_at, m.expires_at::text as expires_at,
            m.group_id as source_group, m.project_id as source_project, m.user_id::text as position
       from unnest($1::int[]) with ordinality as k(id, position)
       cross join lateral (
         ${membersOf(scope, seen, order, bounds, '$9::int + $10::int')}
         limit $9 offset $10
       ) m
       join ${userReading.from} on ${userReading.id} = m.user_id
      order by k.position, m.user_id ${order}`,
  );
}

/** Counts the members of each place, up to $7. $1 to $6 as in `listMembers`. */
export function countMembers(
  scope: Scope,
  variant: string,
  visible: (columns: { visibility: string; accessLevel: string }) => string,
): Statement<{ place_id: number; total: number }> {
  const seen = visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel('$2::int') });
  return statement(
    `count_${scope}_members_${variant}`,
    `select k.id as place_id, c.total
       from unnest($1::int[]) as k(id)
       cross join lateral (select count(*)::int as total from (${membersOf(scope, seen, 'asc', 'true', '$7')} limit $7) m) c`,
  );
}

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
 * Adds the people $2 to the place $1 with the role $3 until $4, except those who are members already. An expired
 * membership is replaced.
 */
export const insertMembers = forScope((scope, table, place) =>
  statement<{ user_id: number }>(
    `insert_${scope}_members`,
    `insert into ${table} as m (user_id, ${place}, access_level, expires_at)
     select u.id, $1::int, $3::smallint, $4::date from unnest($2::int[]) as u(id)
     on conflict (user_id, ${place}) do update set
       access_level = excluded.access_level, expires_at = excluded.expires_at, created_at = now()
     where not ${stillMember}
     returning m.user_id`,
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
 * Changes the membership of the person $2 in the place $1: role $3, expiry date $4. No row: the place is the
 * person's own.
 */
export const changeMember = forScope((scope, table, place) =>
  statement<{ user_id: number }>(
    `change_${scope}_member`,
    `update ${table} m set access_level = $3, expires_at = $4::date
      where m.${place} = $1 and m.user_id = $2 and ${stillMember} returning m.user_id`,
  ),
);

/** Removes the membership of the person $2 in the place $1. */
export const deleteMember = forScope((scope, table, place) =>
  statement<{ user_id: number }>(
    `delete_${scope}_member`,
    `delete from ${table} m where m.${place} = $1 and m.user_id = $2 and ${stillMember} returning m.user_id`,
  ),
);

/** Removes the memberships of the person $2 in groups and projects below the group $1. */
export const deleteMembersBelow = statement<object>(
  'delete_members_below',
  `with groups as (
     delete from group_members m using namespaces n
      where m.user_id = $2 and n.id = m.group_id and n.ancestry @> array[$1::int] and n.id <> $1
   )
   delete from project_members m using projects p, namespaces n
    where m.user_id = $2 and p.id = m.project_id and n.id = p.namespace_id and n.ancestry @> array[$1::int]`,
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
   )
   select user_id, group_id, null::int as project_id from left_groups
   union all select user_id, null, project_id from left_projects`,
);
