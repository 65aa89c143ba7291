import type { RunnersSetting } from '../../../values/attributes/group-attributes.ts';
import { eventsFrom } from '../../../events/statements.ts';
import { statement } from '../../../database/index.ts';
import { ListQuery } from '../../../database/list.ts';
import { hasGroupRole, liveGroup, roomFor, stillMember, type PlaceRow } from '../../../database/access/places.ts';
import { projectPathChanges } from '../../../database/access/trees.ts';
import { namespaceReading, type NamespaceRecord } from '../../../database/access/records.ts';

/** The namespaces $1, locked against renaming, hiding and removing until the transaction ends; before the project. */
export const keepNamespaces = statement<{
  id: number;
  full_path: string;
  visibility: PlaceRow['visibility'];
  owner_id: number | null;
  /** What it says of the runners of the instance. */
  runners: RunnersSetting;
  /** Whether the limit of its owner leaves room for another project. */
  has_room: boolean;
}>(
  'keep_namespaces',
  `select n.id, n.full_path, n.visibility::text as visibility, n.owner_id, n.shared_runners_setting as runners,
          (n.owner_id is null or ${roomFor('n')}) as has_room
     from namespaces n where n.id = any($1::int[]) and n.deleting_since is null order by n.id for share of n`,
);

/** The namespace of the project $1. */
export const findNamespaceOf = statement<{ namespace_id: number }>(
  'find_namespace_of_project',
  'select namespace_id from projects where id = $1 and deleting_since is null',
);

/** The project $1, locked until the transaction ends. */
export const holdProject = statement<{ namespace_id: number; path: string; name: string; full_path: string }>(
  'hold_project',
  'select namespace_id, path, name, full_path from projects where id = $1 and deleting_since is null for update',
);

/** Whether the namespace $1 has a project with the name $2, or anything has the path $3 (lower case). */
export const isNameTaken = statement<{ taken: boolean }>(
  'is_name_of_project_taken',
  `select exists (select 1 from projects p where p.namespace_id = $1 and p.name = $2 and p.deleting_since is null)
       or exists (select 1 from routes r where r.path = $3) as taken`,
);

/**
 * Transfers the project $1 to the namespace $2. Its full path changes from $4 to $3, and the former one redirects; it
 * gets no more visible than $5, and loses the runners of the instance if $11. The person $6, who owned it by their namespace, becomes a stored owner; the owner $7 of
 * the new namespace needs no stored membership. $8 actor, $9 address, $10 request id.
 */
export const transferProject = statement<object>(
  'transfer_project',
  `with ${projectPathChanges}, stays as (
     insert into project_members (user_id, project_id, access_level)
     select $6::int, $1::int, 50 where $6::int is not null
     on conflict (user_id, project_id) do update set access_level = 50, expires_at = null, updated_at = now()
   ), implied as (
     delete from project_members where project_id = $1 and user_id = $7::int
   ), project as (
     update projects set namespace_id = $2::int, full_path = $3::text, visibility = least(visibility, $5::"Visibility"),
       attributes = case when $11::boolean then attributes || '{"sharedRunnersEnabled":false}' else attributes end,
       updated_at = now(), last_activity_at = now()
      where id = $1::int returning id
   ), ${eventsFrom('project.transferred', 'project', {
     actor: '$8',
     project: 'id',
     subject: 'id',
     ids: `jsonb_build_object('fromId', (select namespace_id from projects where id = $1::int), 'toId', $2::int)`,
   })}
   insert into audit_events (kind, actor_id, scopes, address, request_id, detail)
   select 'project_transferred', $8::int, '{}', $9, $10, $4::text || ' to ' || $3 from project`,
);

/** The group $1 and its new parent $2 (or null), as they are under the locks of their trees. */
export const findTransfer = statement<{
  path: string;
  full_path: string;
  parent_id: number | null;
  /** The length of the longest full path below it, and the number of levels from it to the deepest group. */
  longest: number;
  levels: number;
  target_id: number | null;
  target_path: string | null;
  target_depth: number | null;
  target_visibility: PlaceRow['visibility'] | null;
  /** What the group and its new parent say of the runners of the instance. */
  runners: RunnersSetting;
  target_runners: RunnersSetting | null;
  /** Whether the new parent is the group itself, or below it. */
  is_below: boolean;
}>(
  'find_transfer_of_group',
  `select g.path, g.full_path, g.parent_id, b.longest, b.deepest - cardinality(g.ancestry) + 1 as levels,
          t.id as target_id, t.full_path as target_path, cardinality(t.ancestry) as target_depth,
          t.visibility::text as target_visibility, g.shared_runners_setting as runners,
          t.shared_runners_setting as target_runners, coalesce(t.ancestry @> array[g.id], false) as is_below
     from namespaces g
     cross join lateral (
       select max(length(n.full_path)) as longest, max(cardinality(n.ancestry)) as deepest
         from namespaces n where n.ancestry @> array[g.id]
     ) b
     left join namespaces t on t.id = $2::int and t.deleting_since is null
    where g.id = $1 and g.deleting_since is null`,
);

