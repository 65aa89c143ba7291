import { statement } from '../../../../database/index.ts';
import { shownState, type PersonState } from '../../../../database/access/people.ts';
import { closingOrphansOf } from '../../../reviews/versions/statements.ts';

/**
 * Removal of a person, in two steps. One statement marks the person, which ends all their credentials and hides them.
 * Then everything that refers to them is removed in batches.
 */

/** Valid owners of a group `n`: the membership hasn't expired, and the person isn't being removed. */
const owning = `m.access_level >= 50 and (m.expires_at is null or m.expires_at > (now() at time zone 'utc')::date)`;

/**
 * Locks the memberships of all owners of a person's groups until the transaction ends: if two last owners are
 * removed at once, the second removal sees that it would be the last. $1 user.
 */
export const lockOwners = statement<object>(
  'hold_owners',
  `select 1 from group_members m
    where m.access_level >= 50 and m.group_id in (select g.group_id from group_members g where g.user_id = $1 and g.access_level >= 50)
    order by m.group_id, m.user_id for update`,
);

/** Locks all administrators for the same reason, if this person is one. $1 user. */
export const lockAdministrators = statement<object>(
  'hold_administrators',
  `select 1 from users u
    where u.administrator and u.deleting_since is null and exists (select 1 from users s where s.id = $1 and s.administrator)
    order by u.id for no key update`,
);

/** Locks a person until the transaction ends, so that they don't become owner of anything. $1 user. */
export const lockUser = statement<object>('hold_user', 'select 1 from users where id = $1 for no key update');

/** Locks a person so that they can't be marked as removed until the transaction ends, and whether they may create groups. $1 user. */
export const keepUser = statement<{ makes_groups: boolean }>(
  'keep_user',
  'select can_create_group and not external as makes_groups from users where id = $1 and deleting_since is null for share',
);

/** One row if the person is the only administrator. $1 user. */
export const isLastAdministrator = statement<object>(
  'is_last_administrator',
  `select 1 from users u
    where u.id = $1 and u.administrator and not exists (
      select 1 from users o where o.administrator and o.state = 'ACTIVE' and o.deleting_since is null and o.id <> u.id)`,
);

/** Groups without another owner, direct or inherited. $1 user. */
export const soleGroups = statement<{ id: number }>(
  'sole_groups',
  `select n.id from group_members m join namespaces n on n.id = m.group_id
    where m.user_id = $1 and ${owning} and n.deleting_since is null
      and not exists (
        select 1 from group_members m join users u on u.id = m.user_id
         where m.group_id = any(n.ancestry) and m.user_id <> $1 and ${owning} and u.deleting_since is null)`,
);

/**
 * Marks a person as removed, and ends all their credentials. Their places are hidden, and their applications get no
 * more tokens. $1 user, $2 groups to remove with all they contain. No row: another request did it first, or
 * it is the ghost.
 */
export const markUser = statement<{ id: number }>(
  'mark_user',
  `with gone as (
     update users set deleting_since = now(), state = 'BLOCKED', password_hash = null, valid_from = clock_timestamp()
      where id = $1 and deleting_since is null and not attributes @> '{"ghost": true}' returning id
   ), tokens as (
     delete from personal_access_tokens t using gone where t.user_id = gone.id
   ), group_memberships as (
     delete from group_members m using gone where m.user_id = gone.id
   ), project_memberships as (
     delete from project_members m using gone where m.user_id = gone.id
   ), applications as (
     update applications a set valid_from = clock_timestamp(), grant_types = '{}', redirect_uris = '{}' from gone where a.owner_id = gone.id
   ), places as (
     update namespaces n set deleting_since = now() from gone
      where (n.owner_id = gone.id or n.ancestry && $2::int[]) and n.deleting_since is null returning n.id
   ), projects as (
     update projects p set deleting_since = now() from places where p.namespace_id = places.id and p.deleting_since is null returning p.id
   ), orphans as (${closingOrphansOf('projects', 'null')})
   select id from gone`,
);

/** People marked as removed. */
export const markedUsers = statement<{ id: number }>(
  'marked_users',
  'select id from users where deleting_since is not null order by id',
);

/** Removes a batch of what refers to a person. $1 user, $2 the size of a batch. */
const remove = (name: string, table: string, of = 't.user_id = $1') =>
  statement<{ removed: number }>(
    `remove_${name}_of_user`,
    `with batch as (
       select t.ctid as row_key from ${table} t where ${of} limit $2 for update skip locked
     ), gone as (
       delete from ${table} t using batch where t.ctid = batch.row_key returning 1
     )
     select count(*)::int as removed from gone`,
  );

const ofApplications = 't.application_id in (select id from applications where owner_id = $1)';

/**
 * The removals, in the order in which they run: large tables first, then the tables that they refer to. Removing a
 * grant removes its tokens, and removing a project removes its contents.
 */
