import { eventsFrom } from '../../../../events/statements.ts';
import type { RunnersSetting } from '../../../../values/attributes/group-attributes.ts';
import { statement } from '../../../../database/index.ts';
import { roomFor, type PlaceRow } from '../../../../database/access/places.ts';
import { projectPathChanges } from '../../../../database/access/trees.ts';
import { closingOrphansOf } from '../../../reviews/versions/statements.ts';
import { auditOf } from './audit.ts';

/** SQL for whether a new project of a group may have runners of the instance, by what the group says and what is asked for. */
const takesRunners = (setting: string, wanted: string) =>
  `(${setting} = 'enabled' or (${setting} <> 'disabled_and_unoverridable' and ${wanted}))`;

/**
 * Creates a project with its path, and counts it as a fork if it is one. No row: the namespace was removed. $1
 * namespace, $2 creator, $3 path, $4 name, $5 description, $6 visibility, $7 topics, $8 source of a fork, $9 kind
 * of audit event, $10 address, $11 request id, $12 attributes, $13 whether runners of the instance are asked for: otherwise
 * the group says whether they run its jobs.
 */
export const insertProject = statement<{ id: number }>(
  'insert_project',
  `with place as (
     -- Locked, so that it isn't renamed, hidden or removed meanwhile.
     select n.id, n.full_path || '/' || $3::text as full_path, ${takesRunners('n.shared_runners_setting', '$13::boolean')} as takes_runners
       from namespaces n
      where n.id = $1 and n.deleting_since is null and n.visibility >= $6::"Visibility"
        and (n.owner_id is null or ${roomFor('n')}) for share
   ), project as (
     insert into projects (namespace_id, creator_id, path, name, full_path, description, visibility, topics, forked_from_id, attributes)
     select place.id, $2::int, $3, $4, place.full_path, $5, $6::"Visibility", $7::text[], $8::int,
            $12::jsonb || case when place.takes_runners then '{}' else '{"sharedRunnersEnabled":false}'::jsonb end from place
     returning id, full_path
   ), route as (
     insert into routes (path, project_id) select lower(full_path), id from project
   ), redirected as (
     delete from former_paths f using project where f.path = lower(project.full_path)
   ), source as (
     update projects set forks_count = forks_count + 1 where id = $8::int and exists (select from project)
   ), noted as (${auditOf('project', '$9', '$2', '$10', '$11')}
   ), created as (select id from project where $8::int is null
   ), forked as (select id from project where $8::int is not null
   ), ${eventsFrom('project.created', 'created', { actor: '$2', project: 'id', subject: 'id' })},
   ${eventsFrom('project.forked', 'forked', { actor: '$2', project: 'id', subject: 'id', ids: `jsonb_build_object('sourceId', $8::int)` })}
   select id from project`,
);

/** The limit of a person who has no room for another project of their own. $1 their namespace. */
export const findFullLimit = statement<{ limit: number }>(
  'find_full_limit_of_projects',
  `select u.projects_limit as limit from namespaces n join users u on u.id = n.owner_id where n.id = $1 and not ${roomFor('n')}`,
);

/** The name of the project at a path. $1 the path in lower case. */
export const findProjectName = statement<{ name: string }>(
  'find_project_name',
  'select p.name from routes r join projects p on p.id = r.project_id where r.path = $1',
);

/** The namespace of a project, locked until the transaction ends; to be locked before the project. $1 the project. */
export const lockNamespace = statement<
  { id: number; runners: RunnersSetting } & Record<'visibility' | 'own', PlaceRow['visibility']>
>(
  'keep_namespace_of_project',
  `select n.id, n.shared_runners_setting as runners, n.visibility::text as visibility, p.visibility::text as own
     from projects p join namespaces n on n.id = p.namespace_id where p.id = $1 for share of n`,
);

/** Locks a project until the transaction ends. $1 the project. */
export const lockProject = statement<{
  path: string;
  full_path: string;
  namespace_id: number;
  forked_from_id: number | null;
  attributes: { readonly [name: string]: unknown };
}>(
  'lock_project',
  'select path, full_path, namespace_id, forked_from_id, attributes from projects where id = $1 and deleting_since is null for update',
);

/**
 * Changes a project; null keeps a value. $1 the project, $2 name, $3 description, $4 visibility, $5 topics, $6
 * archived, $7 kind of audit event, $8 actor, $9 address, $10 request id, $11 attributes to set, $12 names of those to
 * unset.
 */
export const updateProject = statement<object>(
  'update_project',
  `with before as (
     select archived from projects where id = $1
   ), project as (
     update projects set name = coalesce($2, name), description = coalesce($3, description),
       visibility = coalesce($4::"Visibility", visibility), topics = coalesce($5::text[], topics),
       archived = coalesce($6::boolean, archived), attributes = (attributes || $11::jsonb) - $12::text[], updated_at = now(), last_activity_at = now()
      where id = $1 returning id, archived, full_path
   ), closed as (select id from project, before where project.archived and not before.archived
   ), opened as (select id from project, before where before.archived and not project.archived
   ), ${eventsFrom('project.archived', 'closed', { actor: '$8', project: 'id', subject: 'id' })},
   ${eventsFrom('project.unarchived', 'opened', { actor: '$8', project: 'id', subject: 'id' })}
   ${auditOf('project', '$7', '$8', '$9', '$10')}`,
);

/**
 * Changes the path of a project; the former path redirects to it. $1 the project, $2 the last part, $3 the full
 * path, $4 the former full path, $5 actor.
 */
export const renameProject = statement<object>(
  'rename_project',
  `with ${projectPathChanges}, project as (
     update projects set path = $2, full_path = $3 where id = $1 returning id
   ), ${eventsFrom('project.renamed', 'project', { actor: '$5', project: 'id', subject: 'id' })}
   select 1 where false`,
);

/**
 * Hides a project and frees its path; the sweep removes its data. No row: it was removed already, or was changed
 * after $2. $1 the project, $2 a moment in whole seconds or null, $3 actor, $4 address, $5 request id.
 */
export const removeProject = statement<{ id: number }>(
  'remove_project',
  `with project as (
     update projects set deleting_since = now()
      where id = $1 and deleting_since is null and ($2::timestamptz is null or date_trunc('second', updated_at) <= $2::timestamptz)
      returning id, full_path, forked_from_id
   ), route as (
     delete from routes r using project where r.project_id = project.id
   ), former as (
     delete from former_paths f using project where f.project_id = project.id
   ), source as (
     update projects s set forks_count = s.forks_count - 1 from project where s.id = project.forked_from_id and s.id <> project.id
   ), orphans as (${closingOrphansOf('project', '$3')}
   ), noted as (${auditOf('project', `'project_deleted'`, '$3', '$4', '$5')}
   ), ${eventsFrom('project.deleted', 'project', { actor: '$3', project: 'id', subject: 'id' })}
   select id from project`,
);
