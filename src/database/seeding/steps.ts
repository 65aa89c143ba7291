import { count, created, given, spread, type Step } from './parts.ts';
import { planningSteps } from './planning.ts';

/**
 * The steps of seeding. Each step is one statement that creates the rows numbered $1 to $2. It depends only on these
 * numbers and on the `seeded` table of earlier steps (kind, number → id), so any batch size gives the same data. $3 is
 * the prefix of every name, $4 the counts.
 */

/** Depth of seeded groups, including the root: the maximum. */
const depth = 20;

/** How many root groups there are. */
const trees = `ceil(${count('groups')} / ${depth}.0)::int`;

/**
 * Of ten group trees, one is public, two are internal and the rest private: a group can't be more visible than its
 * parent.
 */
const visibility = `(case tree % 10 when 0 then 'PUBLIC' when 1 then 'INTERNAL' when 2 then 'INTERNAL' else 'PRIVATE' end)::"Visibility"`;
/** Roles: mostly guest to developer; one in thirty memberships is an owner's. */
const accessLevel = `(array[10, 20, 30, 30, 30, 40])[1 + i % 6] + case when i % 30 = 5 then 10 else 0 end`;
const level = `(array['WATCH', 'PARTICIPATING', 'MENTION', 'DISABLED', 'CUSTOM']::"NotificationLevel"[])[1 + i % 5]`;
const events = `case when i % 5 = 4 then '{"NEW_NOTE": true, "FAILED_PIPELINE": false}'::jsonb else '{}'::jsonb end`;
/** The digest of a random secret. */
const digest = 'sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))';

/**
 * The pairs of person and place for memberships and settings: even numbers are for groups, odd ones for projects. Each
 * round over all people shifts by one place, so that no pair repeats until all are used.
 */
const pairs = (of: 'group' | 'project') => {
  const [users, places] = [
    `greatest(${count('users')}, 1)`,
    `greatest(${count(of === 'group' ? 'groups' : 'projects')}, 1)`,
  ];
  return `
  select i, u.id as user_id, p.id as place_id
    from generate_series($1, $2) i
    join seeded u on u.kind = 'user' and u.number = ${spread('i / 2', count('users'))}
    join seeded p on p.kind = '${of}' and p.number = 1 + (i / 2 % ${users} + i / 2 / ${users}) % ${places}
   where i % 2 = ${of === 'group' ? 0 : 1} and i / 2 < ${users}::bigint * ${places}`;
};

