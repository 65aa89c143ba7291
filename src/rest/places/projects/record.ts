import { blankOf } from '../../../values/blank.ts';
import { levels, type Level } from '../../../values/kinds/notification-levels.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { count, moment, text, url } from '../../engine/schemas.ts';
import { detailSchemas, presentDetails, statisticsFields, type StatisticsData } from './full.ts';
import { licenseSchemas, presentLicense, type LicenseData } from './license.ts';
import { presentShares, shareFields, type ShareData } from '../sharing/record.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';

/** The first fields of every record of a project. */
export interface IdentityData {
  readonly id: number;
  readonly description: string;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly createdAt: string;
  readonly namespace: { readonly fullName: string };
}

export interface NamespaceData {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly kind: string;
  readonly fullPath: string;
  readonly parentId: number | null;
  readonly avatarUrl: string | null;
  readonly webUrl: string;
}

interface AccessData {
  readonly accessLevel: number;
  readonly notificationLevel: Level;
}

export interface BasicData extends IdentityData {
  readonly topics: readonly string[];
  readonly httpUrlToRepo: string;
  readonly sshUrlToRepo: string | null;
  /** Null for those who don't read it. */
  readonly repository: {
    readonly rootRef: string | null;
    readonly readmePath: string | null;
    /** Undefined if not requested. */
    readonly license?: LicenseData | null;
  } | null;
  readonly webUrl: string;
  readonly forksCount: number;
  readonly avatarUrl: string | null;
  readonly starCount: number;
  readonly lastActivityAt: string;
  readonly visibility: string;
  readonly namespace: NamespaceData & { readonly fullName: string };
  readonly userPermissions?: { readonly createMergeRequestIn?: boolean };
  /** Null for those who don't see it. */
  readonly repositoryStorage: string | null;
}

/**
 * The selected fields of a project. `permissions` is null if the viewer isn't a person, and undefined with `simple`: the
 * record then has only the basic part.
 */
export interface ProjectData extends BasicData {
  readonly archived?: boolean;
  readonly importStatus?: string;
  readonly owner?: UserBasicData | null;
  readonly creatorId?: number | null;
  readonly updatedAt?: string;
  readonly descriptionHtml?: string;
  readonly isForked?: boolean;
  readonly openIssuesCount?: number | null;
  readonly forkedFrom?: BasicData | null;
  readonly attributes?: { readonly [name: string]: unknown };
  readonly statistics?: StatisticsData | null;
  readonly sharedWithGroups?: readonly ShareData[];
  /** Undefined in lists. */
  readonly runnersToken?: string | null;
  readonly permissions?: { readonly projectAccess: AccessData | null; readonly groupAccess: AccessData | null } | null;
}

const identityFields = 'id: databaseId description name path fullPath createdAt';
/** The fields of a namespace that operations select. */
export const namespaceFields = 'id: databaseId name path kind fullPath parentId: parentDatabaseId avatarUrl webUrl';
/** The fields of the basic part. */
export const basicFields = `${identityFields} topics httpUrlToRepo sshUrlToRepo webUrl forksCount avatarUrl starCount lastActivityAt visibility
  repositoryStorage namespace { ${namespaceFields} fullName } repository { rootRef readmePath }`;
const sourceFields = `isForked forkedFrom { ${basicFields} }`;
const detailFields = `archived importStatus creatorId: creatorDatabaseId updatedAt descriptionHtml owner { ${userBasicFields} } attributes
  openIssuesCount userPermissions { createMergeRequestIn } sharedWithGroups { ${shareFields} }
  permissions { projectAccess { accessLevel notificationLevel } groupAccess { accessLevel notificationLevel } }`;

/** The fields that operations select for the record. */
export const projectFields = `${basicFields} ${sourceFields} ${detailFields}`;
/** The same, with only the basic part if `$simple` is true, and with statistics if `$statistics` is true. */
export const projectFieldsUnlessSimple = `${basicFields}
  ... @skip(if: $simple) { ${sourceFields} ${detailFields} statistics @include(if: $statistics) { ${statisticsFields} } }`;

const urlOrNull = { ...url, type: ['string', 'null'] };

const identity: { [name: string]: JsonSchema } = {
  id: count,
  description: { type: ['string', 'null'] },
  name: text,
  name_with_namespace: text,
  path: text,
  path_with_namespace: text,
  created_at: moment,
};