export const removals = [
  statement<{ removed: number }>(
    'remove_stars_of_user',
    `with batch as (
       select project_id from stars where user_id = $1 order by project_id limit $2 for update skip locked
     ), gone as (
       delete from stars s using batch where s.user_id = $1 and s.project_id = batch.project_id returning s.project_id
     ), counted as (
       update projects p set star_count = greatest(p.star_count - 1, 0) from gone where p.id = gone.project_id
     )
     select count(*)::int as removed from gone`,
  ),
  statement<{ removed: number }>(
    'remove_projects_of_user',
    `with batch as (
       select p.id, p.forked_from_id from projects p join namespaces n on n.id = p.namespace_id
        where n.owner_id = $1 limit $2 for update of p skip locked
     ), gone as (
       delete from projects p using batch where p.id = batch.id returning batch.forked_from_id
     ), counted as (
       update projects p set forks_count = greatest(p.forks_count - f.forks, 0)
         from (select forked_from_id, count(*)::int as forks from gone where forked_from_id is not null group by 1) f
        where p.id = f.forked_from_id and p.id not in (select id from batch)
     )
     select count(*)::int as removed from gone`,
  ),
  remove('grants', 'grants'),
  remove('codes', 'authorization_codes'),
  remove('device_codes', 'device_codes'),
  remove('client_grants', 'grants', ofApplications),
  remove('client_codes', 'authorization_codes', ofApplications),
  remove('client_device_codes', 'device_codes', ofApplications),
  remove('client_consents', 'consents', ofApplications),
  remove('client_authorizations', 'authorizations', ofApplications),
  remove('sessions', 'sessions'),
  remove('project_settings', 'project_notification_settings'),
  remove('group_settings', 'group_notification_settings'),
] as const;

/** Removes the person with the few rows left, unless new ones appeared. $1 user. */
export const removeUser = statement<object>(
  'remove_user',
  `delete from users where id = $1 and deleting_since is not null
      and not exists (select 1 from projects p join namespaces n on n.id = p.namespace_id where n.owner_id = $1)`,
);

/** $1 user. */
export const isGone = statement<{ gone: boolean }>(
  'is_user_gone',
  'select not exists (select 1 from users where id = $1) as gone',
);

/** The parts of an account that aren't in its own row. */
export interface AccountRow {
  id: number;
  namespace_id: number | null;
  /** The primary address. */
  address: string | null;
  verified_at: Date | null;
  /** When the second factor was turned on; null if it is off. */
  second_factor_at: Date | null;
  last_sign_in_at: Date | null;
  last_sign_in_ip: string | null;
  current_sign_in_at: Date | null;
  current_sign_in_ip: string | null;
  sign_in_count: number;
  created_by_id: number | null;
  /** Whether there is room for another project of their own. */
  can_create_project: boolean;
  /** Their names at other providers, in the order of their ids. */
  identities: readonly { readonly provider: string; readonly externUid: string }[] | null;
  /** The attributes that were set and those that are obeyed, by name. */
  attributes: { readonly [name: string]: unknown };
}

/** SQL for the attributes of the person `u`, with what applies of those that are obeyed. */
const attributes = `u.attributes || jsonb_build_object(
     'external', u.external, 'privateProfile', u.private_profile, 'projectsLimit', u.projects_limit,
     'canCreateGroup', u.can_create_group and not u.external, 'timezone', u.timezone)`;

const account = {
  columns: `u.id, n.id as namespace_id, e.address, e.verified_at, 
    least(f.confirmed_at, (select min(k.created_at) from passkeys k where k.user_id = u.id)) as second_factor_at,
    u.last_sign_in_at, u.last_sign_in_ip, u.current_sign_in_at, u.current_sign_in_ip, u.sign_in_count, u.created_by_id,
    (select count(*) from (select 1 from projects p where p.namespace_id = n.id and p.deleting_since is null limit u.projects_limit) p)
      < u.projects_limit as can_create_project,
    (select json_agg(json_build_object('provider', i.provider, 'externUid', i.extern_uid) order by i.id) from identities i where i.user_id = u.id)
      as identities,
    ${attributes} as attributes`,
  from: `from users u
     left join namespaces n on n.owner_id = u.id
     left join emails e on e.primary_of = u.id
     left join second_factors f on f.user_id = u.id`,
};

/** $1 the ids of people. */
export const readAccounts = statement<AccountRow>(
  'read_accounts',
  `select ${account.columns} ${account.from} where u.id = any($1::int[])`,
);

export interface OwnUserRow extends AccountRow {
  /** The present status, with the time in ISO 8601. */
  own_status: {
    readonly emoji: string;
    readonly message: string | null;
    readonly availability: 'NOT_SET' | 'BUSY';
    readonly clear_status_at: string | null;
  } | null;
  username: string;
  name: string;
  state: PersonState;
  administrator: boolean;
  tier: 'FREE' | 'PREMIUM';
  public_email: string | null;
  avatar: string | null;
  created_at: Date;
}

/** A person as shown to themselves. $1 their id. */
export const readOwnUser = statement<OwnUserRow>(
  'read_own_user',
  `select ${account.columns}, u.username, u.name, ${shownState} as state, u.administrator, u.tier::text as tier, u.public_email, u.avatar, u.created_at,
          (select row_to_json(s) from user_statuses s where s.user_id = u.id and (s.clear_status_at is null or s.clear_status_at > now())) as own_status
     ${account.from} where u.id = $1`,
);

/** The highest direct roles of people, as numbers. $1 their ids. */
export const readHighestRoles = statement<{ readonly id: number; readonly highest_role: number }>(
  'read_highest_roles',
  `select u.id, coalesce(greatest(
            (select max(m.access_level) from group_members m where m.user_id = u.id),
            (select max(m.access_level) from project_members m where m.user_id = u.id)), 0)::int as highest_role
     from users u where u.id = any($1::int[])`,
);
