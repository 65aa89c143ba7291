import { statement } from '../../../database/index.ts';
import { stillMember } from '../../../database/access/places.ts';
import { requestsEndedFrom } from '../../places/access-requests/statements.ts';

/** Members, requests for access, shares and stars of imported places. A list is stored as a whole. */

const places = { group: ['group_members', 'group_id'], project: ['project_members', 'project_id'] } as const;
export type Scope = keyof typeof places;

const forPlaces = <Value>(make: (scope: Scope, table: string, column: string) => Value): Record<Scope, Value> => ({
  group: make('group', ...places.group),
  project: make('project', ...places.project),
});

/** Whose namespace a project is in, is its owner without being a member. */
const isOther = `not exists (
  select from projects p join namespaces n on n.id = p.namespace_id where p.id = $1::int and n.owner_id = one.user_id)`;

/** Stores members, which ends what they asked for. $1 place, $2 people, $3 levels, $4 days of expiry, $5 when each was added. */
export const storeMembers = forPlaces((scope, table, column) =>
  statement<object>(
    `import_${scope}_members`,
    `with stored as (
       insert into ${table} (user_id, ${column}, access_level, expires_at, created_at)
       select one.user_id, $1::int, one.level, one.expires_at, one.created_at
         from unnest($2::int[], $3::int[], $4::date[], $5::timestamptz[]) one(user_id, level, expires_at, created_at)
        where exists (select from users u where u.id = one.user_id and u.deleting_since is null)${scope === 'project' ? ` and ${isOther}` : ''}
       on conflict (user_id, ${column}) do update set access_level = excluded.access_level, expires_at = excluded.expires_at,
         updated_at = now()
       returning user_id
     ), ${requestsEndedFrom(scope, 'stored')}
     select 1 where false`,
  ),
);

/**
 * Removes people who are no members any more where the list comes from: imported ones, whom no one here added. $1 place, $2
 * the people who stay, $3 origin.
 */
export const removeMembers = forPlaces((scope, table, column) =>
  statement<{ user_id: number }>(
    `remove_${scope}_members_of_import`,
    `delete from ${table} m where m.${column} = $1::int and m.user_id <> all($2::int[]) and m.created_by_id is null
        and exists (select from imported_records r where r.origin_id = $3::int and r.kind = 'people' and r.local_id = m.user_id)
     returning m.user_id`,
  ),
);

/** Stores what people ask for, except members. $1 place, $2 people, $3 when each asked. Returns the new requests. */
export const storeRequests = forPlaces((scope, table, column) =>
  statement<{ id: number; user_id: number }>(
    `import_${scope}_access_requests`,
    `insert into access_requests (user_id, ${column}, created_at)
     select one.user_id, $1::int, one.created_at from unnest($2::int[], $3::timestamptz[]) one(user_id, created_at)
      where exists (select from users u where u.id = one.user_id and u.deleting_since is null)${scope === 'project' ? ` and ${isOther}` : ''}
        and not exists (select from ${table} m where m.user_id = one.user_id and m.${column} = $1::int and ${stillMember})
     on conflict do nothing returning id, user_id`,
  ),
);

/** Ends imported requests that ended where the list comes from. $1 place, $2 origin, $3 beginning of their keys, $4 keys that stay. */
export const removeRequests = forPlaces((scope, _table, column) =>
  statement<object>(
    `remove_${scope}_access_requests_of_import`,
    `with gone as (
       select r.user_id from imported_records i join access_requests r on r.id = i.local_id
        where i.origin_id = $2::int and i.kind = 'accessRequests' and starts_with(i.key, $3) and i.key <> all($4::text[]) and r.${column} = $1::int
     ), ${requestsEndedFrom(scope, 'gone')}
     select 1 where false`,
  ),
);

/** Stores shares with groups, for those that are no share of a place with itself. $1 place, $2 groups, $3 levels, $4 expiry. */
export const storeShares = {
  group: statement<object>(
    'import_group_shares',
    `insert into group_shares (group_id, invited_group_id, access_level, expires_at)
     select $1::int, one.id, one.level, one.expires_at from unnest($2::int[], $3::int[], $4::date[]) one(id, level, expires_at)
      where one.id <> $1::int
     on conflict (group_id, invited_group_id) do update set access_level = excluded.access_level, expires_at = excluded.expires_at`,
  ),
  project: statement<object>(
    'import_project_shares',
    `insert into project_shares (project_id, invited_group_id, access_level, expires_at)
     select $1::int, one.id, one.level, one.expires_at from unnest($2::int[], $3::int[], $4::date[]) one(id, level, expires_at)
     on conflict (project_id, invited_group_id) do update set access_level = excluded.access_level, expires_at = excluded.expires_at`,
  ),
} as const;

/** Ends shares with imported groups that ended where the list comes from. $1 place, $2 groups that stay, $3 origin. */
export const removeShares = forPlaces((scope, _table, column) =>
  statement<object>(
    `remove_${scope}_shares_of_import`,
    `delete from ${scope}_shares s where s.${column} = $1::int and s.invited_group_id <> all($2::int[])
        and exists (select from imported_records r where r.origin_id = $3::int and r.kind = 'groups' and r.local_id = s.invited_group_id)`,
  ),
);

/** Stores the stars of a person. $1 person, $2 projects. */
export const storeStars = statement<object>(
  'import_stars',
  `with starred as (
     insert into stars (user_id, project_id)
     select $1::int, p.id from projects p where p.id = any($2::int[]) and p.deleting_since is null
     on conflict do nothing returning project_id
   )
   update projects p set star_count = star_count + 1 from starred where p.id = starred.project_id`,
);
