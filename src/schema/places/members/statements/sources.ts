import {
  groupAccessLevel,
  liveGroup,
  projectAccessLevel,
  stillMember,
  stillShared,
} from '../../../../database/access/places.ts';
import type { Watcher } from './page.ts';
import { ofProject, type Scope } from './row.ts';

/**
 * Sources of members: the place itself, and groups. Of two sources with the same role, the one with the larger depth is
 * nearer. `most` is the highest role that a share of the source gives, and `until` the day on which it ends.
 */

/** Where members of a place come from, by GitLab's names. */
export type Relation =
  | 'DIRECT'
  | 'INHERITED'
  | 'DESCENDANTS'
  | 'INVITED_GROUPS'
  | 'SHARED_INTO_ANCESTORS'
  | 'SHARED_FROM_GROUPS';

const noShare = 'null::smallint as most, null::date as until, false as shared';
const asked = (relation: Relation) => `'${relation}' = any($3::text[])`;

const level = groupAccessLevel('$2::int');
const seenGroup = ({ visible }: Watcher) => visible({ visibility: 'n.visibility', accessLevel: level });
/** Whether the viewer sees the group `n`, or manages the group that is `place`, or the project `p` in it. */
const seenOrManaged = (watcher: Watcher, scope: Scope) => {
  // The place and the namespace of a project, by the name that the fragments have for a namespace.
  const managed =
    scope === 'group'
      ? `select ${watcher.manages('group', level)} from namespaces n where n.id = parent.id`
      : `select ${watcher.manages('project', projectAccessLevel('$2::int'))}
           from projects p join namespaces n on n.id = p.namespace_id where p.id = parent.id`;
  return `(${seenGroup(watcher)} or (${managed}))`;
};

/** The groups above a place with an `ancestry`, the place itself among them if it is a group. */
const above = (place: string, is: string) =>
  `select a.id as group_id, null::int as project_id, a.depth, ${noShare}
     from ${place}, unnest(place.ancestry) with ordinality as a(id, depth) join namespaces n on n.id = a.id
    where ${is}`;

/** The groups that are invited to a group above a place `place`, or to the place itself. Further ones don't follow. */
const invitedAbove = (watcher: Watcher, scope: Scope, place: string, is: string) =>
  `select n.id, null::int, -1::bigint, share.access_level, share.expires_at, true
     from ${place}
     join group_shares share on share.group_id = any(place.ancestry) and ${stillShared}
     join namespaces n on n.id = share.invited_group_id and ${liveGroup}
    where ${is} and ${seenOrManaged(watcher, scope)}
      and (${scope === 'group' ? 'share.group_id = parent.id or' : ''} exists (
        select from namespaces n where n.id = share.group_id and ${seenGroup(watcher)}))`;

/**
 * The groups whose members have a role in the project `p` by a share of it: the invited group, the groups above it, and
 * the groups that are invited to any of these.
 */
const invitedToProject = (watcher: Watcher) =>
  `select n.id, null::int, -2::bigint, through.most, through.until, true
     from projects p
     join namespaces place on place.id = p.namespace_id and not place.share_with_group_lock
     join project_shares share on share.project_id = p.id and ${stillShared}
     join namespaces invited on invited.id = share.invited_group_id and invited.deleting_since is null
     cross join lateral (
       select a.id, share.access_level as most, share.expires_at as until from unnest(invited.ancestry) as a(id)
       union all
       select further.invited_group_id, least(share.access_level, further.access_level), least(share.expires_at, further.expires_at)
         from (select share.* from group_shares share where share.group_id = any(invited.ancestry) and ${stillShared}) further
     ) through
     join namespaces n on n.id = through.id and ${liveGroup}
    where p.id = parent.id and ${asked('INVITED_GROUPS')} and ${seenOrManaged(watcher, 'project')}`;

/** Which parts the SQL of sources has: the groups below, and shares. */
export interface Parts {
  readonly below: boolean;
  readonly shared: boolean;
}

/** SQL for the sources of members of the place `parent.id`, those that the viewer $2 may see. $3 the relations. */
export const sourcesOf: Record<Scope, (watcher: Watcher, parts: Parts) => string> = {
  group: (watcher, { below, shared }) => {
    const seen = seenGroup(watcher);
    const own = `a.id = parent.id and ${asked('DIRECT')}`;
    const inherited = `a.id <> parent.id and ${asked('INHERITED')} and ${seen}`;
    const parts = [above('namespaces place', `place.id = parent.id and (${own} or ${inherited})`)];
    if (below)
      parts.push(`select n.id, null, -cardinality(n.ancestry) - 10, ${noShare} from namespaces n
                   where n.ancestry @> array[parent.id] and n.id <> parent.id and ${liveGroup} and ${seen}`);
    if (shared)
      parts.push(
        invitedAbove(watcher, 'group', 'namespaces place', `place.id = parent.id and ${asked('SHARED_FROM_GROUPS')}`),
      );
    return parts.join(' union all ');
  },
  project: (watcher, { shared }) => {
    const namespace = 'projects p join namespaces place on place.id = p.namespace_id';
    const inherited = `p.id = parent.id and n.kind = 'GROUP' and ${asked('INHERITED')} and ${seenGroup(watcher)}`;
    const parts = [
      `select null::int as group_id, parent.id as project_id, 1000::bigint as depth, ${noShare} where ${asked('DIRECT')}`,
      above(namespace, inherited),
    ];
    if (shared)
      parts.push(
        invitedAbove(watcher, 'project', namespace, `p.id = parent.id and ${asked('SHARED_INTO_ANCESTORS')}`),
        invitedToProject(watcher),
      );
    return parts.join(' union all ');
  },
};

/** The columns of a membership `m` of a source: as stored, or cut by the share. */
const cut = (source: string) =>
  `m.id, m.user_id, least(m.access_level, ${source}.most) as access_level, least(m.expires_at, ${source}.until) as expires_at,
   m.created_at, m.updated_at, m.created_by_id`;

/** SQL for the members of a source. */
export const membersOfSource: Record<Scope, (source: string) => string> = {
  group: (source) =>
    `select ${cut(source)} from group_members m where m.group_id = ${source}.group_id and ${stillMember}`,
  project: (source) =>
    `select ${cut(source)} from group_members m where m.group_id = ${source}.group_id and ${stillMember}
     union all
     select ${cut(source)} from (${ofProject(`${source}.project_id`)}) m where ${stillMember}`,
};
