import { contributions } from '../../../../events/activity.ts';
import type { Feature } from '../../../../values/attributes/project-features.ts';
import { projectAttributes } from '../../../../values/attributes/project-attributes.ts';
import { ListQuery, parent, readByIds, type Parent, type Reading } from '../../../../database/list.ts';
import { resemblance } from '../../../../database/matching.ts';
import {
  featureLevel,
  hasProjectRole,
  isOwnProjectOf,
  isProjectOf,
  projectAccessLevel,
  roleByShares,
  stillMember,
  stillShared,
} from '../../../../database/access/places.ts';
import { sizeOfProject, sizesOfProject } from '../../../../database/access/sizes.ts';
import { projectReading, type ListedProject, type ProjectRolesRow } from '../../../../database/access/records.ts';

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
  /** The order that compares sizes. */
  readonly bySize?: 'storage_size' | 'repository_size' | undefined;
  /** The name of a programming language. */
  readonly programmingLanguageName?: string | null | undefined;
  /** Whether only projects that the viewer made by an import. */
  readonly imported?: boolean | null | undefined;
  /** Where the repository is stored. */
  readonly repositoryStorage?: string | null | undefined;
  /** Whether with those that are being removed. */
  readonly includePendingDelete?: boolean | null | undefined;
  /** The id of a person who contributed in the last year. */
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

  if (!filter.includePendingDelete) query.where('p.deleting_since is null');
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
      visible({
        visibility: 'p.visibility',
        accessLevel: unless(me === null ? never : hasProjectRole(query, `${me}::int`)),
      }),
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
  const idOf = (place: number | Parent) => (place === parent ? parent : `${query.key(place)}::int`);
  if (namespace !== undefined) query.where(inNamespace(idOf(namespace.id), namespace));
  if (filter.sharedWith !== undefined) query.where(sharedWith(idOf(filter.sharedWith)));
  if (filter.forkOf !== undefined) query.where(`p.forked_from_id = ${query.key(filter.forkOf)}::int`);
  if (filter.programmingLanguageName)
    query.where(
      hasLanguage('p.id', query.value(JSON.stringify([{ name: filter.programmingLanguageName.toLowerCase() }]))),
    );
  if (filter.contributedBy !== undefined) query.where(contributedBy(query.key(filter.contributedBy)));
  if (filter.imported) query.where(me === null ? 'false' : importedBy(me));
  if (filter.repositoryStorage != null)
    query.where(`${storageOf('p')} = ${query.value(filter.repositoryStorage)}::text`);
  const accessLevel = me === null ? never : hasProjectRole(query, `${me}::int`);
  for (const feature of filter.features ?? [])
    query.where(filter.available!(feature, { visibility: 'p.visibility', accessLevel, level: featureLevel }));
  if (filter.similarTo !== undefined) {
    const text = `${query.value(filter.similarTo.toLowerCase())}::text`;
    query.where(`${text} is not null`).orderBy('similarity', resemblance('p', text));
  }
  if (filter.bySize !== undefined)
    query.orderBy(
      filter.bySize,
      `${filter.bySize === 'storage_size' ? sizeOfProject : sizesOfProject.repository}::bigint`,
    );
  if (filter.active != null) query.where(`p.archived = ${filter.active ? 'false' : 'true'}`);
  if (filter.archived != null) query.where(`p.archived = ${filter.archived ? 'true' : 'false'}`);
  // A search with a slash means a path: commands look for `person/project` this way.
  const searchesPath = filter.searchNamespaces || filter.search?.includes('/');
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
      .search(filter.search, ['p.name', 'p.path', 'p.description', ...(searchesPath ? ['p.full_path'] : [])])
  );
}

/** SQL condition: the project `p` is in a namespace, in one below or above it, or shared with it. @param id SQL */
function inNamespace(
  id: string,
  { descendants, ancestors, shared }: Omit<NonNullable<ProjectFilter['namespace']>, 'id'>,
): string {
  const places = [
    descendants && `p.namespace_id = any(array(select id from namespaces where ancestry @> array[${id}]))`,
    ancestors && `p.namespace_id = any((select ancestry from namespaces where id = ${id})::int[])`,
    !descendants && !ancestors && `p.namespace_id = ${id}`,
    shared && sharedWith(id),
  ].filter((place) => typeof place === 'string');
  return `(${places.join(' or ')})`;
}

/** SQL condition: the default branch of a project has a language. @param name in lower case, as `[{"name":…}]` */
const hasLanguage = (project: string, name: string) =>
  `${project} in (select r.project_id from repositories r where lower(r.languages::text)::jsonb @> ${name}::jsonb)`;

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

/** SQL condition: a person did something in the project `p` in the last year. */
export const contributedBy = (user: string) =>
  `p.id = any(array(select e.project_id from events e
     where e.actor_id = ${user}::int and e.at > now() - interval '1 year'
       and e.kind in (${contributions.map((kind) => `'${kind}'`).join(', ')})))`;

/**
 * The roles of a person in the project `p` of the namespace `n`: as a member, as a member of a group, and by shares of the
 * project or of groups. @param person SQL for their id
 */
const rolesOf = (person: string) => ({
  columns: `case when n.owner_id = ${person} then 50 else m.access_level end as project_access, ps.level as project_level,
    g.access_level as group_access, gs.level as group_level, ${roleByShares(person)} as shared_access`,
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
