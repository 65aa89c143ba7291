import { batchedWrite, statement, type NotificationLevel } from '../../../database/index.ts';
import type { Prepared } from '../../../database/list.ts';
import {
  groupAccessLevel,
  groupsOf,
  groupStatement,
  liveGroup,
  liveProject,
  memberProjects,
  projectAccessLevel,
  projectStatement,
  withAllBelow,
  type PlaceRow,
} from '../../../database/access/places.ts';

/** The row of one setting. Null and a missing event mean: never set. */
export interface SettingRow {
  level: NotificationLevel | null;
  events: Record<string, boolean | null> | null;
}

/** A setting with an address: of a group, null unless one was chosen. */
interface Addressed {
  notification_email: string | null;
}

export interface GlobalSettingRow extends SettingRow {
  /** Null only if the person has no address. */
  notification_email: string | null;
}

/** $1 the person. */
export const readGlobalSetting = statement<GlobalSettingRow>(
  'read_global_notification_setting',
  `select s.level::text as level, s.events,
          coalesce((select e.address from emails e where e.id = s.notification_email_id),
                   (select e.address from emails e where e.primary_of = person.id)) as notification_email
     from (select $1::int as id) person
     left join global_notification_settings s on s.user_id = person.id`,
);

export const readGroupSetting = groupStatement<PlaceRow & SettingRow & Addressed>(
  'read_group_notification_setting',
  ', s.level::text as level, s.events, (select e.address from emails e where e.id = s.notification_email_id) as notification_email',
  'left join group_notification_settings s on s.group_id = n.id and s.user_id = $2::int',
);

export const readProjectSetting = projectStatement<PlaceRow & SettingRow>(
  'read_project_notification_setting',
  ', s.level::text as level, s.events',
  'left join project_notification_settings s on s.project_id = p.id and s.user_id = $2::int',
);

/**
 * Writes the global setting. $1 the person, $2 the level or null to keep it,
 * $3 the events to set (null unsets one), $4 whether to set the address,
 * $5 its id or null for the primary one.
 */
export const writeGlobalSetting = batchedWrite<GlobalSettingRow>(
  'write_global_notification_setting',
  `insert into global_notification_settings as s (user_id, level, events, notification_email_id)
   values ($1::int, $2::"NotificationLevel", jsonb_strip_nulls($3::jsonb), $5::int)
   on conflict (user_id) do update set
     level = coalesce(excluded.level, s.level),
     events = jsonb_strip_nulls(s.events || $3::jsonb),
     notification_email_id = case when $4::boolean then excluded.notification_email_id else s.notification_email_id end,
     updated_at = now()
   returning level::text as level, events,
     coalesce((select e.address from emails e where e.id = s.notification_email_id),
              (select e.address from emails e where e.primary_of = s.user_id)) as notification_email`,
  ([person]) => String(person),
);

/** What writing the settings of places does besides: of groups, it sets addresses. */
const besides = {
  project: { columns: '', given: '', values: '', sets: '', returns: '' },
  group: {
    columns: ', set_email, email_id',
    given: ', $5::boolean[], $6::int[]',
    values: ', c.email_id',
    sets: `, notification_email_id = case when (select c.set_email from change c where c.id = s.group_id) then excluded.notification_email_id else s.notification_email_id end`,
    returns: `, (select e.address from emails e where e.id = s.notification_email_id) as notification_email`,
  },
} as const;

/**
 * Writes several settings of one person, all of groups or all of projects. $1 the person; then arrays of the same
 * length: $2 the places, $3 the levels (null keeps one), $4 the events to set (null unsets one); of groups also $5 whether
 * to set the address, $6 its id or null for none.
 */
