import { statement } from '../../../../database/index.ts';
import {
  groupAccessLevel,
  liveGroup,
  liveProject,
  projectAccessLevel,
  stillMember,
} from '../../../../database/access/places.ts';
import { userReading } from '../../../../database/access/records.ts';
import type { ListsOfMany } from '../../../../database/list.ts';
import type { Watcher } from './list.ts';
import { inProjects, ownColumns, rowColumns, type MemberRow, type Scope } from './row.ts';

/** The direct memberships of the person `parent.id`, in places that the viewer $2 sees. */
const membershipsOf: Record<Scope, (visible: Watcher['visible']) => string> = {
  group: (visible) =>
    `select ${ownColumns}, m.group_id, null::int as project_id
       from group_members m join namespaces n on n.id = m.group_id
      where m.user_id = parent.id and ${stillMember} and ${liveGroup}
        and ${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel('$2::int') })}`,
  project: (visible) =>
    `select ${ownColumns}, null::int as group_id, m.project_id
       from (${inProjects('parent.id')}) m
       join projects p on p.id = m.project_id join namespaces n on n.id = p.namespace_id
      where ${stillMember} and ${liveProject}
        and ${visible({ visibility: 'p.visibility', accessLevel: projectAccessLevel('$2::int') })}`,
};

/** The direct memberships of people, each list ordered by their ids. $1 the people, $2 the viewer. */
export function membershipLists(scope: Scope, watcher: Watcher): ListsOfMany<MemberRow> {
  const memberships = membershipsOf[scope](watcher.visible);
  const name = `${scope}_memberships_${watcher.variant}`;
  return {
    pages(people, _order, { after, before, limit, offset, inverted }) {
      const order = inverted ? 'desc' : 'asc';
      return {
        statement: statement<MemberRow>(
          `list_${name}_${order}`,
          `select ${rowColumns}, parent.id as parent_id, m.id::text as position
             from unnest($1::int[]) with ordinality as parent(id, place)
             cross join lateral (
               select * from (${memberships}) m
                where ($3::int is null or m.id > $3) and ($4::int is null or m.id < $4)
                order by m.id ${order} limit $5 offset $6
             ) m
             join ${userReading.from} on ${userReading.id} = m.user_id
            order by parent.place, m.id ${order}`,
        ),
        values: [people, watcher.id, after?.value ?? null, before?.value ?? null, limit, offset],
      };
    },
    counts: (people, most) => ({
      statement: statement<{ parent_id: number; total: number }>(
        `count_${name}`,
        `select parent.id as parent_id, c.total
           from unnest($1::int[]) as parent(id)
           cross join lateral (select count(*)::int as total from (select 1 from (${memberships}) m limit $3) listed) c`,
      ),
      values: [people, watcher.id, most],
    }),
  };
}
