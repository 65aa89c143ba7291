import type {
  ProjectCreationLevel,
  RunnersSetting,
  SubgroupCreationLevel,
} from '../../values/attributes/group-attributes.ts';
import {
  levelAttribute,
  usualLevel,
  type Feature,
  type FeatureLevel,
} from '../../values/attributes/project-features.ts';
import { statement, type Statement } from '../index.ts';
import type { ListQuery } from '../list.ts';

/**
 * Statements that look up a group or a project together with the viewer's role in it: one query says whether it
 * exists and whether the viewer may see it.
 */

/** SQL: whether the membership `m` is in force. It ends at the beginning of the day `expires_at`. */
export const stillMember = `(m.expires_at is null or m.expires_at > (now() at time zone 'utc')::date)`;

/** SQL: whether the share `share` is in force. It ends as memberships do. */
export const stillShared = `(share.expires_at is null or share.expires_at > (now() at time zone 'utc')::date)`;

/** SQL for the groups of which a person is a direct member with at least this role, as an array that is computed once. */
export const directGroupsOf = (person: string, atLeast: number) =>
  `array(select m.group_id from group_members m where m.user_id = ${person} and m.access_level >= ${atLeast} and ${stillMember})`;

/** SQL for whether the group `n` and all groups above it send mail. */
export const groupsSendMail =
  'not exists (select from namespaces above where above.id = any(n.ancestry) and not above.emails_enabled)';

/** SQL for whether the project `p` of the namespace `n` sends mail; where there is no project, whether the group `n` does. */
export const placeSendsMail = `(coalesce((p.attributes->>'emailsEnabled')::boolean, true) and ${groupsSendMail})`;

// Shares: the functions of the migration `group_shares` say which roles they give. A statement calls one only where there
// is a share, and otherwise pays for looking into an empty index.

/**
 * SQL for the groups that give a person at least this role, as an array that is computed once: those of which they are a
 * direct member, and those that are shared with such. The role also holds below these groups.
 */
export const groupsOf = (person: string, atLeast: number) =>
  `(select ${directGroupsOf(person, atLeast)} ||
      case when exists (select from group_shares) then groups_by_shares(${person}, ${atLeast}) end)::int[]`;

/** SQL for whether a person has at least this role in the namespace `n`. */
export const hasGroupRole = (person: string) => (atLeast: number) => `n.ancestry && ${groupsOf(person, atLeast)}`;

/** SQL for a person's role in the group `n` by shares of it or of a group above; null for none. */
const groupRoleByShares = (person: string) =>
  `case when exists (select from group_shares share where share.group_id = any(n.ancestry))
     then role_by_group_shares(${person}, n.ancestry) end`;

/** SQL for a person's role in the group `n`, inherited and shared ones included; null for none. */
export const groupAccessLevel = (person: string) =>
  `greatest(
     (select max(m.access_level) from group_members m
       where m.user_id = ${person} and m.group_id = any(n.ancestry) and ${stillMember}),
     ${groupRoleByShares(person)})`;

/** SQL for a person's role in the project `p` of the namespace `n` by shares of the project; null for none. */
const projectRoleByShares = (person: string) =>
  `case when not n.share_with_group_lock and exists (select from project_shares share where share.project_id = p.id)
     then role_by_project_shares(${person}, p.id) end`;

/** SQL for a person's role in the project `p` of the namespace `n` by any share; null for none. */
export const roleByShares = (person: string) =>
  `greatest(${groupRoleByShares(person)}, ${projectRoleByShares(person)})`;

/** SQL for a person's role in the project `p` of the namespace `n`; null for none. */
export const projectAccessLevel = (person: string) =>
  `greatest(
     (select m.access_level from project_members m
       where m.user_id = ${person} and m.project_id = p.id and ${stillMember}),
     ${groupAccessLevel(person)},
     ${projectRoleByShares(person)},
     case when n.owner_id = ${person} then 50 end)`;

/** SQL for a group `n` that isn't being removed. Removing a group marks everything below it. */
export const liveGroup = 'n.deleting_since is null';
/** SQL for a project `p` of the namespace `n`, neither of which is being removed. */
export const liveProject = `p.deleting_since is null and ${liveGroup}`;

/** SQL for whether the owner of the namespace `namespace` may have another project in it. */
export const roomFor = (namespace: string) =>
  `(select count(*) from projects inside where inside.namespace_id = ${namespace}.id and inside.deleting_since is null)
     < (select o.projects_limit from users o where o.id = ${namespace}.owner_id)`;

