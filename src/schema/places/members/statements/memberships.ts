import {
  groupAccessLevel,
  liveGroup,
  liveProject,
  projectAccessLevel,
  stillMember,
} from '../../../../database/access/places.ts';
import type { ListsOfMany } from '../../../../database/list.ts';
import { listsOf, type Watcher } from './page.ts';
import { inProjects, ownColumns, type MemberRow, type Scope } from './row.ts';

/** The direct memberships of the person `parent.id`, in places that the viewer $2 sees. */
const membershipsOf: Record<Scope, (visible: Watcher['visible']) => string> = {
  group: (visible) =>
    `select ${ownColumns}, m.group_id, null::int as project_id, false as shared
       from group_members m join namespaces n on n.id = m.group_id
      where m.user_id = parent.id and ${stillMember} and ${liveGroup}
        and ${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel('$2::int') })}`,
  project: (visible) =>
    `select ${ownColumns}, null::int as group_id, m.project_id, false as shared
       from (${inProjects('parent.id')}) m
       join projects p on p.id = m.project_id join namespaces n on n.id = p.namespace_id
      where ${stillMember} and ${liveProject}
        and ${visible({ visibility: 'p.visibility', accessLevel: projectAccessLevel('$2::int') })}`,
};

/** The direct memberships of people, each list ordered by their ids. $1 the people, $2 the viewer. */
export const membershipLists = (scope: Scope, watcher: Watcher): ListsOfMany<MemberRow> =>
  listsOf({
    name: `${scope}_memberships_${watcher.variant}`,
    by: 'm.id',
    values: [watcher.id],
    rows: (order, bounds) =>
      `select * from (${membershipsOf[scope](watcher.visible)}) m where ${bounds} order by m.id ${order}`,
  });
