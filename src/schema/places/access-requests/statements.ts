import { statement, type User } from '../../../database/index.ts';
import { stillMember } from '../../../database/access/places.ts';
import { userReading } from '../../../database/access/records.ts';
import { ListQuery, type Reading } from '../../../database/list.ts';
import type { CauseName } from '../../../notify/causes.ts';
import { isUnconfirmed } from '../../notifications/recipients/statements/address.ts';
import { sendingFrom } from '../../notifications/recipients/statements/recipients.ts';
import { ofProject, type Scope } from '../members/statements/row.ts';

/** A person who asks for a role in a place. The columns of the person have the model's names. */
export interface AccessRequestRow extends User {
  readonly requestId: number;
  readonly requestedAt: Date;
}

const columnOf = { group: 'group_id', project: 'project_id' } as const satisfies Record<Scope, string>;

const subjectOf = { group: 'Group', project: 'Project' } as const satisfies Record<Scope, string>;

const forScope = <Value>(make: (scope: Scope, column: string) => Value): Record<Scope, Value> => ({
  group: make('group', columnOf.group),
  project: make('project', columnOf.project),
});

const columns = `${userReading.columns}, r.id as "requestId", r.created_at as "requestedAt"`;

/** Those who ask for a role in a place, the first of them first. */
export function accessRequestList(scope: Scope, place: number): ListQuery<AccessRequestRow> {
  const from = `access_requests r join users u on u.id = r.user_id and r.${columnOf[scope]} = $1::int`;
  const reading: Reading<AccessRequestRow> = { columns, from, id: 'r.user_id' };
  const query = new ListQuery(from, 'r.user_id', reading);
  query.key(place);
  return query.where('u.deleting_since is null');
}

/** What the person $2 asked for of the places $1. */
export const requestsOf = forScope((scope, column) =>
  statement<AccessRequestRow & { readonly place: number }>(
    `find_${scope}_access_requests`,
    `select ${columns}, r.${column} as place from access_requests r join users u on u.id = r.user_id
      where r.${column} = any($1::int[]) and r.user_id = $2::int and u.deleting_since is null`,
  ),
);

/**
 * SQL for those who manage the members of the place $1, with a larger `nearness` the nearer the group or project is that
 * gives them the role.
 */
const managers: Record<Scope, string> = {
  group: `select m.user_id, array_position(n.ancestry, m.group_id) as nearness
      from namespaces n join group_members m on m.group_id = any(n.ancestry)
     where n.id = $1::int and m.access_level >= 50 and ${stillMember}`,
  project: `select m.user_id, 1000 as nearness from (${ofProject('$1::int')}) m where m.access_level >= 40 and ${stillMember}
    union all
    select m.user_id, array_position(n.ancestry, m.group_id)
      from projects p join namespaces n on n.id = p.namespace_id join group_members m on m.group_id = any(n.ancestry)
     where p.id = $1::int and m.access_level >= 40 and ${stillMember}`,
};

/** How many people get a to-do and a message about a request, as in GitLab: those who signed in last. */
const mostAsked = 10;

const requested: CauseName = 'ACCESS_REQUESTED';

/** Locks people until the transaction ends. $1 their ids. */
export const lockAskers = statement<object>(
  'lock_askers',
  'select from users u where u.id = any($1::int[]) order by u.id for no key update',
);

/**
 * Notes that the person $2 asks for a role in the place $1, makes to-dos for the nearest of those who manage its members, and
 * writes them messages, if $3 and the person has a confirmed address. `todoOwners`: who got a to-do. No row: the person has asked already,
 * or is a member by now.
 */
export const requestAccess = forScope((scope, column) =>
  statement<{ readonly todoOwners: number[] }>(
    `request_${scope}_access`,
    `with asked as (
       insert into access_requests (user_id, ${column}) select $2::int, $1::int
        where not exists (select from ${scope}_members m where m.user_id = $2::int and m.${column} = $1::int and ${stillMember})
       on conflict do nothing returning id, user_id
     ), managers as (
       select distinct u.id, u.current_sign_in_at, m.nearness from (${managers[scope]}) m join users u on u.id = m.user_id
        where u.state = 'ACTIVE' and u.deleting_since is null
     ), nearest as (
       select m.id from managers m where m.nearness = (select max(nearness) from managers)
        order by m.current_sign_in_at desc nulls last, m.id limit ${mostAsked}
     ), owed as (
       insert into todos (user_id, author_id, ${column}, action)
       select nearest.id, asked.user_id, $1::int, 'MEMBER_ACCESS_REQUESTED' from asked, nearest returning user_id
     ), mailed as (
       insert into notifications (user_id, cause, occurrence, actor_id, ${column}, subject_kind, subject_id, ids, via)
       select nearest.id, '${requested}', concat('access request ', asked.id), asked.user_id, $1::int, '${subjectOf[scope]}', $1::int,
         jsonb_build_object('requestId', asked.id), 'SETTING'
         from asked, nearest where $3::boolean and not ${isUnconfirmed('asked.user_id')} returning 1
     ), ${sendingFrom('mailed')}
     select array(select user_id from owed) as "todoOwners" from asked`,
  ),
);

/**
 * SQL of two parts of a statement. `ended` deletes the requests for the place $1 of the people in the CTE `from` (`user_id`), and
 * returns `id` and `user_id` of each. `settled` finishes the to-dos about these, and returns whose they were (`user_id`); it
 * locks them in the order of their ids, so that two such statements don’t wait for each other.
 */
export function requestsEndedFrom(scope: Scope, from: string): string {
  const column = columnOf[scope];
  return `ended as (
     delete from access_requests r using ${from} where r.${column} = $1::int and r.user_id = ${from}.user_id returning r.id, r.user_id
   ), settled as (
     update todos t set state = 'DONE', updated_at = now() from (
       select own.id from ended, todos own
        where own.${column} = $1::int and own.author_id = ended.user_id and own.action = 'MEMBER_ACCESS_REQUESTED' and own.state = 'PENDING'
        order by own.id for update of own
     ) pending where t.id = pending.id returning t.user_id
   )`;
}

/** A request that ended, and its person. */
export interface EndedRequest {
  readonly id: number;
  readonly userId: number;
}

/** Ends the request of the person $2 for the place $1. `todoOwners`: whose to-dos about it are done. No row: there is none. */
export const endRequest = forScope((scope) =>
  statement<EndedRequest & { readonly todoOwners: number[] }>(
    `end_${scope}_access_request`,
    `with one as (select $2::int as user_id), ${requestsEndedFrom(scope, 'one')}
     select id, user_id as "userId", array(select user_id from settled) as "todoOwners" from ended`,
  ),
);

/** Writes to people how their requests for the place $1 were answered: $2 the ids of requests, $3 their people, $4 the cause. */
export const mailAskers = forScope((scope, column) =>
  statement<object>(
    `mail_askers_of_${scope}`,
    `with mailed as (
       insert into notifications (user_id, cause, occurrence, ${column}, subject_kind, subject_id, via)
       select request.user_id, $4, concat('access request ', request.id, ' answered'), $1::int, '${subjectOf[scope]}', $1::int, 'PARTICIPANT'
         from unnest($2::int[], $3::int[]) request(id, user_id)
       on conflict do nothing returning 1
     ), ${sendingFrom('mailed')}
     select 1 where false`,
  ),
);
