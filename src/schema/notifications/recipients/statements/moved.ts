import { statement } from '../../../../database/index.ts';

/** The projects below a group or of a person, by their ids. $1 the group or the namespace of the person, $2 the id to go on after, $3 how many at most. */
export const projectsBelow = statement<{ id: number }>(
  'projects_below_moved_namespace',
  `select p.id from projects p join namespaces n on n.id = p.namespace_id
    where n.ancestry @> array[$1::int] and p.id > $2::int and p.deleting_since is null order by p.id limit $3::int`,
);
