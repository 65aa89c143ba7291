import { statement } from '../../../../database/index.ts';
import { closingOrphansOf } from '../../../reviews/versions/statements.ts';

/**
 * Removal of a hidden group, from the leaves of its tree to the root. Each statement takes a small batch ($1 rows),
 * and skips rows that another process is removing. The contents of a group are removed before it.
 */

const marked = `select d.id from namespaces d where d.kind = 'GROUP' and d.deleting_since is not null`;

/** Removes memberships, which may be many. */
export const removeMembers = statement<{ removed: number }>(
  'remove_members_of_groups',
  `with batch as (
     select m.user_id, m.group_id from group_members m where m.group_id in (${marked}) limit $1 for update skip locked
   ), gone as (
     delete from group_members m using batch where m.user_id = batch.user_id and m.group_id = batch.group_id returning 1
   )
   select count(*)::int as removed from gone`,
);

/** Marks projects as removed, and no longer counts them as forks. The removal of projects does the rest. */
export const markProjects = statement<{ removed: number }>(
  'mark_projects_of_groups',
  `with batch as (
     select p.id from projects p where p.namespace_id in (${marked}) and p.deleting_since is null limit $1 for update skip locked
   ), changed as (
     update projects p set deleting_since = now() from batch where p.id = batch.id returning p.id, p.forked_from_id
   ), orphans as (${closingOrphansOf('changed', 'null')}
   ), sources as (
     update projects s set forks_count = s.forks_count - f.forks
       from (select forked_from_id as id, count(*)::int as forks from changed group by 1) f
      where s.id = f.id and not exists (select 1 from changed c where c.id = s.id)
   )
   select count(*)::int as removed from changed`,
);

/** Removes empty groups. */
export const removeEmptyGroups = statement<{ removed: number }>(
  'remove_empty_groups',
  `with batch as (
     select n.id from namespaces n
      where n.kind = 'GROUP' and n.deleting_since is not null
        and not exists (select 1 from projects p where p.namespace_id = n.id)
        and not exists (select 1 from namespaces c where c.parent_id = n.id)
      limit $1 for update skip locked
   ), gone as (
     delete from namespaces n using batch where n.id = batch.id returning 1
   )
   select count(*)::int as removed from gone`,
);
