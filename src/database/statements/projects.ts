import { statement } from '../index.ts';
import { ListQuery, matches } from './list.ts';
import { hasProjectRole, isProjectOf, liveProject, stillMember } from './places.ts';

/** What a list of projects holds; whatever is left out holds nobody off. */
export interface ProjectFilter {
  readonly search?: string | undefined;
  /** Searches the path from the root too. */
  readonly searchNamespaces?: boolean | undefined;
  readonly visibility?: string | undefined;
  readonly archived?: boolean | undefined;
  /** The viewer's own role, at least. */
  readonly minAccessLevel?: number | undefined;
  /** By the viewer. */
  readonly starred?: boolean | undefined;
  /** All of them. */
  readonly topics?: readonly string[] | undefined;
  readonly idAfter?: number | undefined;
  readonly idBefore?: number | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
  readonly lastActivityAfter?: Date | undefined;
  readonly lastActivityBefore?: Date | undefined;
  /** The id of a project whose forks are listed. */
  readonly forkOf?: number | undefined;
  /** The id of a group, and whether to go down the tree from it. */
  readonly group?: { readonly id: number; readonly descendants: boolean } | undefined;
  /** The id of a person whose own place is listed. */
  readonly owner?: number | undefined;
  /** The id of a person whose stars are listed. */
  readonly starredBy?: number | undefined;
}

/**
 * @param viewer the person's id, or null for nobody
 * @param visible the condition under which a project `p` is seen
 */
export function projectList(
  viewer: number | null,
  visible: (columns: { visibility: string; accessLevel: (atLeast: number) => string }) => string,
  filter: ProjectFilter,
): ListQuery {
  const query = new ListQuery('projects p', 'p.id');
  const is = <T>(given: T | undefined, condition: (value: string) => string) => {
    if (given !== undefined) query.where(condition(query.value(given)));
  };
  const me = viewer === null ? null : query.value(viewer);

  query.where('p.deleting_since is null');
  // Next to none, so this costs less than to join what each lies in.
  query.where('p.namespace_id not in (select id from namespaces where deleting_since is not null)');
  query.where(visible({ visibility: 'p.visibility', accessLevel: me === null ? () => 'false' : hasProjectRole(`${me}::int`) }));

  if (filter.minAccessLevel !== undefined) query.where(me === null ? 'false' : isProjectOf(`${me}::int`, filter.minAccessLevel));
  if (filter.starred && me !== null) query.where(starredBy(me));
  is(filter.starredBy, starredBy);
  is(filter.owner, (user) => `p.namespace_id = (select id from namespaces where owner_id = ${user}::int)`);
  is(filter.group?.id, (id) =>
    filter.group!.descendants
      ? `p.namespace_id in (select id from namespaces where ancestry @> array[${id}::int])`
      : `p.namespace_id = ${id}::int`);
  is(filter.forkOf, (id) => `p.forked_from_id = ${id}::int`);
  is(filter.visibility, (visibility) => `p.visibility = ${visibility}::"Visibility"`);
  is(filter.archived, (archived) => `p.archived = ${archived}::boolean`);
  is(filter.topics, (topics) => `p.topics @> ${topics}::text[]`);
  is(filter.idAfter, (id) => `p.id > ${id}::int`);
  is(filter.idBefore, (id) => `p.id < ${id}::int`);
  is(filter.updatedAfter, (moment) => `p.updated_at > ${moment}::timestamptz`);
  is(filter.updatedBefore, (moment) => `p.updated_at < ${moment}::timestamptz`);
  is(filter.lastActivityAfter, (moment) => `p.last_activity_at > ${moment}::timestamptz`);
  is(filter.lastActivityBefore, (moment) => `p.last_activity_at < ${moment}::timestamptz`);
  if (filter.search?.trim()) {
    const columns = ['p.name', 'p.path', 'p.description', ...(filter.searchNamespaces ? ['p.full_path'] : [])];
    query.where(matches(filter.search, columns, (value) => query.value(value)));
  }
  return query;
}

const starredBy = (user: string) => `p.id in (select project_id from stars where user_id = ${user}::int)`;

/** What a person is in a project: by themselves, and through the group in which they are most. */
export interface ProjectRolesRow {
  id: number;
  project_access: number | null;
  project_level: string | null;
  group_access: number | null;
  group_level: string | null;
}

/** $1 ids of projects, $2 the person. */
export const projectRoles = statement<ProjectRolesRow>(
  'project_roles',
  `select p.id, case when n.owner_id = $2 then 50 else m.access_level end as project_access, ps.level::text as project_level,
          g.access_level as group_access, gs.level::text as group_level
     from projects p
     join namespaces n on n.id = p.namespace_id
     left join project_members m on m.user_id = $2 and m.project_id = p.id and ${stillMember}
     left join project_notification_settings ps on ps.user_id = $2 and ps.project_id = p.id
     left join lateral (
       select m.group_id, m.access_level from group_members m
        where m.user_id = $2 and m.group_id = any(n.ancestry) and ${stillMember}
        order by m.access_level desc limit 1
     ) g on true
     left join group_notification_settings gs on gs.user_id = $2 and gs.group_id = g.group_id
    where p.id = any($1::int[])`,
);

/**
 * Those of some projects that a person sees. $1 ids, $2 the person (or null).
 * @param visible the condition under which a project `p` of the namespace `n` is seen
 */
export const visibleProjects = (variant: string, visible: string) =>
  statement<{ id: number }>(
    `visible_projects_${variant}`,
    `select p.id from projects p join namespaces n on n.id = p.namespace_id
      where p.id = any($1::int[]) and ${liveProject} and ${visible}`,
  );

