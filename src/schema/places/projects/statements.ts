import { eventsFrom } from '../../../events/statements.ts';
import { projectAttributes } from '../../../values/project-attributes.ts';
import type { Feature } from '../../../values/project-features.ts';
import { statement, type User } from '../../../database/index.ts';
import type { AuditKindSql } from '../../../auth/statements/audit.ts';
import { ListQuery, parent, readByIds, resemblance, type Parent, type Reading } from '../../../database/list.ts';
import {
  featureLevel,
  groupRoleByShares,
  hasProjectRole,
  isOwnProjectOf,
  isProjectOf,
  projectAccessLevel,
  roomFor,
  projectRoleByShares,
  stillMember,
  stillShared,
  type PlaceRow,
} from '../../../database/access/places.ts';
import { projectPathChanges } from '../../../database/access/trees.ts';
import {
  projectReading,
  userReading,
  type ListedProject,
  type ProjectRolesRow,
} from '../../../database/access/records.ts';

/** Filters of a list of projects. Omitted or null filters match everything. */
export interface ProjectFilter {
  readonly search?: string | null | undefined;
  /** Whether to search in the full path too. */
  readonly searchNamespaces?: boolean | null | undefined;
  readonly visibility?: keyof typeof visibilities | null | undefined;
  readonly archived?: boolean | null | undefined;
  /** True: neither archived nor being removed; false: the others. */
  readonly active?: boolean | null | undefined;
  /** Only projects that the viewer owns as a member, not by a share. */
  readonly owned?: boolean | null | undefined;
  /** The minimum role of the viewer. */
  readonly minAccessLevel?: number | undefined;
  /** Only projects that the viewer starred. */
  readonly starred?: boolean | null | undefined;
  /** Only projects with all of these topics. */
  readonly topics?: readonly string[] | null | undefined;
  readonly idAfter?: number | null | undefined;
  readonly idBefore?: number | null | undefined;
  readonly updatedAfter?: Date | null | undefined;
  readonly updatedBefore?: Date | null | undefined;
  readonly lastActivityAfter?: Date | null | undefined;
  readonly lastActivityBefore?: Date | null | undefined;
  /** The id of a project whose forks are listed. */
  readonly forkOf?: number | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Full paths in lower case. */
  readonly fullPaths?: readonly string[] | undefined;
  /** The id of a namespace, and whether to include those below it. */
  readonly namespace?:
    | {
        readonly id: number | Parent;
        readonly descendants: boolean;
        readonly ancestors?: boolean;
        /** Whether to include projects that are shared with it. */
        readonly shared?: boolean;
      }
    | undefined;
  /** Features that the viewer must have in it. */
  readonly features?: readonly Feature[];
  /** SQL: the viewer has a feature. Required with `features`. */
  readonly available?: (feature: Feature, columns: SeenColumns & { readonly level: typeof featureLevel }) => string;
  /** A search, by which the order `similarity` compares. */
  readonly similarTo?: string | undefined;
  /** The name of a programming language. */
  readonly programmingLanguageName?: string | null | undefined;
  /** Whether only projects that the viewer made by an import. */
  readonly imported?: boolean | null | undefined;
  /** Where the repository is stored. */
  readonly repositoryStorage?: string | null | undefined;
  /** The id of a person who contributed. */
  readonly contributedBy?: number | undefined;
  /** The id of a group: only projects that are shared with it. */
  readonly sharedWith?: number | Parent | undefined;
  /** The id of the person whose personal namespace is listed. */
  readonly owner?: number | undefined;
  /** The id of a person whose stars are listed. */
  readonly starredBy?: number | undefined;
}

/** SQL for what decides whether the viewer sees the project `p`. */
interface SeenColumns {
  readonly visibility: string;
  readonly accessLevel: (atLeast: number) => string;
}

/**
 * A page of projects.
 * @param viewer the person's id; null if anonymous
 * @param visible SQL condition: the viewer sees the project `p`
 * @param roles which roles of the viewer to read with each
 */
