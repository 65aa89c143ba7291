import { auditKind } from '../../../auth/statements/audit.ts';
import {
  groupAccessLevel,
  groupStatement,
  liveGroup,
  projectAccessLevel,
  projectStatement,
  stillShared,
  type PlaceRow,
} from '../../../database/access/places.ts';
import { statement, type Statement } from '../../../database/index.ts';

/** Shares of groups and of projects: two tables with the same statements. */
export type Scope = 'group' | 'project';

/** A group or a project that is to be shared. */
export interface SharedPlaceRow extends PlaceRow {
  full_path: string;
  /** The groups from the root to the place, or to the namespace of the project. */
  ancestry: number[];
  /** Whether the group of a project has its shares locked. */
  locked: boolean;
  /** Whether the top-level group allows only groups of its own tree. */
  closed: boolean;
}

const top = 'join namespaces top on top.id = n.ancestry[1]';
const columns = (place: 'n' | 'p', locked: string) =>
  `, ${place}.full_path, n.ancestry, ${locked} as locked, top.prevent_sharing_groups_outside_hierarchy as closed`;

export const findSharedPlace = {
  group: groupStatement<SharedPlaceRow>('find_group_to_share', columns('n', 'false'), top),
  project: projectStatement<SharedPlaceRow>('find_project_to_share', columns('p', 'n.share_with_group_lock'), top),
};

/** The group with which a place is to be shared. */
export interface InvitedRow extends PlaceRow {
  name: string;
  full_path: string;
  ancestry: number[];
}
export const findInvitedGroup = groupStatement<InvitedRow>('find_group_to_invite', ', n.name, n.full_path, n.ancestry');

export interface ShareRow {
  /** The number of a share of a project; null for one of a group. */
  id: number | null;
  invited_group_id: number;
  access_level: number;
  /** YYYY-MM-DD */
  expires_at: string | null;
}

const ofBoth = <Row>(make: (scope: Scope, table: string, place: string) => Statement<Row>) => ({
  group: make('group', 'group_shares', 'group_id'),
  project: make('project', 'project_shares', 'project_id'),
});
const row = (scope: Scope, share: string) =>
  `${scope === 'group' ? 'null::int as id' : `${share}.id`}, ${share}.invited_group_id, ${share}.access_level, ${share}.expires_at::text as expires_at`;

/**
 * Shares the place $1 with the group $2, with the role $3 until $4. An expired share is replaced. No row: it is shared
 * with the group, or one of the two was removed.
 */
export const insertShare = ofBoth((scope, table, place) =>
  statement<ShareRow>(
    `insert_${scope}_share`,
    `with live as (
       -- Locked, so that neither is removed meanwhile.
       select from namespaces n where n.id = $2::int and ${liveGroup} for share
     )
     insert into ${table} as share (${place}, invited_group_id, access_level, expires_at)
     select $1::int, $2::int, $3::smallint, $4::date from live
     on conflict (${place}, invited_group_id) do update set
       access_level = excluded.access_level, expires_at = excluded.expires_at, created_at = now()
     where not ${stillShared}
     returning ${row(scope, 'share')}`,
  ),
);

/** The share of the place $1 with the group $2, or the group at the path $3, locked until the transaction ends. */
export const findShare = ofBoth((scope, table, place) =>
  statement<ShareRow & { full_path: string }>(
    `find_${scope}_share`,
    `select ${row(scope, 'share')}, n.full_path from ${table} share join namespaces n on n.id = share.invited_group_id
      where share.${place} = $1 and n.id = coalesce($2::int, (select r.namespace_id from routes r where r.path = $3::text)) and ${stillShared} and ${liveGroup} for update of share`,
  ),
);

/** Removes the share of the place $1 with the group $2. */
export const deleteShare = ofBoth((scope, table, place) =>
  statement<object>(`delete_${scope}_share`, `delete from ${table} where ${place} = $1 and invited_group_id = $2`),
);

/**
 * Removes the settings of people in the place $1 that they no longer see, after a share of it ended.
 * @param unseen SQL condition over a group `n` or over a project `p` in it
 */
