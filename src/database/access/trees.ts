import { statement } from '../index.ts';

/**
 * Trees of groups: the locks under which paths in them change, and the statement that moves a part of a tree
 * (decision 0014). Locks of several trees are taken in the order of the ids of their roots.
 */

/** First key of the advisory locks on trees of groups; the second is the id of the root. */
const treeLock = 815_003;

const lock = (name: string, call: string) =>
  statement<{ root: number }>(
    name,
    `select t.root, ${call}(${treeLock}, t.root) from (
       select distinct n.ancestry[1] as root from namespaces n where n.id = any($1::int[]) order by 1
     ) t`,
  );

/** Keeps the paths in the trees of the groups $1 unchanged until this transaction ends (shared lock). */
const lockTreesShared = lock('keep_trees', 'pg_advisory_xact_lock_shared');

/** Lets only this transaction change paths in the trees of the groups $1 or add to them (exclusive lock). */
const lockTrees = lock('hold_trees', 'pg_advisory_xact_lock');

/** The statement that takes each kind of lock. */
export const lockOfTrees = { shared: lockTreesShared, exclusive: lockTrees } as const;

/** The roots of the trees of the groups $1, in the order of their ids. */
export const findRoots = statement<{ root: number }>(
  'find_roots_of_groups',
  'select distinct n.ancestry[1] as root from namespaces n where n.id = any($1::int[]) order by 1',
);

/** Keeps projects from being created in the group $1 and below until this transaction ends. */
export const lockGroups = statement<object>(
  'hold_groups',
  'select 1 from namespaces where ancestry @> array[$1::int] order by id for update',
);

/** Whether something other than the group $1 has the path $2 (lower case). */
export const isTaken = statement<{ taken: boolean }>(
  'is_path_taken',
  'select exists (select 1 from routes r where r.path = $2 and r.namespace_id is distinct from $1::int) as taken',
);

/**
 * CTEs that change the full path of the project $1 from $4 to $3: the former path redirects, and one that led here from
 * elsewhere ends. Put them after `with`.
 */
export const projectPathChanges = `route as (
     update routes set path = lower($3) where project_id = $1
   ), taken as (
     delete from former_paths where path = lower($3)
   ), former as (
     insert into former_paths (path, project_id) select lower($4), $1 where lower($4) <> lower($3)
     on conflict (path) do update set namespace_id = null, project_id = excluded.project_id
   )`;

/**
 * Moves the group $1, with everything below it, to the group $2 (null: to the root) and to the path $3, its last part.
 * Its full path changes from $5 to $4. Nothing stays more visible than $6. The former paths redirect until something
 * else takes them.
 */
export const moveTree = statement<object>(
  'move_tree',
  `with place as (
     select coalesce((select p.ancestry from namespaces p where p.id = $2::int), '{}'::int[]) as above,
            cardinality(g.ancestry) as depth
       from namespaces g where g.id = $1::int
   ), tree as (
     select n.id from namespaces n where n.ancestry @> array[$1::int]
   ), inside as (
     select p.id from projects p where p.namespace_id in (select id from tree)
   ), paths as (
     -- As they were: the statement sees none of its own changes.
     select r.path, r.namespace_id, r.project_id from routes r
      where lower($4) <> lower($5)
        and (r.namespace_id in (select id from tree) or r.project_id in (select id from inside))
   ), groups as (
     update namespaces n
        set full_path = $4::text || substr(n.full_path, length($5::text) + 1),
            path = case when n.id = $1 then $3::text else n.path end,
            parent_id = case when n.id = $1 then $2::int else n.parent_id end,
            ancestry = place.above || n.ancestry[place.depth:],
            visibility = least(n.visibility, $6::"Visibility"),
            updated_at = case when n.id = $1 then now() else n.updated_at end
       from place where n.id in (select id from tree)
   ), projects as (
     update projects p
        set full_path = $4 || substr(p.full_path, length($5) + 1), visibility = least(p.visibility, $6::"Visibility")
      where p.id in (select id from inside)
   ), taken as (
     delete from former_paths f using paths where f.path = lower($4) || substr(paths.path, length($5) + 1)
   ), former as (
     insert into former_paths (path, namespace_id, project_id) select path, namespace_id, project_id from paths
     on conflict (path) do update set namespace_id = excluded.namespace_id, project_id = excluded.project_id
   )
   update routes r set path = lower($4) || substr(r.path, length($5) + 1) from paths where r.path = paths.path`,
);
