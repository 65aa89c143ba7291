import { statement } from '../../../database/index.ts';
import { groupAccessLevel, liveGroup, liveProject } from '../../../database/access/places.ts';

/**
 * Which of some groups a person sees. $1 ids, $2 the person (or null).
 * @param visible SQL condition: the person sees the group `n`
 */
export const visibleGroups = (
  variant: string,
  visible: (columns: { visibility: string; accessLevel: string }) => string,
) =>
  statement<{ id: number }>(
    `visible_groups_${variant}`,
    `select n.id from namespaces n
      where n.id = any($1::int[]) and n.kind = 'GROUP' and ${liveGroup}
        and ${visible({ visibility: 'n.visibility', accessLevel: groupAccessLevel('$2::int') })}`,
  );

/** The roles of the person $2 in the groups $1, direct or inherited; null for none. */
export const groupRoles = statement<{ id: number; access_level: number | null }>(
  'group_roles',
  `select n.id, ${groupAccessLevel('$2::int')} as access_level from namespaces n where n.id = any($1::int[])`,
);

/**
 * Which of some projects a person sees. $1 ids, $2 the person (or null).
 * @param visible SQL condition: the person sees the project `p` of the namespace `n`
 */
export const visibleProjects = (variant: string, visible: string) =>
  statement<{ id: number }>(
    `visible_projects_${variant}`,
    `select p.id from projects p join namespaces n on n.id = p.namespace_id
      where p.id = any($1::int[]) and ${liveProject} and ${visible}`,
  );
