import type { Context } from '../../../context.ts';
import type { NamespaceRecord } from '../../../database/access/records.ts';
import { holds, makeProject, makeSubgroup, manageGroup, type Condition, type Facts } from '../../../policy/index.ts';
import { avatarPath } from '../../../values/avatar-path.ts';
import { builder } from '../../engine/builder.ts';
import { roleInGroup, visibleGroupById } from '../place/read.ts';
import { Group } from '../place/types.ts';

/** What decides what the viewer may do in a group. */
export const factsOf = async (context: Context, { id, visibility }: NamespaceRecord): Promise<Facts> => ({
  visibility,
  accessLevel: await roleInGroup(context, id),
});

export const GroupPermissions = builder.objectRef<Facts>('GroupPermissions');
const may = (rule: Condition, description: string) => ({
  description,
  resolve: (facts: Facts, _args: object, { viewer }: Context) => holds(rule, viewer, facts),
});

GroupPermissions.implement({
  description: 'What you may do in a group.',
  fields: (t) => ({
    readGroup: t.boolean({ description: 'True: you see it.', resolve: () => true }),
    createProjects: t.boolean(may(makeProject, 'Whether you create projects in it.')),
    createSubgroup: t.boolean(may(makeSubgroup, 'Whether you create groups in it.')),
    viewEditPage: t.boolean(may(manageGroup, 'Whether you change its settings and members.')),
    removeGroup: t.boolean(may(manageGroup, 'Whether you delete it.')),
  }),
});

builder.objectFields(Group, (t) => ({
  updatedAt: t.expose('updatedAt', { type: 'Time' }),
  parent: t.field({
    type: Group,
    nullable: true,
    description: 'The parent group; null at the root, and if you can’t see it.',
    resolve: ({ parentId }, _args, context) => visibleGroupById(context, parentId),
  }),
  avatarUrl: t.string({
    nullable: true,
    description: 'The address of the picture, if there is one.',
    resolve: ({ id, avatar }, _args, { baseUrl }) =>
      avatar === null ? null : `${baseUrl}${avatarPath('group', id, avatar)}`,
  }),
  requireTwoFactorAuthentication: t.boolean({
    description: 'False: no group requires two-factor authentication.',
    resolve: () => false,
  }),
  projectCreationLevel: t.string({ description: 'The least role that creates projects.', resolve: () => 'developer' }),
  subgroupCreationLevel: t.string({ description: 'The least role that creates groups.', resolve: () => 'maintainer' }),
  userPermissions: t.field({
    type: GroupPermissions,
    resolve: (group, _args, context) => factsOf(context, group),
  }),
}));
