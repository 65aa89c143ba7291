import { builder } from '../../engine/builder.ts';
import { factsOf as factsOfGroup, GroupPermissions } from '../groups/fields.ts';
import { namespaceById, projectById, visibleGroupById } from '../place/read.ts';
import { ProjectPermissions, rightsIn } from '../projects/permissions.ts';
import { GroupMember, ProjectMember } from './types.ts';

/** What the viewer may do in the place of a membership. */

builder.objectField(GroupMember, 'userPermissions', (t) =>
  t.field({
    type: GroupPermissions,
    nullable: true,
    description: 'What you, not the member, may do in the group.',
    resolve: async ({ groupId, shared }, _args, context) => {
      const group = await (shared ? visibleGroupById(context, groupId) : namespaceById(context, groupId));
      return group && (await factsOfGroup(context, group));
    },
  }),
);

builder.objectField(ProjectMember, 'userPermissions', (t) =>
  t.field({
    type: ProjectPermissions,
    nullable: true,
    description: 'What you, not the member, may do in the project.',
    resolve: async ({ projectId }, _args, context) => {
      const project = await projectById(context, projectId);
      return project && (await rightsIn(context, project));
    },
  }),
);