export function projectList(
  viewer: number | null,
  visible: (columns: SeenColumns) => string,
  filter: ProjectFilter,
  roles: 'none' | 'highest' | 'all' = 'none',
): ListQuery<ListedProject> {
  const query = new ListQuery<ListedProject>('projects p', 'p.id', viewer === null ? projectReading : readings[roles]);
  const me = viewer === null ? null : query.key(viewer);

  query.where('p.deleting_since is null');
  // Very few namespaces are marked, so this costs less than a join.
  query.where('p.namespace_id not in (select id from namespaces where deleting_since is not null)');
  const never = () => 'false';
  const isMine = me === null ? never : isProjectOf(`${me}::int`);
  const { visibility, minAccessLevel, namespace, owned } = filter;
  const least = owned ? 50 : minAccessLevel;
  /** Omits the role check of the visibility rule if a filter requires that role anyway. */
  const unless = (role: (atLeast: number) => string) => (atLeast: number) =>
    me !== null && least !== undefined && atLeast <= least ? 'true' : role(atLeast);
  if (visibility == null) {
    query.where(
      visible({ visibility: 'p.visibility', accessLevel: unless(me === null ? never : hasProjectRole(`${me}::int`)) }),
    );
  } else {
    // Insert the visibility as a constant: PostgreSQL then simplifies the rule, and for private projects it starts
    // from the memberships.
    const known = `${visibilities[visibility]}::"Visibility"`;
    query.where(`p.visibility = ${known}`).where(visible({ visibility: known, accessLevel: unless(isMine) }));
  }
  if (owned) query.where(me === null ? 'false' : isOwnProjectOf(`${me}::int`, 50));
  else if (minAccessLevel !== undefined) query.where(isMine(minAccessLevel));
  if (filter.starred && me !== null) query.where(starredBy(me));
  if (filter.starredBy !== undefined) query.where(starredBy(query.key(filter.starredBy)));
  if (filter.owner !== undefined)
    query.where(`p.namespace_id = (select id from namespaces where owner_id = ${query.key(filter.owner)}::int)`);
  if (namespace !== undefined) {
    const id = namespace.id === parent ? parent : `${query.key(namespace.id)}::int`;
    const places = [
      namespace.descendants && `p.namespace_id = any(array(select id from namespaces where ancestry @> array[${id}]))`,
      namespace.ancestors && `p.namespace_id = any((select ancestry from namespaces where id = ${id})::int[])`,
      !namespace.descendants && !namespace.ancestors && `p.namespace_id = ${id}`,
      namespace.shared && sharedWith(id),
    ].filter((place) => typeof place === 'string');
    query.where(`(${places.join(' or ')})`);
  }
  if (filter.sharedWith !== undefined)
    query.where(sharedWith(filter.sharedWith === parent ? parent : `${query.key(filter.sharedWith)}::int`));
  if (filter.forkOf !== undefined) query.where(`p.forked_from_id = ${query.key(filter.forkOf)}::int`);
  // No repository has languages yet, and nothing that happens in a project is recorded as a contribution.
  if (filter.programmingLanguageName || filter.contributedBy !== undefined) query.where('false');
  if (filter.imported) query.where(me === null ? 'false' : importedBy(me));
  if (filter.repositoryStorage != null)
    query.where(`${storageOf('p')} = ${query.value(filter.repositoryStorage)}::text`);
  const accessLevel = me === null ? never : hasProjectRole(`${me}::int`);
  for (const feature of filter.features ?? [])
    query.where(filter.available!(feature, { visibility: 'p.visibility', accessLevel, level: featureLevel }));
  if (filter.similarTo !== undefined) {
    const text = `${query.value(filter.similarTo.toLowerCase())}::text`;
    query.where(`${text} is not null`).orderBy('similarity', resemblance('p', text));
  }
  if (filter.active != null) query.where(`p.archived = ${filter.active ? 'false' : 'true'}`);
  if (filter.archived != null) query.where(`p.archived = ${filter.archived ? 'true' : 'false'}`);
  return (
    query
      .given(filter.ids, (ids) => `p.id = any(${ids}::int[])`)
      .given(
        filter.fullPaths,
        (paths) => `p.id = any(array(select r.project_id from routes r where r.path = any(${paths}::text[])))`,
      )
      // Compare with an array, as in `isProjectOf`: PostgreSQL has statistics only for frequent topics.
      .given(
        filter.topics,
        (topics) => `p.id = any(array(select t.id from projects t where t.topics @> ${topics}::text[]))`,
      )
      .given(filter.idAfter, (id) => `p.id > ${id}::int`)
      .given(filter.idBefore, (id) => `p.id < ${id}::int`)
      .given(filter.updatedAfter, (moment) => `p.updated_at > ${moment}::timestamptz`)
      .given(filter.updatedBefore, (moment) => `p.updated_at < ${moment}::timestamptz`)
      .given(filter.lastActivityAfter, (moment) => `p.last_activity_at > ${moment}::timestamptz`)
      .given(filter.lastActivityBefore, (moment) => `p.last_activity_at < ${moment}::timestamptz`)
      .search(filter.search, ['p.name', 'p.path', 'p.description', ...(filter.searchNamespaces ? ['p.full_path'] : [])])
  );
}

