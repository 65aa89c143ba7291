import { projectRoles, type ProjectRolesRow } from '../../database/statements/projects.ts';
import { batched } from '../batched.ts';
import { builder } from '../builder.ts';
import { LevelType, type Level } from '../notification-settings/levels.ts';
import { Namespace, Project } from '../places/types.ts';
import { User } from '../users/types.ts';
import { isVisibleProject } from './visible.ts';

const roles = batched<ProjectRolesRow>(async ({ database, viewer }, ids) => {
  const rows = await database.rows(projectRoles, [ids, viewer.person!.id]);
  return new Map(rows.map((row) => [row.id, row]));
});

interface Access {
  readonly level: number | null;
  readonly notificationLevel: string | null;
}

const AccessType = builder.objectRef<Access>('ProjectAccess').implement({
  description: 'A role, and how much is heard of the place that gives it.',
  fields: (t) => ({
    accessLevel: t.int({ description: '10 guest, 20 reporter, 30 developer, 40 maintainer, 50 owner.', resolve: ({ level }) => level! }),
    notificationLevel: t.field({ type: LevelType, resolve: ({ notificationLevel }) => (notificationLevel ?? 'GLOBAL') as Level }),
  }),
});

const orNone = (level: number | null, notificationLevel: string | null) => (level === null ? null : { level, notificationLevel });

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

builder.prismaObjectFields(Project, (t) => ({
  namespace: t.relation('namespace', { type: Namespace, description: 'What it lies in.' }),
  owner: t.field({
    type: User,
    nullable: true,
    description: 'The person in whose own place it lies; null in a group.',
    select: (_args, _context, nested) => ({ namespace: { select: { owner: nested() as never } } }),
    resolve: ({ namespace }) => (namespace as unknown as { owner: never }).owner,
  }),
  archived: t.exposeBoolean('archived'),
  topics: t.exposeStringList('topics'),
  starCount: t.exposeInt('starCount'),
  forksCount: t.exposeInt('forksCount'),
  creatorId: t.exposeID('creatorId', { nullable: true, description: 'Who made it; null once that person is gone.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  lastActivityAt: t.expose('lastActivityAt', { type: 'DateTime' }),
  forkedFrom: t.prismaField({
    type: Project,
    nullable: true,
    description: 'The project that it was forked from, if it is a fork and you can see that one.',
    resolve: async (query, { forkedFromId }, _args, context) => {
      if (forkedFromId === null || !(await isVisibleProject(context, forkedFromId))) return null;
      // Those of a page are read in one statement.
      return await context.database.prisma.project.findUnique({ ...query, where: { id: forkedFromId } });
    },
  }),
  permissions: t.field({
    type: PermissionsType,
    nullable: true,
    description: 'What you are in it; null where no person asks.',
    resolve: async ({ id }, _args, context) => (context.viewer.person ? ((await roles(context, id)) ?? null) : null),
  }),
}));
