import type { ListedProject, ProjectRolesRow } from '../../../database/access/records.ts';
import { projectRoles } from './statements/lists.ts';
import { avatarPath } from '../../../values/avatar-path.ts';
import { escapedHtml } from '../../../values/text/html.ts';
import type { Level } from '../../../values/kinds/notification-levels.ts';
import { batched } from '../../engine/batched.ts';
import { builder } from '../../engine/builder.ts';
import { globalId } from '../../engine/global-id.ts';
import { LevelType } from '../../settings/notification-settings/levels.ts';
import { visibleGroupById, visibleProjectById } from '../place/read.ts';
import { Group, Namespace, Project } from '../place/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';

/** The viewer's roles in projects. */
export const rolesIn = batched<ProjectRolesRow>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(projectRoles, [ids, viewer.person!.id]);
  return new Map(rows.map((row) => [row.id, row]));
});

/** Whether the viewer's roles were read together with a project. */
export const hasRoles = (project: ListedProject): project is ListedProject & ProjectRolesRow =>
  project.project_access !== undefined;

interface Access {
  readonly level: number | null;
  readonly notificationLevel: Level | null;
}

const AccessType = builder.objectRef<Access>('ProjectAccess').implement({
  description: 'A role, and the notification level in the place that gives it.',
  fields: (t) => ({
    accessLevel: t.int({
      description: '10 guest, 15 planner, 20 reporter, 30 developer, 40 maintainer, 50 owner.',
      resolve: ({ level }) => level!,
    }),
    notificationLevel: t.field({ type: LevelType, resolve: ({ notificationLevel }) => notificationLevel ?? 'GLOBAL' }),
  }),
});

const orNone = (level: number | null, notificationLevel: Level | null) =>
  level === null ? null : { level, notificationLevel };

const RolesType = builder.objectRef<ProjectRolesRow>('ProjectRoles').implement({
  description: 'Your roles in a project.',
  fields: (t) => ({
    projectAccess: t.field({
      type: AccessType,
      nullable: true,
      description: 'The direct membership.',
      resolve: (row) => orNone(row.project_access, row.project_level),
    }),
    groupAccess: t.field({
      type: AccessType,
      nullable: true,
      description: 'The membership in the group that gives the highest role. Roles by shares aren’t in it.',
      resolve: (row) => orNone(row.group_access, row.group_level),
    }),
  }),
});

/** A text as a paragraph. */
const htmlOf = (text: string) => (text === '' ? '' : `<p dir="auto">${escapedHtml(text)}</p>`);

builder.objectFields(Project, (t) => ({
  namespace: t.field({
    type: Namespace,
    description: 'The namespace that contains it.',
    // Read together with the project.
    direct: true,
    resolve: (project) => ({
      id: project.namespaceId,
      kind: project.namespaceKind,
      parentId: project.namespaceParentId,
      ownerId: project.namespaceOwnerId,
      path: project.namespacePath,
      name: project.namespaceName,
      fullPath: project.namespaceFullPath,
      fullName: project.namespaceFullName,
      visibility: project.namespaceVisibility,
      avatar: project.namespaceAvatar,
    }),
  }),
  owner: t.field({
    type: UserCore,
    nullable: true,
    description: 'The owner of its personal namespace; null in a group.',
    resolve: ({ namespaceOwnerId }, _args, context) => userById(context, namespaceOwnerId),
  }),
  archived: t.exposeBoolean('archived'),
  descriptionHtml: t.string({
    nullable: true,
    description: 'The description as HTML.',
    direct: true,
    resolve: ({ description }) => htmlOf(description),
  }),
  topics: t.exposeStringList('topics'),
  starCount: t.exposeInt('starCount'),
  forksCount: t.exposeInt('forksCount'),
  creatorId: t.id({
    nullable: true,
    description: 'The global id of its creator; null once that account is removed.',
    direct: true,
    resolve: ({ creatorId }) => (creatorId === null ? null : globalId('User', creatorId)),
  }),
  creatorDatabaseId: t.exposeInt('creatorId', { nullable: true }),
  group: t.field({
    type: Group,
    nullable: true,
    description: 'The group that contains it; null in a personal namespace, and if you can’t see the group.',
    resolve: ({ namespaceKind, namespaceId }, _args, context) =>
      namespaceKind === 'GROUP' ? visibleGroupById(context, namespaceId) : null,
  }),
  isForked: t.boolean({
    description: 'Whether it was forked from another project.',
    direct: true,
    resolve: ({ forkedFromId }) => forkedFromId !== null,
  }),
  tagList: t.string({
    nullable: true,
    deprecationReason: 'Use `topics`.',
    direct: true,
    resolve: ({ topics }) => topics.join(', '),
  }),
  avatarUrl: t.string({
    nullable: true,
    description: 'The address of the picture, if there is one.',
    direct: true,
    resolve: ({ id, avatar }, _args, { baseUrl }) =>
      avatar === null ? null : `${baseUrl}${avatarPath('project', id, avatar)}`,
  }),
  updatedAt: t.expose('updatedAt', { type: 'Time' }),
  lastActivityAt: t.expose('lastActivityAt', { type: 'Time' }),
  forkedFrom: t.field({
    type: Project,
    nullable: true,
    description: 'The project that it was forked from; null if it isn’t a fork or you can’t see its source.',
    resolve: ({ forkedFromId }, _args, context) => visibleProjectById(context, forkedFromId),
  }),
  permissions: t.field({
    type: RolesType,
    nullable: true,
    description: 'Your roles in it; null for a request without a person.',
    resolve: (project, _args, context) => {
      if (context.viewer.person === null) return null;
      return hasRoles(project) ? project : rolesIn(context, project.id);
    },
  }),
}));