/** Makes the person $2 an owner of the group $1 if it has none, direct or inherited. */
export const giveOwner = statement<object>(
  'give_owner_to_group',
  `insert into group_members (user_id, group_id, access_level, created_by_id)
   select $2::int, g.id, 50, $2::int from namespaces g
    where g.id = $1 and not exists (
      select 1 from group_members m join users u on u.id = m.user_id
       where m.group_id = any(g.ancestry) and m.access_level >= 50 and ${stillMember} and u.deleting_since is null)
   on conflict (user_id, group_id) do update set access_level = 50, expires_at = null, updated_at = now()`,
);

/** What is transferred: a project, or a group with everything below it. */
export type Transferred = { readonly project: number } | { readonly group: number };

/**
 * The groups to which something can be transferred.
 * @param viewer the person's id; null for none
 * @param may for each level that a group has for what is transferred, the SQL condition: the viewer may transfer it there
 */
export function locationList(
  viewer: number | null,
  may: (columns: {
    visibility: string;
    accessLevel: (atLeast: number) => string;
  }) => readonly (readonly [level: string, condition: string])[],
  transferred: Transferred,
  search: string | undefined,
): ListQuery<NamespaceRecord> {
  const query = new ListQuery('namespaces n', 'n.id', namespaceReading);
  const hasRole = viewer === null ? () => 'false' : hasGroupRole(`${query.key(viewer)}::int`);
  query
    .where("n.kind = 'GROUP'")
    .where(liveGroup)
    .where(
      `case n.${'project' in transferred ? 'project' : 'subgroup'}_creation_level ${may({
        visibility: 'n.visibility',
        accessLevel: hasRole,
      })
        .map(([level, condition]) => `when '${level}' then ${condition}`)
        .join(' ')} end`,
    );
  if ('project' in transferred) {
    const id = `${query.key(transferred.project)}::int`;
    query.where(`n.id <> (select p.namespace_id from projects p where p.id = ${id})`);
  } else {
    const id = `${query.key(transferred.group)}::int`;
    query.where(`not n.ancestry @> array[${id}]`);
    query.where(`n.id is distinct from (select g.parent_id from namespaces g where g.id = ${id})`);
  }
  return query.search(search, ['n.name', 'n.path', 'n.full_path']);
}

/** What has labels and a milestone in a project. */
const holders = ['issues', 'merge_requests'] as const;
const fromEach = (column: string) =>
  holders.map((table) => `select t.${column} from ${table} t where t.project_id = place.id`).join(' union all ');

/**
 * Replaces labels of groups that are no longer above the projects whose issues or merge requests have them: by one with
 * the same title that is available there, or else by a copy in the project, as GitLab does.
 * @param moved SQL condition on the project `p` of the namespace `n`
 */
const keepLabels = (name: string, moved: string) =>
  statement<object>(
    name,
    `with place as materialized (
       select p.id, n.ancestry from projects p join namespaces n on n.id = p.namespace_id where ${moved}
     ), lost as materialized (
       select distinct place.id as project_id, l.id, l.title, l.color, l.description
         from place cross join lateral (${fromEach('label_ids')}) item cross join lateral unnest(item.label_ids) one(id)
         join labels l on l.id = one.id
        where l.group_id is not null and not l.group_id = any(place.ancestry)
     ), known as materialized (
       select distinct on (lost.project_id, lost.id) lost.project_id, lost.id as former, l.id
         from lost join place on place.id = lost.project_id
         join labels l on l.title = lost.title and (l.project_id = place.id or l.group_id = any(place.ancestry))
        order by lost.project_id, lost.id, l.project_id nulls last, l.id
     ), made as (
       insert into labels (project_id, title, color, description)
       select distinct on (lost.project_id, lost.title) lost.project_id, lost.title, lost.color, lost.description from lost
        where not exists (select from known where known.project_id = lost.project_id and known.former = lost.id)
        order by lost.project_id, lost.title, lost.id
       on conflict (project_id, title) do update set title = excluded.title
       returning id, project_id, title
     ), replaced as materialized (
       select project_id, former, id from known
       union all
       select lost.project_id, lost.id, made.id from lost join made on made.project_id = lost.project_id and made.title = lost.title
     ), priorities as (
       insert into label_priorities (project_id, label_id, priority)
       select distinct on (r.project_id, r.id) r.project_id, r.id, one.priority
         from replaced r join label_priorities one on one.project_id = r.project_id and one.label_id = r.former
        order by r.project_id, r.id, one.priority
       on conflict do nothing
     ), ${holders.map((table) => `changed_${table} as (${relabel(table)})`).join(', ')}
     select`,
  );

