import { statement } from '../../../../database/index.ts';
import { ListQuery, parent, type Parent } from '../../../../database/list.ts';
import { resemblance } from '../../../../database/matching.ts';
import {
  directGroupsOf,
  hasGroupRole,
  liveGroup,
  stillShared,
  type PlaceRow,
} from '../../../../database/access/places.ts';
import { namespaceReading, type NamespaceRecord } from '../../../../database/access/records.ts';

/** Filters of a list of groups. Omitted or null filters match everything. */
export interface GroupFilter {
  readonly search?: string | null | undefined;
  readonly visibility?: string | null | undefined;
  /** Only groups that the viewer owns directly. */
  readonly owned?: boolean | null | undefined;
  /** The minimum role of the viewer, direct or inherited. */
  readonly minAccessLevel?: number | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Ids of groups to leave out. */
  readonly skip?: readonly number[] | undefined;
  readonly topLevelOnly?: boolean | null | undefined;
  /** Whether no group has what is asked for. */
  readonly none?: boolean;
  /** A search, by which the order `similarity` compares. */
  readonly similarTo?: string | undefined;
  /** The id of a group: only groups that are shared with it. */
  readonly sharedWith?: number | Parent | undefined;
  /** Only groups that are invited to this group or project, or to a group above it. */
  readonly invitedTo?: Invitation | undefined;
  /** The id of a project: only groups with which it may be shared further. */
  readonly invitable?: number | undefined;
  /** The id of the parent, and whether to include all its descendants. */
  readonly parent?: { readonly id: number | Parent; readonly descendants: boolean } | undefined;
}

interface Invitation {
  readonly scope: 'group' | 'project';
  readonly id: number | Parent;
  /** To the place itself. */
  readonly direct: boolean;
  /** To a group above it. */
  readonly inherited: boolean;
}

/**
 * SQL condition: the group `n` is invited.
 * @param id SQL for the id of the place
 * @param atLeast the lowest role that the invitation gives
 */
