import { idOrNext } from '../../../database/access/imported-ids.ts';
import { projectPathChanges } from '../../../database/access/trees.ts';
import { statement } from '../../../database/index.ts';
import type { Visibility } from '../../../policy/index.ts';

/** Where a project is imported into. */
export interface NamespaceRow {
  readonly id: number;
  readonly full_path: string;
  readonly visibility: Visibility;
}

const namespaceBy = (name: string, condition: string) =>
  statement<NamespaceRow>(
    name,
    `select n.id, n.full_path, n.visibility::text as visibility from namespaces n
      where ${condition} and n.deleting_since is null for share`,
  );

/** A group. $1 id. */
export const findGroup = namespaceBy('find_group_for_import', 'n.id = $1::int');
/** The namespace of a person. $1 the person. */
export const findSpace = namespaceBy('find_space_for_import', 'n.owner_id = $1::int');

/**
 * Makes a project. $1 the id to keep or null, $2 namespace, $3 creator or null, $4 path, $5 name, $6 full path, $7
 * description, $8 visibility, $9 archived, $10 topics, $11 attributes, $12 source of the fork or null, $13 when it was
 * made, $14 the last activity, $15 the last change, $16 how far a
 * copy of a source was.
 */
export const insertProject = statement<{ id: number }>(
  'import_project',
  `with made as (
     insert into projects (id, namespace_id, creator_id, path, name, full_path, description, visibility, archived, topics,
       attributes, forked_from_id, created_at, last_activity_at, updated_at, import_status)
     select ${idOrNext('projects', '$1')}, $2::int, $3::int, $4, $5, $6, $7, $8::"Visibility", $9, $10::text[], $11::jsonb,
       (select p.id from projects p where p.id = $12::int and p.deleting_since is null), $13::timestamptz, $14::timestamptz, $15::timestamptz, $16
     returning id, forked_from_id, creator_id
   ), route as (
     insert into routes (path, project_id) select lower($6), id from made
   ), redirected as (
     delete from former_paths f using made where f.path = lower($6)
   ), source as (
     update projects p set forks_count = forks_count + 1 from made where p.id = made.forked_from_id
   ), event as (
     insert into events (kind, actor_id, project_id, subject_kind, subject_id, at, imported)
     select 'project.created', creator_id, id, 'Project', id, $13::timestamptz, true from made
   )
   select id from made`,
);

/**
 * Changes a project. $1 id, $2 name, $3 description, $4 visibility, no wider than its namespace, $5 archived, $6 topics, $7
 * attributes, $8 attributes that have their default again, $9 the last change, $10 the last activity.
 */
export const changeProject = statement<{ id: number }>(
  'change_imported_project',
  `update projects p set name = $2, description = $3, visibility = least($4::"Visibility", n.visibility), archived = $5,
      topics = $6::text[], attributes = (p.attributes || $7::jsonb) - $8::text[], updated_at = $9::timestamptz,
      last_activity_at = greatest(p.last_activity_at, $10::timestamptz)
     from namespaces n where p.id = $1::int and n.id = p.namespace_id and p.deleting_since is null returning p.id`,
);

/** Where a project is, and whether something else has the path $2 (lower case). $1 the project. */
export const findMove = statement<{ full_path: string; namespace_id: number; taken: boolean }>(
  'find_move_of_imported_project',
  `select p.full_path, p.namespace_id,
          exists (select from routes r where r.path = $2 and r.project_id is distinct from p.id) as taken
     from projects p where p.id = $1::int and p.deleting_since is null`,
);

/**
 * Moves the project $1 to the namespace $2. Its full path changes from $4 to $3, which ends with $5; the former one redirects.
 */
export const moveProject = statement<object>(
  'move_imported_project',
  `with ${projectPathChanges}
   update projects set namespace_id = $2::int, full_path = $3, path = $5 where id = $1::int`,
);
