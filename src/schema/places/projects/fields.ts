import type { ListedProject, ProjectRolesRow } from '../../../database/access/records.ts';
import { projectRoles } from './statements.ts';
import type { Level } from '../../../values/notification-levels.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { LevelType } from '../../settings/notification-settings/levels.ts';
import { visibleProjectById } from '../place/read.ts';
import { Namespace, Project } from '../place/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { User } from '../../accounts/users/types.ts';

const roles = batched<ProjectRolesRow>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(projectRoles, [ids, viewer.person!.id]);
  return new Map(rows.map((row) => [row.id, row]));
});

/** Whether what the viewer is in it was read along with a project. */
const hasRoles = (project: ListedProject): project is ListedProject & ProjectRolesRow =>
  project.project_access !== undefined;

interface Access {
  readonly level: number | null;
  readonly notificationLevel: Level | null;
}

const AccessType = builder.objectRef<Access>('ProjectAccess').implement({
  description: 'A role, and how much is heard of the place that gives it.',
  fields: (t) => ({
    accessLevel: t.int({
      description: '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
      resolve: ({ level }) => level!,
    }),
    notificationLevel: t.field({ type: LevelType, resolve: ({ notificationLevel }) => notificationLevel ?? 'GLOBAL' }),
  }),
});

const orNone = (level: number | null, notificationLevel: Level | null) =>
  level === null ? null : { level, notificationLevel };

const PermissionsType = builder.objectRef<ProjectRolesRow>('ProjectPermissions').implement({
  description: 'What the person who asks is in a project.',
  fields: (t) => ({
    projectAccess: t.field({
      type: AccessType,
      nullable: true,
      description: 'By themselves.',
      resolve: (row) => orNone(row.project_access, row.project_level),
    }),
    groupAccess: t.field({
      type: AccessType,
      nullable: true,
      description: 'Through the group in which they are most.',
      resolve: (row) => orNone(row.group_access, row.group_level),
    }),
  }),
});

builder.objectFields(Project, (t) => ({
  namespace: t.field({
    type: Namespace,
    description: 'What it lies in.',
    // Read along with the project.
    resolve: (project) => ({
      id: project.namespaceId,
      kind: project.namespaceKind,
      parentId: project.namespaceParentId,
      ownerId: project.namespaceOwnerId,
      path: project.namespacePath,
      name: project.namespaceName,
      fullPath: project.namespaceFullPath,
      fullName: project.namespaceFullName,
    }),
  }),
  owner: t.field({
    type: User,
    nullable: true,
    description: 'The person in whose own place it lies; null in a group.',
    resolve: ({ namespaceOwnerId }, _args, context) => userById(context, namespaceOwnerId),
  }),
  archived: t.exposeBoolean('archived'),
  topics: t.exposeStringList('topics'),
  starCount: t.exposeInt('starCount'),
  forksCount: t.exposeInt('forksCount'),
  creatorId: t.exposeID('creatorId', { nullable: true, description: 'Who made it; null once that person is gone.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  lastActivityAt: t.expose('lastActivityAt', { type: 'DateTime' }),
  forkedFrom: t.field({
    type: Project,
    nullable: true,
    description: 'The project that it was forked from, if it is a fork and you can see that one.',
    resolve: ({ forkedFromId }, _args, context) => visibleProjectById(context, forkedFromId),
  }),
  permissions: t.field({
    type: PermissionsType,
    nullable: true,
    description: 'What you are in it; null where no person asks.',
    resolve: (project, _args, context) => {
      if (context.viewer.person === null) return null;
      return hasRoles(project) ? project : roles(context, project.id);
    },
  }),
}));
