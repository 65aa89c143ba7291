import { statement } from '../../../../database/index.ts';
import { groupsOf, isProjectOf, liveGroup } from '../../../../database/access/places.ts';
import { roles } from '../../../../policy/index.ts';

/** How many groups people have. $1 ids of people. */
export const countGroups = statement<{ id: number; groups: number }>(
  'count_groups_of_users',
  `select u.id, (
     select count(*)::int from namespaces n
      where n.kind = 'GROUP' and ${liveGroup}
        and (n.id = any(${groupsOf('u.id', roles.guest)})
             or n.id = any(array(select p.namespace_id from projects p where p.deleting_since is null and ${isProjectOf('u.id')(roles.guest)})))
   ) as groups
     from unnest($1::int[]) u(id)`,
);