const writePlaceSettings = <Row extends SettingRow & { id: number }>(scope: 'group' | 'project') => {
  const { columns, given, values, sets, returns } = besides[scope];
  return batchedWrite<Row>(
    `write_${scope}_notification_settings`,
    `with change as (
       select * from unnest($2::int[], $3::"NotificationLevel"[], $4::jsonb[]${given}) as c(id, level, events${columns})
     )
     insert into ${scope}_notification_settings as s (user_id, ${scope}_id, level, events${values && ', notification_email_id'})
     select $1::int, c.id, c.level, jsonb_strip_nulls(c.events)${values} from change c
     on conflict (user_id, ${scope}_id) do update set
       level = coalesce(excluded.level, s.level),
       events = jsonb_strip_nulls(s.events || (select c.events from change c where c.id = s.${scope}_id))${sets},
       updated_at = now()
     returning s.${scope}_id as id, s.level::text as level, s.events${returns}`,
    ([person, places]) => `${person as number} ${(places as number[]).join(' ')}`,
  );
};
export const writeGroupSettings = writePlaceSettings<SettingRow & Addressed & { id: number }>('group');
export const writeProjectSettings = writePlaceSettings<SettingRow & { id: number }>('project');

/** Level, switches and address; mute, quiet hours, digests and own activity stay. $1 the person. */
export const resetGlobalSetting = statement<object>(
  'reset_global_notification_setting',
  `with gone as (
     delete from global_notification_settings
      where user_id = $1 and not own_activity and muted_until is null and quiet_from is null and digest_minutes = 0
   )
   update global_notification_settings set level = null, events = '{}', notification_email_id = null, updated_at = now()
    where user_id = $1 and (own_activity or muted_until is not null or quiet_from is not null or digest_minutes > 0)`,
);
/** $1 the person, $2 the groups. */
export const resetGroupSettings = statement<object>(
  'reset_group_notification_settings',
  'delete from group_notification_settings where user_id = $1 and group_id = any($2::int[])',
);
/** $1 the person, $2 the projects. */
export const resetProjectSettings = statement<object>(
  'reset_project_notification_settings',
  'delete from project_notification_settings where user_id = $1 and project_id = any($2::int[])',
);

/**
 * Resets every setting of the person $1 in what the groups $2 contain, or everywhere ($3) but the global one.
 * @returns the places whose setting is gone
 */
export const resetBelow = statement<{ scope: 'GROUP' | 'PROJECT'; id: number }>(
  'reset_notification_settings_below',
  `with groups as (
     delete from group_notification_settings s using namespaces n
      where s.user_id = $1 and n.id = s.group_id
        and ($3::boolean or trim_array(n.ancestry, 1) && $2::int[])
     returning s.group_id
   ), projects as (
     delete from project_notification_settings s using projects p, namespaces n
      where s.user_id = $1 and p.id = s.project_id and n.id = p.namespace_id
        and ($3::boolean or n.ancestry && $2::int[])
     returning s.project_id
   )
   select 'GROUP' as scope, group_id as id from groups union all select 'PROJECT', project_id from projects`,
);

/**
 * Removes settings of the people $1 for places that they no longer see: for the groups $2 and everything in them, or
 * for the projects $3. Three arrays of the same length; of $2 and $3, one is null in each position.
 * @param unseen SQL conditions over a group `n` and over a project `p`
 */
export const forgetSettings = (unseen: (columns: { visibility: string; accessLevel: string }) => string) =>
  statement<object>(
    'forget_notification_settings',
    `with gone as (
       select g.user_id, g.group_id, g.project_id
         from unnest($1::int[], $2::int[], $3::int[]) as g(user_id, group_id, project_id)
         join users u on u.id = g.user_id and not u.administrator
     ), groups as (
       delete from group_notification_settings s using gone g, namespaces n
        where s.user_id = g.user_id and n.id = s.group_id and n.ancestry @> array[g.group_id]
          and ${unseen({ visibility: 'n.visibility', accessLevel: groupAccessLevel('s.user_id') })}
     )
     delete from project_notification_settings s using gone g, projects p, namespaces n
      where s.user_id = g.user_id and p.id = s.project_id and n.id = p.namespace_id
        and (n.ancestry @> array[g.group_id] or p.id = g.project_id)
        and ${unseen({ visibility: 'p.visibility', accessLevel: projectAccessLevel('s.user_id') })}`,
  );

export interface EffectiveLevelRow {
  /** The nearest level that isn't GLOBAL, or the global one; null if none was chosen. */
  applies: NotificationLevel | null;
  source: 'GLOBAL' | 'GROUP' | 'PROJECT' | null;
  /** The group that the level comes from, if it does. */
  group_id: number | null;
  group_visibility: PlaceRow['visibility'] | null;
  group_access_level: number | null;
}