export const forgetSettingsIn = (unseen: (columns: { visibility: string; accessLevel: string }) => string) => {
  const forgetting = (condition: string, scope: Scope) =>
    scope === 'group'
      ? `delete from group_notification_settings s using namespaces n, users u
          where n.id = s.group_id and ${condition} and u.id = s.user_id and not u.administrator
            and ${unseen({ visibility: 'n.visibility', accessLevel: groupAccessLevel('s.user_id') })}`
      : `delete from project_notification_settings s using projects p, namespaces n, users u
          where p.id = s.project_id and n.id = p.namespace_id and ${condition} and u.id = s.user_id and not u.administrator
            and ${unseen({ visibility: 'p.visibility', accessLevel: projectAccessLevel('s.user_id') })}`;
  return {
    group: statement<object>(
      'forget_settings_in_shared_group',
      `with groups as (${forgetting('n.ancestry @> array[$1::int]', 'group')})
       ${forgetting('n.ancestry @> array[$1::int]', 'project')}`,
    ),
    project: statement<object>('forget_settings_in_shared_project', forgetting('p.id = $1::int', 'project')),
  };
};

/** The rules for what a viewer sees, as SQL. */
interface Rules {
  /** Distinguishes them, in names of statements. */
  readonly variant: string;
  readonly visible: (columns: { visibility: string; accessLevel: string }) => string;
  /** Whether they manage the members of the group `n` or the project `p`. */
  readonly manages: (scope: Scope, accessLevel: string) => string;
}

/** A share of a place, with what is shown of the invited group to people who see the share. */
export interface ListedShareRow extends ShareRow {
  place_id: number;
  group_name: string;
  group_full_path: string;
}

const from = {
  group: 'group_shares share join namespaces place on place.id = share.group_id',
  project:
    'project_shares share join projects p on p.id = share.project_id join namespaces place on place.id = p.namespace_id',
} as const;

/**
 * The shares of the places $1 that the viewer $2 sees: with groups that they see, and all of places whose members they
 * manage.
 */
export const listShares = (scope: Scope, { variant, visible, manages }: Rules) => {
  const level = '$2::int';
  const place = scope === 'group' ? 'share.group_id' : 'share.project_id';
  const managed =
    scope === 'group'
      ? `exists (select from namespaces n where n.id = share.group_id and ${manages('group', groupAccessLevel(level))})`
      : `exists (select from projects p join namespaces n on n.id = p.namespace_id
           where p.id = share.project_id and ${manages('project', projectAccessLevel(level))})`;
  return statement<ListedShareRow>(
    `list_${scope}_shares_${variant}`,
    `select ${place} as place_id, ${row(scope, 'share')}, n.name as group_name, n.full_path as group_full_path
       from ${from[scope]} join namespaces n on n.id = share.invited_group_id
      where ${place} = any($1::int[]) and ${stillShared} and ${liveGroup}
        and (${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel(level) })} or ${managed})
      order by share.created_at, share.invited_group_id`,
  );
};

/** Removes expired shares, at most $1 of each kind, with an audit event for each. It returns their places. */
export const endShares = statement<{ group_id: number | null; project_id: number | null }>(
  'end_shares',
  `with expired as (
     select share.group_id, share.invited_group_id from group_shares share
      where not ${stillShared} limit $1 for update skip locked
   ), expired_of_projects as (
     select share.project_id, share.invited_group_id from project_shares share
      where not ${stillShared} limit $1 for update skip locked
   ), ended as (
     delete from group_shares s using expired g where s.group_id = g.group_id and s.invited_group_id = g.invited_group_id
     returning s.group_id, null::int as project_id, s.invited_group_id
   ), ended_of_projects as (
     delete from project_shares s using expired_of_projects p where s.project_id = p.project_id and s.invited_group_id = p.invited_group_id
     returning null::int as group_id, s.project_id, s.invited_group_id
   ), gone as (
     select * from ended union all select * from ended_of_projects
   ), noted as (
     insert into audit_events (kind, scopes, address, request_id, detail)
     select case when gone.group_id is null then ${auditKind('project_share_removed')} else ${auditKind('group_share_removed')} end,
            '{}', '', '', concat(coalesce(h.full_path, p.full_path), ' with the group ', i.full_path, ': it expired')
       from gone
       left join namespaces h on h.id = gone.group_id left join projects p on p.id = gone.project_id
       join namespaces i on i.id = gone.invited_group_id
   )
   select group_id, project_id from gone`,
);