/** Gives what is in a table the labels of the CTE `replaced`. */
const relabel = (table: (typeof holders)[number]) =>
  `update ${table} i set label_ids = array(
       select distinct coalesce(r.id, one.id) from unnest(i.label_ids) one(id)
         left join replaced r on r.project_id = i.project_id and r.former = one.id order by 1)
     from (select project_id, array_agg(former) as labels from replaced group by project_id) lose
    where i.project_id = lose.project_id and i.label_ids && lose.labels`;

/**
 * Does the same with milestones: what had them gets the one with the same title that is available there, or else a copy in
 * the project.
 * @param moved SQL condition on the project `p` of the namespace `n`
 */
const keepMilestones = (name: string, moved: string) =>
  statement<object>(
    name,
    `with place as materialized (
       select p.id, n.ancestry from projects p join namespaces n on n.id = p.namespace_id where ${moved}
     ), lost as materialized (
       select distinct place.id as project_id, m.id, m.title
         from place cross join lateral (${fromEach('milestone_id')}) item join milestones m on m.id = item.milestone_id
        where m.group_id is not null and not m.group_id = any(place.ancestry)
     ), known as materialized (
       select distinct on (lost.project_id, lost.id) lost.project_id, lost.id as former, m.id
         from lost join place on place.id = lost.project_id
         join milestones m on m.title = lost.title and (m.project_id = place.id or m.group_id = any(place.ancestry))
        order by lost.project_id, lost.id, m.project_id nulls last, m.id
     ), missing as materialized (
       select distinct on (lost.project_id, lost.title) lost.project_id, lost.id from lost
        where not exists (select from known where known.project_id = lost.project_id and known.former = lost.id)
        order by lost.project_id, lost.title, lost.id
     ), numbers as (
       insert into project_counters (project_id, kind, last)
       select project_id, 'MILESTONE'::"CounterKind", count(*) from missing group by project_id
       on conflict (project_id, kind) do update set last = project_counters.last + excluded.last
       returning project_id, last
     ), made as (
       insert into milestones (project_id, iid, title, description, state, start_date, due_date)
       select missing.project_id, numbers.last + 1 - row_number() over (partition by missing.project_id order by m.id desc),
           m.title, m.description, m.state, m.start_date, m.due_date
         from missing join numbers on numbers.project_id = missing.project_id join milestones m on m.id = missing.id
       returning id, project_id, title
     ), replaced as materialized (
       select project_id, former, id from known
       union all
       select lost.project_id, lost.id, made.id from lost join made on made.project_id = lost.project_id and made.title = lost.title
     ), ${holders
       .map(
         (table) => `changed_${table} as (
       update ${table} i set milestone_id = r.id from replaced r where i.project_id = r.project_id and i.milestone_id = r.former
     )`,
       )
       .join(', ')}
     select`,
  );

/** What a project that was transferred leaves in groups. $1 project. */
export const keepMilestonesOfProject = keepMilestones('keep_milestones_of_project', 'p.id = $1::int');

/** What the projects in and below a group that was transferred leave in groups. $1 group. */
export const keepMilestonesOfGroup = keepMilestones('keep_milestones_of_group', 'n.ancestry @> array[$1::int]');

/** The labels of a project that was transferred. $1 project. */
export const keepLabelsOfProject = keepLabels('keep_labels_of_project', 'p.id = $1::int');

/** Those of the projects in and below a group that was transferred. $1 group. */
export const keepLabelsOfGroup = keepLabels('keep_labels_of_group', 'n.ancestry @> array[$1::int]');
