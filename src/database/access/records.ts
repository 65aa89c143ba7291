import type { Email, NotificationLevel, User } from '../index.ts';
import { readByIds, type Reading } from '../list.ts';
import { groupAttributeColumns, type GroupAttributeColumns } from './group-attributes.ts';
import { shownState, type PersonState } from './people.ts';

/**
 * The columns that are shown of places and people, everywhere: in a list, inside another record, or alone. They are
 * named as in the model.
 */

type Visibility = 'PRIVATE' | 'INTERNAL' | 'PUBLIC';

/** The namespace of a project, with the fields that a viewer of the project may see. */
export interface Place {
  readonly id: number;
  readonly kind: 'USER' | 'GROUP';
  readonly parentId: number | null;
  /** Set for a person's own namespace. */
  readonly ownerId: number | null;
  readonly path: string;
  readonly name: string;
  readonly fullPath: string;
  /** The names from the root, as in `Demo / Platform`. */
  readonly fullName: string;
  readonly visibility: Visibility;
  /** The file name of its avatar; of a person's own namespace, that of the person. */
  readonly avatar: string | null;
}

export interface NamespaceRecord extends Place, GroupAttributeColumns {
  readonly description: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Whether there are shares with other groups, expired ones included. */
  readonly isShared: boolean;
}

const fullName = `case when n.parent_id is null then n.name else
  (select string_agg(a.name, ' / ' order by array_position(n.ancestry, a.id)) from namespaces a where a.id = any(n.ancestry)) end`;

export const namespaceReading: Reading<NamespaceRecord> = {
  columns: `n.id, n.kind, n.parent_id as "parentId", n.owner_id as "ownerId", n.path, n.name, n.full_path as "fullPath",
    ${fullName} as "fullName", n.description, n.visibility, n.avatar, n.created_at as "createdAt", n.updated_at as "updatedAt",
    ${groupAttributeColumns}, exists (select from group_shares share where share.group_id = n.id) as "isShared"`,
  from: 'namespaces n',
  id: 'n.id',
};

export interface ProjectRecord {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly archived: boolean;
  /** The file name of its avatar. */
  readonly avatar: string | null;
  readonly topics: string[];
  readonly starCount: number;
  readonly forksCount: number;
  /** Null while its repository has no branch. */
  readonly defaultBranch: string | null;
  readonly readmePath: string | null;
  /** How far the copy of its source is; null if nothing was copied. */
  readonly importStatus: string | null;
  /** Null once that person was removed. */
  readonly creatorId: number | null;
  readonly forkedFromId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastActivityAt: Date;
  /** The attributes that someone set, by name. */
  readonly attributes: { readonly [name: string]: unknown };
  /** Whether there are shares with groups, expired ones included. */
  readonly isShared: boolean;
  /** The namespace that contains it. */
  readonly namespaceId: number;
  readonly namespaceKind: Place['kind'];
  readonly namespaceParentId: number | null;
  readonly namespaceOwnerId: number | null;
  readonly namespacePath: string;
  readonly namespaceName: string;
  readonly namespaceFullPath: string;
  readonly namespaceFullName: string;
  readonly namespaceVisibility: Visibility;
  readonly namespaceAvatar: string | null;
}

/** A person's roles in a project: as a direct member, the highest as a member of a group above it, and by shares. */
export interface ProjectRolesRow {
  readonly id: number;
  readonly project_access: number | null;
  readonly project_level: NotificationLevel | null;
  readonly group_access: number | null;
  readonly group_level: NotificationLevel | null;
  readonly shared_access: number | null;
}

/** A project, with the viewer's roles in it, or only the highest one, if the same statement read them. */
export type ListedProject = ProjectRecord &
  Partial<ProjectRolesRow> & { readonly accessLevel?: number | null | undefined };

export const projectReading: Reading<ProjectRecord> = {
  columns: `p.id, p.name, p.path, p.full_path as "fullPath", p.description, p.visibility, p.archived, p.avatar, p.topics,
    p.star_count as "starCount", p.forks_count as "forksCount", p.creator_id as "creatorId", p.forked_from_id as "forkedFromId",
    p.created_at as "createdAt", p.updated_at as "updatedAt", p.last_activity_at as "lastActivityAt", p.attributes, p.default_branch as "defaultBranch",
    p.readme_path as "readmePath", p.import_status as "importStatus",
    exists (select from project_shares share where share.project_id = p.id) as "isShared",
    n.id as "namespaceId", n.kind as "namespaceKind", n.parent_id as "namespaceParentId", n.owner_id as "namespaceOwnerId",
    n.path as "namespacePath", n.name as "namespaceName", n.full_path as "namespaceFullPath", ${fullName} as "namespaceFullName",
    n.visibility as "namespaceVisibility", n.avatar as "namespaceAvatar"`,
  from: 'projects p join namespaces n on n.id = p.namespace_id',
  id: 'p.id',
};

/** A person, with the columns that are shown. */
export type UserRecord = Pick<
  User,
  'id' | 'username' | 'name' | 'administrator' | 'tier' | 'publicEmail' | 'privateProfile' | 'avatar' | 'createdAt'
> & { readonly state: PersonState };

export const userReading: Reading<UserRecord> = {
  columns: `u.id, u.username, u.name, ${shownState} as state, u.administrator, u.tier, u.public_email as "publicEmail",
    u.private_profile as "privateProfile", u.avatar, u.created_at as "createdAt"`,
  from: 'users u',
  id: 'u.id',
};

export const emailReading: Reading<Email> = {
  columns:
    'e.id, e.user_id as "userId", e.address, e.verified_at as "verifiedAt", e.primary_of as "primaryOf", e.created_at as "createdAt"',
  from: 'emails e',
  id: 'e.id',
};

export const readNamespaces = readByIds('read_namespaces', namespaceReading);
export const readProjects = readByIds('read_projects', projectReading);
export const readUsers = readByIds('read_users', userReading);
