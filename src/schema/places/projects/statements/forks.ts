import { statement } from '../../../../database/index.ts';
import type { PlaceRow } from '../../../../database/access/places.ts';
import { closingOrphansOf } from '../../../reviews/versions/statements.ts';
import { auditOf } from './audit.ts';

/** The source of a fork, if it still exists. $1 the project. */
export const findSource = statement<Record<'visibility' | 'own', PlaceRow['visibility']>>(
  'find_source_of_project',
  `select s.visibility::text as visibility, p.visibility::text as own
     from projects p join projects s on s.id = p.forked_from_id where p.id = $1 and s.deleting_since is null`,
);

/**
 * Makes a project a fork, unless it is one already. $1 the project, $2 the source, $3 actor, $4 address, $5 request
 * id.
 */
export const relateFork = statement<{ id: number }>(
  'relate_fork',
  `with project as (
     update projects set forked_from_id = $2, updated_at = now() where id = $1 and forked_from_id is null and deleting_since is null
     returning id, full_path
   ), source as (
     update projects set forks_count = forks_count + 1 where id = $2 and exists (select from project)
   ), noted as (${auditOf('project', `'project_fork_relation_added'`, '$3', '$4', '$5')})
   select id from project`,
);

/**
 * Removes the fork relation of a project, and has the merge requests between both closed. $1 the project, $2 actor, $3 address, $4 request id. One row if it was a
 * fork.
 */
export const unrelateFork = statement<{ id: number }>(
  'unrelate_fork',
  `with former as (
     select id, forked_from_id, full_path from projects where id = $1 and forked_from_id is not null and deleting_since is null for update
   ), project as (
     update projects p set forked_from_id = null, updated_at = now() from former where p.id = former.id returning p.id
   ), source as (
     update projects s set forks_count = s.forks_count - 1 from former where s.id = former.forked_from_id
   ), orphans as (${closingOrphansOf('former', '$2', true)}
   ), noted as (${auditOf('former', `'project_fork_relation_removed'`, '$2', '$3', '$4')})
   select id from project`,
);

/** A fork of a project in a namespace. $1 the project, $2 the namespace. */
export const findFork = statement<{ id: number }>(
  'find_fork',
  'select id from projects where forked_from_id = $1 and namespace_id = $2 and deleting_since is null limit 1',
);
