import { idOrNext } from '../../../database/access/imported-ids.ts';
import { liveGroup } from '../../../database/access/places.ts';
import { statement } from '../../../database/index.ts';
import type { Visibility } from '../../../policy/index.ts';

export interface ParentRow {
  readonly full_path: string;
  readonly visibility: Visibility;
  readonly depth: number;
}

/** A group that another one is imported into. $1 id. */
export const findParentGroup = statement<ParentRow>(
  'find_parent_of_imported',
  `select n.full_path, n.visibility::text as visibility, cardinality(n.ancestry) as depth from namespaces n
    where n.id = $1::int and ${liveGroup} for share`,
);

/** The group that contains the group $1. */
export const findParentOf = statement<{ parent_id: number | null }>(
  'find_parent_of_known_group',
  'select parent_id from namespaces where id = $1::int',
);

/**
 * Makes a group. $1 the id to keep or null, $2 parent or null, $3 path, $4 name, $5 full path, $6 description, $7
 * visibility, $8 when it was made.
 */
export const insertGroup = statement<{ id: number }>(
  'import_group',
  `with new as (select ${idOrNext('namespaces', '$1')} as id
   ), made as (
     insert into namespaces (id, kind, parent_id, path, name, full_path, description, visibility, ancestry, created_at, updated_at)
     select new.id, 'GROUP', $2::int, $3, $4, $5, $6, $7::"Visibility",
            coalesce((select p.ancestry from namespaces p where p.id = $2::int), '{}') || new.id, $8::timestamptz, now()
       from new
     returning id
   ), route as (
     insert into routes (path, namespace_id) select lower($5), id from made
   ), redirected as (
     delete from former_paths f using made where f.path = lower($5)
   ), event as (
     insert into events (kind, group_id, subject_kind, subject_id, at, imported)
     select 'group.created', id, 'Group', id, $8::timestamptz, true from made
   )
   select id from made`,
);

/** Whether a visibility fits around a group. $1 the group, $2 the visibility. */
export const visibilityFits = statement<object>(
  'imported_visibility_fits',
  `select from namespaces n left join namespaces parent on parent.id = n.parent_id
    where n.id = $1::int and (parent.id is null or parent.visibility >= $2::"Visibility")
      and not exists (select from projects p where p.namespace_id = n.id and p.visibility > $2::"Visibility")
      and not exists (select from namespaces below where below.parent_id = n.id and below.visibility > $2::"Visibility")`,
);

/** Changes a group. $1 id, $2 name, $3 description, $4 visibility or null. */
export const changeGroup = statement<{ id: number }>(
  'change_imported_group',
  `update namespaces n set name = $2, description = $3, visibility = coalesce($4::"Visibility", visibility), updated_at = now()
    where n.id = $1::int and ${liveGroup} returning id`,
);
