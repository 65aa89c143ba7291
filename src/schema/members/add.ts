import { findGroup, findProject } from '../../database/statements/places.ts';
import { BadRequest } from '../../errors.ts';
import { roles, type Role } from '../../policy/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { unlessTaken } from '../input.ts';
import { lookUp } from '../places/look-up.ts';
import { existingUser } from '../users/find.ts';

type RoleName = Uppercase<Role>;

const RoleType = builder.enumType('Role', {
  description: 'What a member may do, each role also everything below it.',
  values: {
    GUEST: {},
    REPORTER: {},
    DEVELOPER: {},
    MAINTAINER: { description: 'Manages the settings of a project.' },
    OWNER: {},
  } as const satisfies Record<RoleName, object>,
});

const levelOf = (role: RoleName) => roles[role.toLowerCase() as Role];
const roleOf = (level: number) =>
  (Object.keys(roles) as Role[]).find((role) => roles[role] === level)!.toUpperCase() as RoleName;

const Membership = builder.objectRef<{ accessLevel: number }>('Membership').implement({
  description: 'What a person is in a group or project.',
  fields: (t) => ({ role: t.field({ type: RoleType, resolve: ({ accessLevel }) => roleOf(accessLevel) }) }),
});

builder.mutationField('addMember', (t) =>
  t.field({
    type: Membership,
    nullable: true,
    description: 'Makes a person a member of a group or project. For administrators.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('AddMemberInput', {
          fields: (field) => ({
            group: field.id({ description: 'Number or full path.' }),
            project: field.id({ description: 'Number or full path.' }),
            userId: field.id({ required: true }),
            role: field.field({ type: RoleType, required: true }),
          }),
        }),
      }),
    },
    resolve: async (_root, { input: { group, project, userId, role } }, context) => {
      requireAdministrator(context);
      if ((group == null) === (project == null)) throw new BadRequest('Name a group or a project.');
      const { prisma } = context.database;
      const user = await existingUser(context, userId);
      const member = { userId: user.id, accessLevel: levelOf(role) };
      const taken = { GroupMember: 'user', ProjectMember: 'user' };
      if (group != null) {
        const { id } = await lookUp(context, findGroup, 'Group', group);
        return await unlessTaken(taken, () => prisma.groupMember.create({ data: { ...member, groupId: id } }));
      }
      const { id } = await lookUp(context, findProject, 'Project', project!);
      return await unlessTaken(taken, () => prisma.projectMember.create({ data: { ...member, projectId: id } }));
    },
  }),
);