export const namespaceSchema = objectSchema({
  id: count,
  name: text,
  path: text,
  kind: { type: 'string', enum: ['user', 'group'] },
  full_path: text,
  parent_id: { type: ['integer', 'null'] },
  avatar_url: urlOrNull,
  web_url: url,
});

const basic: { [name: string]: JsonSchema } = {
  ...identity,
  default_branch: { type: ['string', 'null'], description: 'Null while there is no branch. For readers of the code.' },
  tag_list: { type: 'array', items: text, description: 'Former name of `topics`, with the same value.' },
  topics: { type: 'array', items: text },
  ssh_url_to_repo: { type: ['string', 'null'], description: 'Null if git over SSH isn’t served.' },
  http_url_to_repo: url,
  web_url: url,
  readme_url: { ...urlOrNull, description: 'Null without a README. For readers of the code.' },
  forks_count: { ...count, description: 'For readers of the code.' },
  ...licenseSchemas,
  avatar_url: urlOrNull,
  star_count: count,
  last_activity_at: moment,
  visibility: { type: 'string', enum: ['private', 'internal', 'public'] },
  namespace: namespaceSchema,
  repository_storage: { ...text, description: 'For administrators.' },
};
const forReaders = [
  'default_branch',
  'readme_url',
  'forks_count',
  'repository_storage',
  ...Object.keys(licenseSchemas),
];

const access: JsonSchema = {
  oneOf: [objectSchema({ access_level: count, notification_level: { type: ['integer', 'null'] } }), { type: 'null' }],
};

const details: { [name: string]: JsonSchema } = {
  forked_from_project: objectSchema(basic, forReaders),
  _links: objectSchema(
    {
      self: url,
      issues: url,
      merge_requests: url,
      repo_branches: url,
      labels: url,
      events: url,
      members: url,
      cluster_agents: url,
    },
    ['issues', 'merge_requests'],
  ),
  owner: UserBasic.schema,
  ...detailSchemas,
};
const permissionSchemas = { permissions: objectSchema({ project_access: access, group_access: access }) };

const nameWithNamespace = ({ name, namespace }: IdentityData) => `${namespace.fullName} / ${name}`;

function presentIdentity(project: IdentityData) {
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: nameWithNamespace(project),
    path: project.path,
    path_with_namespace: project.fullPath,
    created_at: project.createdAt,
  };
}

/** A project inside a record that only says which one it is. */
export const ProjectIdentity: Record<IdentityData> = {
  name: 'ProjectIdentity',
  schema: objectSchema(identity),
  present: presentIdentity,
};

/** The fields that operations select for it. */
export const projectIdentityFields = `${identityFields} namespace { fullName }`;

export function presentNamespace({ id, name, path, kind, fullPath, parentId, avatarUrl, webUrl }: NamespaceData) {
  return {
    id,
    name,
    path,
    kind: kind.toLowerCase(),
    full_path: fullPath,
    parent_id: parentId,
    avatar_url: avatarUrl,
    web_url: webUrl,
  };
}

/** The address of the page of a file at the root of the default branch. */
const fileAddress = (webUrl: string, branch: string, path: string) =>
  `${webUrl}/-/blob/${encodeURIComponent(branch)}/${encodeURIComponent(path)}`;

/** The address of the page of the README. */
const readmeOf = (webUrl: string, { rootRef, readmePath }: NonNullable<BasicData['repository']>) =>
  rootRef === null || readmePath === null ? null : fileAddress(webUrl, rootRef, readmePath);

/** In one order, whatever order they were given in: clients compare them with what they want. */
const inOrder = (topics: readonly string[]) => (topics.length > 1 ? [...topics].sort() : topics);

function presentBasic(project: BasicData) {
  const { repository } = project;
  const license = repository?.license;
  const topics = inOrder(project.topics);
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: nameWithNamespace(project),
    path: project.path,
    path_with_namespace: project.fullPath,
    created_at: project.createdAt,
    default_branch: repository ? repository.rootRef : undefined,
    tag_list: topics,
    topics,
    ssh_url_to_repo: project.sshUrlToRepo,
    http_url_to_repo: project.httpUrlToRepo,
    web_url: project.webUrl,
    readme_url: repository ? readmeOf(project.webUrl, repository) : undefined,
    forks_count: repository ? project.forksCount : undefined,
    license_url: license && fileAddress(project.webUrl, repository?.rootRef ?? '', license.path),
    license: license && presentLicense(license),
    avatar_url: project.avatarUrl,
    star_count: project.starCount,
    last_activity_at: project.lastActivityAt,
    visibility: project.visibility,
    namespace: presentNamespace(project.namespace),
    repository_storage: project.repositoryStorage ?? undefined,
  };
}