/** SQL condition: a person made the project `p`, by an import. It uses an array for the same reason as `isProjectOf`. */
const importedBy = (user: string) =>
  `p.id = any(array(
     select made.id from origins o
       join imported_records r on r.origin_id = o.id and r.kind = 'projects' and r.digest is not null
       join projects made on made.id = r.local_id
      where made.creator_id = ${user}::int))`;

/** SQL for the name of the storage of a project's repository. */
const storageOf = (project: string) =>
  `coalesce(${project}.attributes->>'repositoryStorage', '${projectAttributes.repositoryStorage.unset}')`;

/** Visibilities as SQL literals. */
const visibilities = { PRIVATE: `'PRIVATE'`, INTERNAL: `'INTERNAL'`, PUBLIC: `'PUBLIC'` } as const;

/** SQL condition: the project `p` is shared with a group. */
const sharedWith = (group: string) =>
  `p.id = any(array(select share.project_id from project_shares share where share.invited_group_id = ${group} and ${stillShared}))`;

/** SQL condition: a person starred the project `p`. It uses an array for the same reason as `isProjectOf`. */
export const starredBy = (user: string) =>
  `p.id = any(array(select project_id from stars where user_id = ${user}::int))`;

/** The roles of a person in the project `p` of the namespace `n`. @param person SQL for their id */
const rolesOf = (person: string) => ({
  columns: `case when n.owner_id = ${person} then 50 else greatest(m.access_level, ${projectRoleByShares(person)}) end as project_access, ps.level as project_level,
    greatest(g.access_level, ${groupRoleByShares(person)}) as group_access, gs.level as group_level`,
  joins: `left join project_members m on m.user_id = ${person} and m.project_id = p.id and ${stillMember}
     left join project_notification_settings ps on ps.user_id = ${person} and ps.project_id = p.id
     left join lateral (
       select m.group_id, m.access_level from group_members m
        where m.user_id = ${person} and m.group_id = any(n.ancestry) and ${stillMember}
        order by m.access_level desc limit 1
     ) g on true
     left join group_notification_settings gs on gs.user_id = ${person} and gs.group_id = g.group_id`,
});

/** Some columns of projects, with a person's roles in each. */
function withRoles<Row>({ from, id }: Reading<unknown>, columns: string, person: string): Reading<Row> {
  const roles = rolesOf(person);
  return { columns: `${columns}, ${roles.columns}`, from: `${from} ${roles.joins}`, id };
}

/** $1 ids of projects, $2 the person. */
export const projectRoles = readByIds('project_roles', withRoles<ProjectRolesRow>(projectReading, 'p.id', '$2::int'));

/** Projects with the viewer's roles, for a list, whose first value is the viewer. */
const roledReading = withRoles<ListedProject>(projectReading, projectReading.columns, '$1::int');

/** The same with only the highest role. */
const ranked: Reading<ListedProject> = {
  ...projectReading,
  columns: `${projectReading.columns}, ${projectAccessLevel('$1::int')} as "accessLevel"`,
};

const readings = { none: projectReading, highest: ranked, all: roledReading } as const;

