import { levels, type Level } from '../../../values/notification-levels.ts';
import { objectSchema, type JsonSchema, type Record } from '../../engine/record.ts';
import { UserBasic, userBasicFields, type UserBasicData } from '../../accounts/users/basic.ts';

/** The first fields of every record of a project. */
interface IdentityData {
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

interface BasicData extends IdentityData {
  readonly topics: readonly string[];
  readonly webUrl: string;
  readonly forksCount: number;
  readonly avatarUrl: string | null;
  readonly starCount: number;
  readonly lastActivityAt: string;
  readonly visibility: string;
  readonly namespace: NamespaceData & { readonly fullName: string };
}

/**
 * The selected fields of a project. `permissions` is null if the viewer is an application, and undefined with `simple`:
 * the record then has only the basic part.
 */
export interface ProjectData extends BasicData {
  readonly archived?: boolean;
  readonly owner?: UserBasicData | null;
  readonly creatorId?: number | null;
  readonly updatedAt?: string;
  readonly forkedFrom?: (IdentityData & Pick<BasicData, 'webUrl' | 'forksCount' | 'starCount'>) | null;
  readonly permissions?: { readonly projectAccess: AccessData | null; readonly groupAccess: AccessData | null } | null;
}

const identityFields = 'id: databaseId description name path fullPath createdAt';
/** The fields of a namespace that operations select. */
export const namespaceFields = 'id: databaseId name path kind fullPath parentId: parentDatabaseId avatarUrl webUrl';
const basicFields = `${identityFields} topics webUrl forksCount avatarUrl starCount lastActivityAt visibility namespace { ${namespaceFields} fullName }`;
const detailFields = `archived creatorId: creatorDatabaseId updatedAt owner { ${userBasicFields} }
  forkedFrom { ${identityFields} webUrl forksCount starCount namespace { fullName } }
  permissions { projectAccess { accessLevel notificationLevel } groupAccess { accessLevel notificationLevel } }`;

/** The fields that operations select for the record. */
export const projectFields = `${basicFields} ${detailFields}`;
/** The same, with only the basic part if `$simple` is true. */
export const projectFieldsUnlessSimple = `${basicFields} ... @skip(if: $simple) { ${detailFields} }`;

const moment = { type: 'string', format: 'date-time' };
const url = { type: 'string', format: 'uri' };
const urlOrNull = { ...url, type: ['string', 'null'] };
const text = { type: 'string' };
const count = { type: 'integer' };

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
  tag_list: { type: 'array', items: text, description: 'Former name of `topics`, with the same value.' },
  topics: { type: 'array', items: text },
  web_url: url,
  forks_count: count,
  avatar_url: urlOrNull,
  star_count: count,
  last_activity_at: moment,
  visibility: { type: 'string', enum: ['private', 'internal', 'public'] },
  namespace: namespaceSchema,
};

const access: JsonSchema = {
  oneOf: [objectSchema({ access_level: count, notification_level: { type: ['integer', 'null'] } }), { type: 'null' }],
};

const details: { [name: string]: JsonSchema } = {
  _links: objectSchema({ self: url, members: url }),
  archived: { type: 'boolean' },
  owner: UserBasic.schema,
  creator_id: { type: ['integer', 'null'] },
  forked_from_project: objectSchema({ ...identity, web_url: url, forks_count: count, star_count: count }),
  updated_at: moment,
  permissions: objectSchema({ project_access: access, group_access: access }),
};

function presentIdentity(project: IdentityData) {
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: `${project.namespace.fullName} / ${project.name}`,
    path: project.path,
    path_with_namespace: project.fullPath,
    created_at: project.createdAt,
  };
}

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

function presentBasic(project: BasicData) {
  return Object.assign(presentIdentity(project), {
    tag_list: project.topics,
    topics: project.topics,
    web_url: project.webUrl,
    forks_count: project.forksCount,
    avatar_url: project.avatarUrl,
    star_count: project.starCount,
    last_activity_at: project.lastActivityAt,
    visibility: project.visibility,
    namespace: presentNamespace(project.namespace),
  });
}

const presentSource = (source: NonNullable<ProjectData['forkedFrom']>) =>
  Object.assign(presentIdentity(source), {
    web_url: source.webUrl,
    forks_count: source.forksCount,
    star_count: source.starCount,
  });

const presentAccess = (one: AccessData | null) =>
  one && { access_level: one.accessLevel, notification_level: levels.indexOf(one.notificationLevel) };

/** The API address of the project. */
function apiUrl({ id, webUrl, fullPath }: ProjectData): string {
  return `${webUrl.slice(0, -fullPath.length)}api/v4/projects/${id}`;
}

/** A project. With `simple`, or if the viewer isn't a person, only its basic part. */
export const Project: Record<ProjectData> = {
  name: 'Project',
  schema: objectSchema({ ...basic, ...details }, Object.keys(details)),
  present(project) {
    const { permissions, owner, forkedFrom, creatorId } = project;
    if (permissions == null) return presentBasic(project);
    const self = apiUrl(project);
    return Object.assign(
      presentBasic(project),
      { _links: { self, members: `${self}/members` }, archived: project.archived },
      owner && { owner: UserBasic.present(owner) },
      { creator_id: creatorId ?? null },
      forkedFrom && { forked_from_project: presentSource(forkedFrom) },
      {
        updated_at: project.updatedAt,
        permissions: {
          project_access: presentAccess(permissions.projectAccess),
          group_access: presentAccess(permissions.groupAccess),
        },
      },
    );
  },
};