/**
 * SQL that joins the effective level of the person $1: the project's own, else the nearest group's, else the global
 * one.
 * @param project SQL for the project's id, or null
 * @param ancestry SQL for the groups from the root to the nearest one, or null
 */
const applying = (project: string, ancestry: string) => `
     left join lateral (
       select c.level::text as applies, c.source, c.group_id
         from (
           select s.level, 'PROJECT' as source, null::int as group_id, 1000 as nearness
             from project_notification_settings s
            where s.user_id = $1 and s.project_id = ${project} and s.level <> 'GLOBAL'
           union all
           select s.level, 'GROUP', s.group_id, array_position(${ancestry}, s.group_id)
             from group_notification_settings s where s.user_id = $1 and s.group_id = any(${ancestry}) and s.level <> 'GLOBAL'
           union all
           select s.level, 'GLOBAL', null, 0 from global_notification_settings s where s.user_id = $1 and s.level is not null
         ) c
        order by c.nearness desc
        limit 1
     ) applying on true
     left join lateral (
       select n.visibility::text as visibility, ${groupAccessLevel('$1')} as access_level
         from namespaces n where n.id = applying.group_id
     ) source_group on true`;
const applyingColumns =
  'applying.applies, applying.source, applying.group_id, source_group.visibility as group_visibility, source_group.access_level as group_access_level';

/**
 * The effective levels of any number of settings of one person. $1 the person, $2 the scopes, $3 the ids of groups
 * and projects (anything for the global one), $4 whether a setting's own level is left out.
 */
export const effectiveLevels = statement<EffectiveLevelRow>(
  'effective_notification_levels',
  `select ${applyingColumns}
     from unnest($2::text[], $3::int[], $4::boolean[]) with ordinality as k(scope, id, above, position)
     left join projects p on k.scope = 'PROJECT' and p.id = k.id
     left join namespaces n on n.id = case k.scope when 'PROJECT' then p.namespace_id when 'GROUP' then k.id end
     ${applying('case when not k.above then p.id end', `case when k.above and k.scope = 'GROUP' then trim_array(n.ancestry, 1) else n.ancestry end`)}
    order by k.position`,
);

export interface ListedSettingRow extends SettingRow, Partial<EffectiveLevelRow> {
  scope: 'GLOBAL' | 'GROUP' | 'PROJECT';
  /** The group's or project's id; the person's for the global one. */
  id: number;
  /** Empty for the global one, which therefore comes first. */
  full_path: string;
  notification_email: string | null;
}

/** The parameters of a list of settings. */
export interface SettingList {
  /** Paths between which to list. */
  readonly after: string | null;
  readonly before: string | null;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** A text that the name or the path must contain. */
  readonly search: string | null;
  /** Whether to include inherited memberships, and places that are shared with the person's groups. */
  readonly inherited: boolean;
  /** Whether to list only settings with a level or a switch of their own. */
  readonly changed: boolean;
  /** Whether to read the effective levels. */
  readonly effective: boolean;
}

/** A sort key for full paths in the order of a tree: the contents of a group follow it directly. */
const treeOrder = (path: string) => `replace(${path}, '/', chr(1)) collate "C"`;

/**
 * Settings of a person: the global one, then those of every group and project of which they are a direct member,
 * that they own, or for which they set something, in the order of the tree. Unused filters aren't in the statement,
 * so that one plan suits everyone.
 * @param variant the name of this variant of the statement
 * @param visible SQL conditions over a group `n` and over a project `p`
 */