/** The audit event of a change of a project. $n kind, actor, address, request id. */
const auditOf = (from: string, kind: AuditKindSql, actor: string, address: string, requestId: string) =>
  `insert into audit_events (kind, actor_id, scopes, address, request_id, detail)
   select ${kind}, ${actor}::int, '{}', ${address}, ${requestId}, ${from}.full_path from ${from}`;

/**
 * Creates a project with its path, and counts it as a fork if it is one. No row: the namespace was removed. $1
 * namespace, $2 creator, $3 path, $4 name, $5 description, $6 visibility, $7 topics, $8 source of a fork, $9 kind
 * of audit event, $10 address, $11 request id, $12 attributes.
 */
export const insertProject = statement<{ id: number }>(
  'insert_project',
  `with place as (
     -- Locked, so that it isn't renamed, hidden or removed meanwhile.
     select n.id, n.full_path || '/' || $3::text as full_path from namespaces n
      where n.id = $1 and n.deleting_since is null and n.visibility >= $6::"Visibility"
        and (n.owner_id is null or ${roomFor('n')}) for share
   ), project as (
     insert into projects (namespace_id, creator_id, path, name, full_path, description, visibility, topics, forked_from_id, attributes)
     select place.id, $2::int, $3, $4, place.full_path, $5, $6::"Visibility", $7::text[], $8::int, $12::jsonb from place
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

/** The source of a fork, if it still exists. $1 the project. */
export const findSource = statement<Record<'visibility' | 'own', PlaceRow['visibility']>>(
  'find_source_of_project',
  `select s.visibility::text as visibility, p.visibility::text as own
     from projects p join projects s on s.id = p.forked_from_id where p.id = $1 and s.deleting_since is null`,
);

/** The namespace of a project, locked until the transaction ends; to be locked before the project. $1 the project. */
export const lockNamespace = statement<{ id: number } & Record<'visibility' | 'own', PlaceRow['visibility']>>(
  'keep_namespace_of_project',
  `select n.id, n.visibility::text as visibility, p.visibility::text as own
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
   ), noted as (${auditOf('project', `'project_deleted'`, '$3', '$4', '$5')}
   ), ${eventsFrom('project.deleted', 'project', { actor: '$3', project: 'id', subject: 'id' })}
   select id from project`,
);

/** Stars a project. $1 the person, $2 the project. One row if it wasn't starred before. */
export const star = statement<{ project_id: number }>(
  'star_project',
  `with star as (
     insert into stars (user_id, project_id) values ($1, $2) on conflict do nothing returning project_id
   )
   update projects p set star_count = star_count + 1 from star where p.id = star.project_id returning p.id as project_id`,
);

/** Removes a star. $1 the person, $2 the project. One row if it was starred before. */
export const unstar = statement<{ project_id: number }>(
  'unstar_project',
  `with star as (
     delete from stars where user_id = $1 and project_id = $2 returning project_id
   )
   update projects p set star_count = star_count - 1 from star where p.id = star.project_id returning p.id as project_id`,
);

/** A person, and when they starred something. */
export interface StarrerRecord extends User {
  readonly starredSince: Date;
}

/** The people who starred a project, the latest first. @param search in their names, if given */
export function starrerList(project: number, search: string | undefined): ListQuery<StarrerRecord> {
  const starred = 'stars s join users u on u.id = s.user_id and s.project_id = $1::int';
  const reading: Reading<StarrerRecord> = {
    columns: `${userReading.columns}, s.created_at as "starredSince"`,
    from: starred,
    id: 's.user_id',
  };
  const query = new ListQuery(starred, 's.user_id', reading);
  query.key(project);
  query.where(`u.state = 'ACTIVE' and u.deleting_since is null`);
  return query.search(search, ['u.name', 'u.username']);
}

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
 * Removes the fork relation of a project. $1 the project, $2 actor, $3 address, $4 request id. One row if it was a
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
   ), noted as (${auditOf('former', `'project_fork_relation_removed'`, '$2', '$3', '$4')})
   select id from project`,
);

/** A fork of a project in a namespace. $1 the project, $2 the namespace. */
export const findFork = statement<{ id: number }>(
  'find_fork',
  'select id from projects where forked_from_id = $1 and namespace_id = $2 and deleting_since is null limit 1',
);