/**
 * SQL that joins the namespace `n` of the project `p` for each row by itself. For lists of few rows: PostgreSQL would read
 * all namespaces, because it takes the look-up of a role for dearer than that.
 */
export const namespaceOfEach =
  'cross join lateral (select * from namespaces its where its.id = p.namespace_id offset 0) n';

/** SQL for the projects in which a person has at least this role as a direct member. */
const directProjects = (person: string, atLeast: number) =>
  `select m.project_id from project_members m
    where m.user_id = ${person} and m.access_level >= ${atLeast} and ${stillMember}`;

/** SQL for the projects in which a person has at least this role as a direct member or by a share. */
export const memberProjects = (person: string, atLeast: number) =>
  `${directProjects(person, atLeast)}
   union all select unnest(case when exists (select from project_shares) then projects_by_shares(${person}, ${atLeast}) end)`;

/**
 * SQL for some groups and all below them. One look into the index for the topmost of them: whatever is below the others is
 * below these. @param groups SQL for an array
 */
export const withAllBelow = (groups: string) =>
  `with given as materialized (select unnest(${groups}) as id)
   select d.id from namespaces d where d.ancestry && array(
     select top.id from namespaces top where top.id = any(array(select id from given))
       and not exists (select from unnest(top.ancestry) above(id) where above.id <> top.id and above.id in (select id from given)))`;

/** SQL for the namespaces in and below some groups, and a person's own. @param groups SQL for an array */
const namespacesOf = (person: string, groups: string) =>
  `(${withAllBelow(groups)})
   union all select o.id from namespaces o where o.owner_id = ${person}`;

/** SQL for the namespaces in which a person has at least this role: groups, the groups below them, and their own. */
const memberNamespaces = (person: string, atLeast: number) => namespacesOf(person, groupsOf(person, atLeast));

/**
 * SQL for whether the viewer has at least this role in the project `p`, for lists: both sets are computed once instead of
 * per row and condition.
 * @param person SQL for the viewer's id
 */
export const hasProjectRole =
  (query: Pick<ListQuery<{ readonly id: number }>, 'common'>, person: string) => (atLeast: number) => {
    const [projects, namespaces] = [`projects_with_${atLeast}`, `namespaces_with_${atLeast}`];
    query.common(projects, 'id', memberProjects(person, atLeast));
    query.common(namespaces, 'id', memberNamespaces(person, atLeast));
    return `(p.id in (select id from ${projects}) or p.namespace_id in (select id from ${namespaces}))`;
  };

const isAmong = (projects: string, namespaces: string) =>
  `p.id = any(array(${projects}
                    union all select inside.id from projects inside where inside.namespace_id = any(array(${namespaces}))))`;

/**
 * The same for lists that contain only a person's projects: as arrays, which use an index. PostgreSQL can't estimate
 * the size of subqueries, and would scan every project.
 */
export const isProjectOf = (person: string) => (atLeast: number) =>
  isAmong(memberProjects(person, atLeast), memberNamespaces(person, atLeast));

/** SQL for whether a person has at least this role in the project `p` as a member, direct or inherited; shares don't count. */
export const isOwnProjectOf = (person: string, atLeast: number) =>
  isAmong(directProjects(person, atLeast), namespacesOf(person, directGroupsOf(person, atLeast)));

/** SQL for the level of a feature of the project `p`. */
export const featureLevel = (feature: Feature): string => {
  // As `levelOf`: that of pages depends on who sees the project.
  const usual =
    feature === 'pages'
      ? `case when p.visibility = 'PUBLIC' then 'enabled' else 'private' end`
      : `'${usualLevel(feature)}'`;
  return `coalesce(p.attributes->>'${levelAttribute(feature)}', ${usual})`;
};

/** Two statements to look up a place: by id (a number) and by path (lower case). */
export interface ByReference<Row> {
  readonly id: Statement<Row>;
  /**
   * Looks up by path. The row has the current `path`, which differs from the requested one if a former path matched.
   */
  readonly path: Statement<Row & { path: string }>;
  /** Looks up several places: $1 ids, $3 paths. Each row has its `path`, to match it with the request. */
  readonly many: Statement<Row & { path: string }>;
}

const named = (table: 'p' | 'n', column: 'project_id' | 'namespace_id') => {
  const byRoute = `select r.${column} from routes r where r.path = $1::text`;
  const byFormerPath = `select f.${column} from former_paths f where f.path = $1::text`;
  return {
    id: `${table}.id = $1::int`,
    path: `${table}.id = coalesce((${byRoute}), (${byFormerPath}))`,
    many: `${table}.id = any($1::int[] || array(select r.${column} from routes r where r.path = any($3::text[])))`,
  };
};