export function listSettings(
  person: number,
  variant: string,
  visible: (columns: { visibility: string; accessLevel: string }) => string,
  { after, before, limit, order, search, inherited, changed, effective }: SettingList,
): Prepared<ListedSettingRow> {
  const values: unknown[] = [person];
  const value = (one: unknown) => `$${values.push(one)}`;
  const path = treeOrder('full_path');
  const conditions: string[] = [];
  if (after !== null) conditions.push(`${path} > ${treeOrder(`${value(after)}::text`)}`);
  if (before !== null) conditions.push(`${path} < ${treeOrder(`${value(before)}::text`)}`);
  if (search !== null) {
    const part = `lower(${value(search)}::text)`;
    conditions.push(`(strpos(lower(full_path), ${part}) > 0 or strpos(lower(name), ${part}) > 0)`);
  }
  const asked = Object.entries({ after, before, search, inherited, changed, effective }).filter(
    ([, given]) => given !== null && given !== false,
  );
  const { below, groups, projects } = placesOf(inherited, changed);
  // The rules are checked in the order of the list, until the page is full: `offset 0` keeps them out of the sort.
  const page = `
     ${below} select * from (
       select *, ${path} as place from (
         ${
           search === null
             ? `select 'GLOBAL' as scope, u.id, '' as full_path, '' as name from users u
                 where u.id = $1 ${changed ? `and exists (select from global_notification_settings s where s.user_id = u.id and ${isChanged})` : ''}
         union all`
             : ''
         }
         select 'GROUP' as scope, n.id, n.full_path, n.name from namespaces n where n.id = any(array(${groups})) and ${liveGroup}
         union all
         select 'PROJECT', p.id, p.full_path, p.name from projects p where p.id = any(array(${projects})) and p.deleting_since is null
       ) candidates
       ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
       order by place ${order} offset 0
     ) listed
     where case scope
       when 'GROUP' then (select ${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel('$1') })}
         from namespaces n where n.id = listed.id)
       when 'PROJECT' then (select ${liveProject} and ${visible({ visibility: 'p.visibility', accessLevel: projectAccessLevel('$1') })}
         from projects p join namespaces n on n.id = p.namespace_id where p.id = listed.id)
       else true end
     order by place ${order}
     limit ${value(limit)}`;
  return {
    statement: statement(
      ['list_settings', variant, order, ...asked.map(([name]) => name)].join('_'),
      `select page.scope, page.id, page.full_path, own.level, own.events, own.notification_email ${effective ? `, ${applyingColumns}` : ''}
         from (${page}) page
         left join lateral (${ownSetting}) own on true
         left join projects p on page.scope = 'PROJECT' and p.id = page.id
         left join namespaces n on n.id = case page.scope when 'PROJECT' then p.namespace_id when 'GROUP' then page.id end
         ${effective ? applying('p.id', 'n.ancestry') : ''}
        order by page.place ${order}`,
    ),
    values,
  };
}

/** SQL for whether a setting `s` has a level or a switch of its own. */
const isChanged = `(s.level <> 'GLOBAL' or s.events <> '{}')`;

/** SQL for the ids of the places that a list may have. Arrays of them let PostgreSQL use an index: it can't estimate how small a subquery is. */
function placesOf(inherited: boolean, changed: boolean): { below: string; groups: string; projects: string } {
  const set = (kind: 'group' | 'project') =>
    `select s.${kind}_id from ${kind}_notification_settings s where s.user_id = $1${changed ? ` and ${isChanged}` : ''}`;
  // Only a place with a setting can have a changed one; the person may have no role there.
  if (changed) return { below: '', groups: set('group'), projects: set('project') };
  const groups = `select group_id from group_members where user_id = $1 union all ${set('group')}`;
  const projects = `select project_id from project_members where user_id = $1 union all ${set('project')}
     union all select own.id from projects own where own.namespace_id = (select o.id from namespaces o where o.owner_id = $1)`;
  if (!inherited) return { below: '', groups, projects };
  return {
    below: `with below as materialized (${withAllBelow(groupsOf('$1', 10))})`,
    groups: `${groups} union all select id from below`,
    projects: `${projects} union all ${memberProjects('$1', 10)}
     union all select own.id from projects own where own.namespace_id = any(array(select id from below))`,
  };
}

/** SQL for the setting of the person $1 for the row `page`. */
const ownSetting = `
  select s.level::text as level, s.events, coalesce(chosen.address, own.address) as notification_email
    from users u left join global_notification_settings s on s.user_id = u.id
      left join emails chosen on chosen.id = s.notification_email_id left join emails own on own.primary_of = u.id
   where page.scope = 'GLOBAL' and u.id = $1
  union all
  select s.level::text, s.events, (select e.address from emails e where e.id = s.notification_email_id)
    from group_notification_settings s where page.scope = 'GROUP' and s.user_id = $1 and s.group_id = page.id
  union all
  select s.level::text, s.events, null from project_notification_settings s
   where page.scope = 'PROJECT' and s.user_id = $1 and s.project_id = page.id`;
