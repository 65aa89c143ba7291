import { statement } from '../index.ts';
import { liveGroup } from './places.ts';

/** One key of advisory locks for the trees of groups; the other is the root. */
const treeLock = 815_003;

/** The paths in the tree of the group or person $1 stay as they are until this transaction ends. */
export const keepTree = statement<object>(
  'keep_tree',
  `select pg_advisory_xact_lock_shared(${treeLock}, n.ancestry[1]) from namespaces n where n.id = $1`,
);

/** Only this transaction changes paths in the tree of the group $1, and nothing new is made there meanwhile. */
export const holdTree = statement<object>(
  'hold_tree',
  `select pg_advisory_xact_lock(${treeLock}, n.ancestry[1]) from namespaces n where n.id = $1`,
);

/** What a group is made in. */
export const findParent = statement<{ full_path: string; depth: number }>(
  'find_parent',
  `select n.full_path, cardinality(n.ancestry) as depth from namespaces n where n.id = $1 and ${liveGroup}`,
);

/**
 * Makes a group with its path, and whoever makes it its owner. $1 the parent or null,
 * $2 the path, $3 the name, $4 the full path, $5 the description, $6 the visibility,
 * $7 who makes it, or null. No row: the path is taken.
 */
export const insertGroup = statement<{ id: number }>(
  'insert_group',
  `with new as (
     select nextval(pg_get_serial_sequence('namespaces', 'id'))::int as id
   ), taken as (
     insert into routes (path, namespace_id) select lower($4), new.id from new on conflict do nothing returning namespace_id as id
   ), made as (
     insert into namespaces (id, kind, parent_id, path, name, full_path, description, visibility, ancestry)
     select taken.id, 'GROUP', $1::int, $2, $3, $4, $5, $6::"Visibility",
            coalesce((select p.ancestry from namespaces p where p.id = $1), '{}') || taken.id
       from taken
     returning id
   ), owned as (
     insert into group_members (user_id, group_id, access_level) select $7::int, made.id, 50 from made where $7::int is not null
   )
   select id from made`,
);

/** What of a group decides whether it can have another path. */
export const findGroupForChange = statement<{ full_path: string; parent_path: string | null; longest: number }>(
  'find_group_for_change',
  `select n.full_path, p.full_path as parent_path,
          (select max(length(b.full_path)) from namespaces b where b.ancestry @> array[n.id]) as longest
     from namespaces n left join namespaces p on p.id = n.parent_id
    where n.id = $1`,
);

/** Changes the group $1: what is null stays. $2 the name, $3 the description, $4 the visibility. */
export const changeGroup = statement<object>(
  'change_group',
  `update namespaces set name = coalesce($2, name), description = coalesce($3, description),
          visibility = coalesce($4::"Visibility", visibility), updated_at = now()
    where id = $1`,
);

/** Whether something else than the group $1 is at the path $2 (lower case). */
export const isTaken = statement<{ taken: boolean }>(
  'is_path_taken',
  'select exists (select 1 from routes r where r.path = $2 and r.namespace_id is distinct from $1::int) as taken',
);

/**
 * Gives the group $1 the path $2 and the full path $3 in place of $4, and everything
 * below it a full path to match. Projects are found by the paths that they had.
 */
export const moveGroup = statement<object>(
  'move_group',
  `with tree as (
     select n.id from namespaces n where n.ancestry @> array[$1::int]
   ), groups as (
     update namespaces n set full_path = $3::text || substr(n.full_path, length($4::text) + 1),
            path = case when n.id = $1 then $2 else n.path end
       from tree where n.id = tree.id
   ), projects as (
     update projects p set full_path = $3 || substr(p.full_path, length($4) + 1)
       from tree where p.namespace_id = tree.id returning p.id
   ), group_routes as (
     update routes r set path = lower($3) || substr(r.path, length($4) + 1) from tree where r.namespace_id = tree.id
   )
   update routes r set path = lower($3) || substr(r.path, length($4) + 1) from projects where r.project_id = projects.id`,
);

/** Takes the group $1 out of sight, with all groups below it and so what lies in them. No row: it is gone already. */
export const markGroups = statement<{ id: number }>(
  'mark_groups',
  'update namespaces set deleting_since = now() where ancestry @> array[$1::int] and deleting_since is null returning id',
);