/** Looks up the project `p`. $1 is its id or path, $2 the person (or null). */
export function projectStatement<Row>(name: string, columns: string, joins = ''): ByReference<Row> {
  return byReference(
    name,
    named('p', 'project_id'),
    (condition, withPath) =>
      `select p.id, p.visibility::text as visibility, ${projectAccessLevel('$2::int')} as access_level
            ${withPath ? ', lower(p.full_path) as path' : ''} ${columns}
       from projects p join namespaces n on n.id = p.namespace_id ${joins}
      where ${condition} and ${liveProject}`,
  );
}

/** Looks up the group `n`. $1 is its id or path, $2 the person (or null). */
export function groupStatement<Row>(name: string, columns: string, joins = ''): ByReference<Row> {
  return byReference(
    name,
    named('n', 'namespace_id'),
    (condition, withPath) =>
      `select n.id, n.visibility::text as visibility, ${groupAccessLevel('$2::int')} as access_level
            ${withPath ? ', lower(n.full_path) as path' : ''} ${columns}
       from namespaces n ${joins}
      where n.kind = 'GROUP' and ${condition} and ${liveGroup}`,
  );
}

function byReference<Row>(
  name: string,
  conditions: Record<keyof ByReference<Row>, string>,
  text: (condition: string, withPath: boolean) => string,
): ByReference<Row> {
  return {
    id: statement(`${name}_by_id`, text(conditions.id, false)),
    path: statement(`${name}_by_path`, text(conditions.path, true)),
    many: statement(`${name}_many`, text(conditions.many, true)),
  };
}

export interface PlaceRow {
  id: number;
  visibility: 'PRIVATE' | 'INTERNAL' | 'PUBLIC';
  access_level: number | null;
  /** The levels of features of a project, where the statement reads them. */
  issues_level?: FeatureLevel;
  merge_requests_level?: FeatureLevel;
  snippets_level?: FeatureLevel;
  repository_level?: FeatureLevel;
  builds_level?: FeatureLevel;
  environments_level?: FeatureLevel;
  /** Whether everyone who sees the project sees its jobs, where the statement reads it. */
  public_jobs?: boolean;
}

const levelNames = {
  issues: 'issues_level',
  mergeRequests: 'merge_requests_level',
  snippets: 'snippets_level',
  repository: 'repository_level',
  builds: 'builds_level',
  environments: 'environments_level',
} as const;

/** SQL of the columns of a look-up of the project `p` that have the levels of features. */
export const levelColumns = (...features: readonly (keyof typeof levelNames)[]) =>
  features.map((feature) => `, ${featureLevel(feature)} as ${levelNames[feature]}`).join('');

/** SQL for whether everyone who sees the project `p` sees its jobs. */
export const publicJobs = `coalesce((p.attributes->>'publicJobs')::boolean, true)`;

export const findProject = projectStatement<PlaceRow>('find_project', '');
/** A group, with the least role that creates groups in it. */
export const findGroup = groupStatement<PlaceRow & { subgroup_creation_level: SubgroupCreationLevel }>(
  'find_group',
  ', n.subgroup_creation_level',
);

export interface NamespaceRow extends PlaceRow {
  full_path: string;
  /** The least role that creates projects in it. */
  project_creation_level: ProjectCreationLevel;
  /** Whether runners of the instance run the jobs of its projects. */
  runners: RunnersSetting;
  /** Set for a person's own namespace. */
  owner_id: number | null;
}

/**
 * Looks up a group or a person's own namespace, with the role of the person $2 in it. $1 is the value in the
 * condition.
 */
const namespaceStatement = (name: string, condition: string) =>
  statement<NamespaceRow>(
    name,
    `select n.id, n.visibility::text as visibility, n.full_path, n.owner_id, n.project_creation_level,
            n.shared_runners_setting as runners,
            case when n.owner_id = $2::int then 50 else ${groupAccessLevel('$2::int')} end as access_level
       from namespaces n where ${condition} and ${liveGroup}`,
  );

export const findNamespace = {
  id: namespaceStatement('find_namespace_by_id', 'n.id = $1::int'),
  path: namespaceStatement(
    'find_namespace_by_path',
    'n.id = (select r.namespace_id from routes r where r.path = $1::text)',
  ),
  /** $1 the person who owns it. */
  owner: namespaceStatement('find_namespace_by_owner', 'n.owner_id = $1::int'),
} as const;