const presentAccess = (one: AccessData | null) =>
  one && { access_level: one.accessLevel, notification_level: levels.indexOf(one.notificationLevel) };

/** Addresses below the project in the API. */
function presentLinks({ id, webUrl, fullPath }: ProjectData, attributes: { readonly [name: string]: unknown }) {
  const self = `${webUrl.slice(0, -fullPath.length)}api/v4/projects/${id}`;
  return {
    self,
    issues: attributes.issuesEnabled === true ? `${self}/issues` : undefined,
    merge_requests: attributes.mergeRequestsEnabled === true ? `${self}/merge_requests` : undefined,
    repo_branches: `${self}/repository/branches`,
    labels: `${self}/labels`,
    events: `${self}/events`,
    members: `${self}/members`,
    cluster_agents: `${self}/cluster_agents`,
  };
}

/** A record without values yet. */
const fullRecord = blankOf([
  ...Object.keys(basic),
  'forked_from_project',
  '_links',
  ...Object.keys(presentDetails({}, {} as Parameters<typeof presentDetails>[1])),
  'permissions',
]);

/** What signed-in people see. */
function presentFull(project: ProjectData, attributes: { readonly [name: string]: unknown }): object {
  const { owner, forkedFrom, statistics, userPermissions } = project;
  return Object.assign(
    fullRecord(),
    presentBasic(project),
    {
      forked_from_project: forkedFrom ? presentBasic(forkedFrom) : undefined,
      _links: presentLinks(project, attributes),
    },
    presentDetails(attributes, {
      archived: project.archived,
      owner: owner ? UserBasic.present(owner) : undefined,
      mergesIn: userPermissions?.createMergeRequestIn,
      isEmpty: project.repository?.rootRef == null,
      importStatus: project.importStatus ?? 'none',
      openIssues: project.openIssuesCount,
      creatorId: project.creatorId ?? null,
      isFork: project.isForked === true,
      descriptionHtml: project.descriptionHtml,
      updatedAt: project.updatedAt,
      readsCode: project.repository !== null,
      shares: presentShares(project.sharedWithGroups),
      runnersToken: project.runnersToken ?? null,
      statistics,
    }),
  );
}

/** A project inside another record: its basic part. */
export const BasicProject: Record<BasicData> = {
  name: 'BasicProject',
  schema: objectSchema(basic, forReaders),
  present: presentBasic,
};

/** A project without the viewer's roles: what a change answers, and the projects of a group. */
export const Project: Record<ProjectData> = {
  name: 'Project',
  schema: objectSchema({ ...basic, ...details }, [...forReaders, ...Object.keys(details)]),
  present(project) {
    const { permissions, attributes } = project;
    if (permissions != null && attributes) return presentFull(project, attributes) as {};
    const { forkedFrom } = project;
    return Object.assign(presentBasic(project), forkedFrom && { forked_from_project: presentBasic(forkedFrom) });
  },
};

/** A project, with the viewer's roles. With `simple`, or if the viewer isn't a person, only its basic part. */
export const ProjectWithPermissions: Record<ProjectData> = {
  name: 'ProjectWithPermissions',
  schema: objectSchema({ ...basic, ...details, ...permissionSchemas }, [
    ...forReaders,
    ...Object.keys(details),
    'permissions',
  ]),
  present(project) {
    const { permissions } = project;
    return Object.assign(
      Project.present(project) as object,
      permissions && {
        permissions: {
          project_access: presentAccess(permissions.projectAccess),
          group_access: presentAccess(permissions.groupAccess),
        },
      },
    ) as {};
  },
};

/** A project in a list: unless it is alone, those who aren't a person don't see what it was forked from. */
export const ListedProject: Record<ProjectData> = {
  ...ProjectWithPermissions,
  present: (project) => (project.permissions == null ? presentBasic(project) : ProjectWithPermissions.present(project)),
};