export const steps: readonly Step[] = [
  {
    counts: 'users',
    label: 'users',
    tables: ['users', 'namespaces', 'routes', 'emails'],
    batch: 10_000,
    text: `
      with ${given}, numbered as materialized (
        select i, nextval('users_id_seq')::int as id, nextval('namespaces_id_seq')::int as namespace_id, $3 || '-user-' || i as username
          from generate_series($1, $2) i
      ), users as (
        insert into users (id, username, name, created_at)
        select id, username, 'Seeded User ' || i, ${created} from numbered
      ), namespaces as (
        insert into namespaces (id, kind, owner_id, path, name, full_path, visibility, ancestry)
        select namespace_id, 'USER', id, username, 'Seeded User ' || i, username, 'PUBLIC', array[namespace_id] from numbered
      ), routes as (
        insert into routes (path, namespace_id) select lower(username), namespace_id from numbered
      ), emails as (
        insert into emails (user_id, address, verified_at, primary_of) select id, lower(username) || '@seed.example.com', now(), id from numbered
      )
      insert into seeded (kind, number, id) select 'user', i, id from numbered`,
  },
  {
    counts: 'groups',
    label: 'groups',
    tables: ['namespaces', 'routes'],
    // One level of the trees per statement: a statement doesn't see its own rows, so a group's parent must come from
    // an earlier one.
    batch: ({ groups }) => Math.ceil(groups / depth),
    text: `
      with ${given}, numbered as materialized (
        select i, nextval('namespaces_id_seq')::int as id, 'group-' || i as path, parent.id as parent_id,
               coalesce(parent.full_path || '/group-' || i, $3 || '-group-' || i) as full_path,
               coalesce(parent.ancestry, '{}') as above, (i - 1) % ${trees} as tree
          from generate_series($1, $2) i
          -- Each group is in one of the level above: chains of the maximum depth.
          left join seeded s on s.kind = 'group' and s.number = i - ${trees}
          left join namespaces parent on parent.id = s.id
      ), namespaces as (
        insert into namespaces (id, kind, parent_id, path, name, full_path, visibility, ancestry, created_at)
        select id, 'GROUP', parent_id, case when parent_id is null then $3 || '-' || path else path end,
               'Seeded Group ' || i, full_path, ${visibility}, above || id, ${created} from numbered
      ), routes as (
        insert into routes (path, namespace_id) select lower(full_path), id from numbered
      )
      insert into seeded (kind, number, id) select 'group', i, id from numbered`,
  },
  {
    counts: 'projects',
    label: 'projects',
    tables: ['projects', 'routes', 'error_tracking_settings'],
    batch: 10_000,
    text: `
      with ${given}, numbered as materialized (
        select i, nextval('projects_id_seq')::int as id, 'project-' || i as path, n.id as namespace_id,
               n.full_path || '/project-' || i as full_path, n.visibility, u.id as creator_id
          from generate_series($1, $2) i
          join seeded s on s.kind = 'group' and s.number = 1 + i % greatest(${count('groups')}, 1)
          join namespaces n on n.id = s.id
          left join seeded u on u.kind = 'user' and u.number = ${spread('i', count('users'))}
      ), projects as (
        insert into projects (id, namespace_id, creator_id, path, name, full_path, visibility, created_at, updated_at, last_activity_at, topics)
        select id, namespace_id, creator_id, path, 'Seeded Project ' || i, full_path, visibility, ${created}, ${created}, ${created},
               array['topic-' || i % 50] from numbered
      ), routes as (
        insert into routes (path, project_id) select lower(full_path), id from numbered
      ), tracking as (
        insert into error_tracking_settings (project_id, active, api_url, project_name)
        select id, i % 2 = 0, 'https://tracker.example.com/api/0/projects/seed/' || path, path from numbered
      )
      insert into seeded (kind, number, id) select 'project', i, id from numbered`,
  },
  {
    counts: 'memberships',
    label: 'memberships',
    tables: ['group_members', 'project_members'],
    batch: 50_000,
    text: `
      with ${given}, groups as (
        insert into group_members (user_id, group_id, access_level)
        select user_id, place_id, ${accessLevel} from (${pairs('group')}) pair
      )
      insert into project_members (user_id, project_id, access_level)
      select user_id, place_id, ${accessLevel} from (${pairs('project')}) pair`,
  },
  {
    counts: 'settings',
    label: 'notification settings',
    tables: ['global_notification_settings', 'group_notification_settings', 'project_notification_settings'],
    batch: 50_000,
    text: `
      with ${given}, global as (
        insert into global_notification_settings (user_id, level, events)
        select u.id, (array['PARTICIPATING', 'WATCH', 'MENTION', 'DISABLED', 'CUSTOM']::"NotificationLevel"[])[1 + i / 10 % 5], '{}'
          from generate_series($1, $2) i
          join seeded u on u.kind = 'user' and u.number = ${spread('i / 10', count('users'))}
         where i % 10 = 0 and i / 10 < ${count('users')}
      ), groups as (
        insert into group_notification_settings (user_id, group_id, level, events)
        select user_id, place_id, ${level}, ${events} from (${pairs('group')}) pair where i % 10 > 0
      )
      insert into project_notification_settings (user_id, project_id, level, events)
      select user_id, place_id, ${level}, ${events} from (${pairs('project')}) pair`,
  },
  {
    counts: 'tokens',
    label: 'personal access tokens',
    tables: ['personal_access_tokens'],
    batch: 50_000,
    text: `
      with ${given}
      insert into personal_access_tokens (user_id, name, digest, scopes, expires_at)
      select u.id, $3 || ' ' || i, ${digest}, '{api}', current_date + 365
        from generate_series($1, $2) i
        join seeded u on u.kind = 'user' and u.number = ${spread('i', count('users'))}`,
  },
  {
    counts: 'grants',
    label: 'OAuth grants',
    tables: ['applications', 'grants', 'access_tokens', 'refresh_tokens'],
    batch: 50_000,
    text: `
      with ${given}, made as (
        insert into applications (name, uid, secret_digest, redirect_uris, scopes)
        select 'Seeded Application', $3 || '-application', ${digest}, '{https://client.example.com/callback}', '{api}' where $1 = 1
        returning id
      ), application as (
        select id from made union all select id from applications where uid = $3 || '-application'
      ), numbered as materialized (
        select u.id as user_id, application.id as application_id,
               nextval('grants_id_seq')::int as id, nextval('access_tokens_id_seq')::int as access_token_id
          from generate_series($1, $2) i
          join seeded u on u.kind = 'user' and u.number = ${spread('i', count('users'))}
         cross join application
      ), grants as (
        insert into grants (id, kind, application_id, user_id, authorized_at, expires_at)
        select id, 'AUTHORIZATION_CODE', application_id, user_id, now(), now() + interval '365 days' from numbered
      ), access as (
        insert into access_tokens (id, grant_id, digest, scopes, expires_at)
        select access_token_id, id, ${digest}, '{api}', now() + interval '365 days' from numbered
      )
      insert into refresh_tokens (grant_id, access_token_id, digest, scopes, expires_at)
      select id, access_token_id, ${digest}, '{api}', now() + interval '365 days' from numbered`,
  },
  ...planningSteps,
];
