import type { Pictured } from '../avatars/avatar.tsx';

export type Kind = 'group' | 'project';

/** What a page shows of a group or a project. */
export interface Place extends Pictured {
  readonly fullPath: string;
  readonly description: string;
  readonly visibility: keyof typeof visibilities;
  readonly createdAt: string;
  /** Whether the viewer has issues there; groups don't say. */
  readonly issuesEnabled?: boolean;
  readonly mergeRequestsEnabled?: boolean;
  readonly jobsEnabled?: boolean;
  readonly snippetsEnabled?: boolean;
  readonly openMergeRequests?: { readonly count: number } | null;
  /** Of a project: nothing can be changed in it. */
  readonly archived?: boolean;
  /** What the viewer asked for; absent for visitors who aren't signed in. */
  readonly currentUserAccessRequest?: { readonly requestedAt: string } | null;
  readonly userPermissions: {
    readonly edits: boolean;
    /** Whether the viewer may ask for a role. */
    readonly requestAccess?: boolean;
    /** Of a group. */
    readonly createProjects?: boolean;
    readonly createSubgroup?: boolean;
    readonly downloadCode?: boolean;
    readonly pushCode?: boolean;
    readonly readPipeline?: boolean;
  };
  /** The groups with which it is shared, as far as the viewer may know. */
  readonly shares: readonly {
    readonly groupName: string;
    readonly groupFullPath: string;
    readonly accessLevel: { readonly stringValue: string };
  }[];
  readonly members: {
    readonly nodes: readonly {
      readonly accessLevel: { readonly stringValue: string };
      readonly user: Pictured & { readonly username: string };
    }[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
}

export const visibilities = {
  public: 'Public: everyone can see it',
  internal: 'Internal: everyone who is signed in can see it',
  private: 'Private: only its members can see it',
};

/** The roles that people and groups get in a place, the lowest first. */
export const roles = {
  GUEST: 'Guest',
  PLANNER: 'Planner',
  REPORTER: 'Reporter',
  DEVELOPER: 'Developer',
  MAINTAINER: 'Maintainer',
  OWNER: 'Owner',
} as const;
export type Role = keyof typeof roles;

/** The roles that the viewer gives, as options of a form. @param owns whether they own the place */
export const rolesToGive = (owns: boolean) =>
  Object.entries(roles)
    .filter(([role]) => owns || role !== 'OWNER')
    .map(([value, label]) => ({ value, label }));

export const placePath = (kind: Kind, fullPath: string): string =>
  kind === 'group' ? `/groups/${fullPath}` : `/${fullPath}`;

export const errorTrackingPath = (project: string): string => `/${project}/-/settings/error_tracking`;

export const settingsPath = (kind: Kind, fullPath: string): string => `${placePath(kind, fullPath)}/-/edit`;
export const sharingPath = (kind: Kind, fullPath: string): string => `${placePath(kind, fullPath)}/-/sharing`;
export const membersPath = (kind: Kind, fullPath: string): string => `${placePath(kind, fullPath)}/-/members`;
/** The form by which people ask for a role, below `/-` of a place. */
export const accessRequestPath = '/request_access';
export const removalPath = (kind: Kind, fullPath: string): string => `${placePath(kind, fullPath)}/-/remove`;
export const transferPath = (kind: Kind, fullPath: string): string => `${placePath(kind, fullPath)}/-/transfer`;

/** What of the groups and projects has the permissions that pages ask for, by kind: who edits and who owns one. */
export const permissionFields = {
  group: 'permissions: userPermissions { edits: viewEditPage owns: viewEditPage }',
  project: 'permissions: userPermissions { edits: adminProject owns: changeVisibilityLevel }',
} as const;

/** Whether the viewer writes to the repository of a project at all; a rule may protect a branch from them. */
export const writesTo = ({
  archived,
  userPermissions,
}: {
  readonly archived?: boolean;
  readonly userPermissions: { readonly pushCode?: boolean };
}): boolean => !archived && userPermissions.pushCode === true;