function isInvited({ scope, direct, inherited }: Omit<Invitation, 'id'>, id: string, atLeast = 0): string {
  const of = (table: string, condition: string) =>
    `n.id = any(array(select share.invited_group_id from ${table} share where ${condition} and share.access_level >= ${atLeast} and ${stillShared}))`;
  const above =
    scope === 'group'
      ? `(select array_remove(g.ancestry, g.id) from namespaces g where g.id = ${id})`
      : `(select g.ancestry from projects p join namespaces g on g.id = p.namespace_id where p.id = ${id})`;
  const parts = [
    direct && of(`${scope}_shares`, `share.${scope}_id = ${id}`),
    inherited && of('group_shares', `share.group_id = any(${above}::int[])`),
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'false' : `(${parts.join(' or ')})`;
}

/** SQL condition: the project may be shared with the group `n`. @param id SQL for the id of the project */
const isInvitable = (id: string) =>
  `exists (
     select from projects p join namespaces g on g.id = p.namespace_id join namespaces top on top.id = g.ancestry[1]
      where p.id = ${id} and not g.share_with_group_lock and not n.id = any(g.ancestry)
        and (not top.prevent_sharing_groups_outside_hierarchy or n.ancestry[1] = top.id)
        and not exists (select from project_shares share
          where share.project_id = p.id and share.invited_group_id = n.id and ${stillShared}))`;

/**
 * A page of groups.
 * @param viewer the person's id; null if anonymous
 * @param visible SQL condition: the viewer sees the group `n`
 */
export function groupList(
  viewer: number | null,
  visible: (columns: { visibility: string; accessLevel: (atLeast: number) => string }) => string,
  filter: GroupFilter,
): ListQuery<NamespaceRecord> {
  const query = new ListQuery('namespaces n', 'n.id', namespaceReading);
  const me = viewer === null ? null : `${query.key(viewer)}::int`;
  const hasRole = me === null ? () => 'false' : hasGroupRole(me);

  query
    .where("n.kind = 'GROUP'")
    .where(liveGroup)
    .where(visible({ visibility: 'n.visibility', accessLevel: hasRole }));
  if (filter.owned) query.where(me === null ? 'false' : `n.id = any(${directGroupsOf(me, 50)})`);
  if (filter.minAccessLevel != null) query.where(hasRole(filter.minAccessLevel));
  if (filter.none) query.where('false');
  if (filter.topLevelOnly) query.where('n.parent_id is null');
  if (filter.parent) {
    const id = filter.parent.id === parent ? parent : `${query.key(filter.parent.id)}::int`;
    query.where(filter.parent.descendants ? `n.ancestry @> array[${id}] and n.id <> ${id}` : `n.parent_id = ${id}`);
  }
  const sql = (id: number | Parent) => (id === parent ? parent : `${query.key(id)}::int`);
  if (filter.sharedWith !== undefined)
    query.where(`n.id = any(array(select share.group_id from group_shares share
                  where share.invited_group_id = ${sql(filter.sharedWith)} and ${stillShared}))`);
  if (filter.invitedTo) query.where(isInvited(filter.invitedTo, sql(filter.invitedTo.id)));
  if (filter.invitable !== undefined) query.where(isInvitable(sql(filter.invitable)));
  if (filter.similarTo !== undefined) {
    const text = `${query.value(filter.similarTo.toLowerCase())}::text`;
    query.where(`${text} is not null`).orderBy('similarity', resemblance('n', text));
  }
  return query
    .given(filter.visibility, (visibility) => `n.visibility = ${visibility}::"Visibility"`)
    .given(filter.ids, (ids) => `n.id = any(${ids}::int[])`)
    .given(filter.skip, (ids) => `not n.id = any(${ids}::int[])`)
    .search(filter.search, ['n.name', 'n.path', 'n.full_path']);
}

/**
 * SQL condition: the group `n` is above a project, or invited to it or to a group above it.
 * @param project SQL for its id
 * @param sharedFrom the lowest role that an invitation gives; undefined: without invited groups
 */
export const aroundProject = (project: string, sharedFrom: number | undefined) =>
  sharedFrom === undefined
    ? aboveProject(project)
    : `(${aboveProject(project)} or ${isInvited({ scope: 'project', direct: true, inherited: true }, project, sharedFrom)})`;

const aboveProject = (project: string) =>
  `n.id = any((select a.ancestry from namespaces a join projects inside on inside.namespace_id = a.id where inside.id = ${project})::int[])`;

/** The parent of a new group. */
export const findParent = statement<{ full_path: string; depth: number; visibility: PlaceRow['visibility'] }>(
  'find_parent',
  `select n.full_path, cardinality(n.ancestry) as depth, n.visibility::text as visibility from namespaces n where n.id = $1 and ${liveGroup}`,
);

/**
 * Creates a group with its path, and its creator as owner. $1 the parent or null, $2 the path, $3 the name, $4 the
 * full path, $5 the description, $6 the visibility, $7 the creator or null. No row: the path is taken.
 */
export const insertGroup = statement<{ id: number }>(
  'insert_group',
  `with new as (
     select nextval(pg_get_serial_sequence('namespaces', 'id'))::int as id
   ), taken as (
     insert into routes (path, namespace_id) select lower($4), new.id from new on conflict do nothing returning namespace_id as id
   ), redirected as (
     delete from former_paths f using taken where f.path = lower($4)
   ), made as (
     insert into namespaces (id, kind, parent_id, path, name, full_path, description, visibility, ancestry)
     select taken.id, 'GROUP', $1::int, $2, $3, $4, $5, $6::"Visibility",
            coalesce((select p.ancestry from namespaces p where p.id = $1), '{}') || taken.id
       from taken
     returning id
   ), owned as (
     insert into group_members (user_id, group_id, access_level, created_by_id) select $7::int, made.id, 50, $7::int from made where $7::int is not null
   )
   select id from made`,
);

/** What must be known of a group before its path can change. */
export const findGroupForChange = statement<{
  full_path: string;
  parent_id: number | null;
  parent_path: string | null;
  longest: number;
}>(
  'find_group_for_change',
  `select n.full_path, n.parent_id, p.full_path as parent_path,
          (select max(length(b.full_path)) from namespaces b where b.ancestry @> array[n.id]) as longest
     from namespaces n left join namespaces p on p.id = n.parent_id
    where n.id = $1 and ${liveGroup}`,
);

/** Changes the group $1; null keeps a value. $2 the name, $3 the description, $4 the visibility. */
export const changeGroup = statement<{ full_path: string }>(
  'change_group',
  `update namespaces set name = coalesce($2, name), description = coalesce($3, description),
          visibility = coalesce($4::"Visibility", visibility), updated_at = now()
    where id = $1 and deleting_since is null returning full_path`,
);

/**
 * The visibility of the parent of the group $1, if it has one, and whether a direct subgroup or project of the group
 * is more visible than $2.
 */
export const visibilityAround = statement<{
  parent: PlaceRow['visibility'] | null;
  wider_projects: boolean;
  wider_groups: boolean;
}>(
  'openness_around_group',
  `select (select p.visibility::text from namespaces p where p.id = n.parent_id) as parent,
          exists (select 1 from projects p where p.namespace_id = n.id and p.deleting_since is null and p.visibility > $2::"Visibility") as wider_projects,
          exists (select 1 from namespaces c where c.parent_id = n.id and c.deleting_since is null and c.visibility > $2::"Visibility") as wider_groups
     from namespaces n where n.id = $1`,
);

/** A row if the group $1 was changed after $2, which has whole seconds. */
export const isChangedSince = statement<object>(
  'is_group_changed_since',
  `select 1 from namespaces where id = $1 and date_trunc('second', updated_at) > $2::timestamptz`,
);

/**
 * Hides the group $1 with all groups below it and their contents, and frees their paths. The row of the group
 * itself comes first; no row: it was removed already.
 */
export const removeGroup = statement<{ full_path: string }>(
  'remove_group',
  `with marked as (
     update namespaces set deleting_since = now() where ancestry @> array[$1::int] and deleting_since is null
     returning id, full_path
   ), inside as (
     select p.id from projects p where p.namespace_id in (select id from marked)
   ), group_routes as (
     delete from routes r using marked where r.namespace_id = marked.id
   ), project_routes as (
     delete from routes r using inside where r.project_id = inside.id
   ), former as (
     delete from former_paths f using inside where f.project_id = inside.id
   ), former_groups as (
     delete from former_paths f using marked where f.namespace_id = marked.id
   )
   select full_path from marked where id = $1`,
);
