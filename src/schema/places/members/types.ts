import type { Context } from '../../../context.ts';
import { builder } from '../../engine/builder.ts';
import { globalId } from '../../engine/global-id.ts';
import { namespaceById, projectById, visibleGroupById } from '../place/read.ts';
import { Group, Project } from '../place/types.ts';
import { userById } from '../../accounts/users/read.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { AccessLevel } from './access-level.ts';
import type { Member } from './member.ts';

/** The group of a membership, unless it counts by a share and the viewer doesn't see the group. */
const groupOf = ({ groupId, shared }: Member, context: Context) =>
  shared ? visibleGroupById(context, groupId) : namespaceById(context, groupId);

const typeOf = ({ groupId }: Member) => (groupId === null ? 'ProjectMember' : 'GroupMember');

export const MemberInterface = builder.interfaceRef<Member>('MemberInterface').implement({
  description: 'A membership of a person in a group or a project.',
  resolveType: typeOf,
  fields: (t) => ({
    id: t.id({
      description: 'The global id, for example `gid://gitlab/GroupMember/7`.',
      direct: true,
      resolve: (member) => globalId(typeOf(member), member.id),
    }),
    databaseId: t.exposeInt('id', { description: 'The number in the global id.' }),
    // Read together with the membership.
    user: t.expose('user', { type: UserCore }),
    accessLevel: t.expose('accessLevel', { type: AccessLevel, description: 'The role.' }),
    createdAt: t.expose('createdAt', { type: 'Time', description: 'When the membership was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Time', description: 'When it was changed last.' }),
    createdBy: t.field({
      type: UserCore,
      nullable: true,
      description: 'The person who added the member; null if unknown, or once that account is removed.',
      resolve: ({ createdById }, _args, context) => userById(context, createdById),
    }),
    expiresAt: t.field({
      type: 'Time',
      nullable: true,
      description: 'When it ends, at the start of a day in UTC; null if it doesn’t end.',
      resolve: ({ expiresOn }) => (expiresOn === null ? null : new Date(`${expiresOn}T00:00:00Z`)),
    }),
    sourceGroup: t.field({
      type: Group,
      nullable: true,
      description: 'The group that the role comes from; null if it comes from a project.',
      deprecationReason: 'Use `group` of `GroupMember`.',
      resolve: (member, _args, context) => groupOf(member, context),
    }),
    sourceProject: t.field({
      type: Project,
      nullable: true,
      description: 'The project that the role comes from; null if it comes from a group.',
      deprecationReason: 'Use `project` of `ProjectMember`.',
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
  }),
});

// A membership is only shown to people who see its place.
export const GroupMember = builder.objectRef<Member>('GroupMember').implement({
  description: 'A membership of a person in a group.',
  interfaces: [MemberInterface],
  fields: (t) => ({
    group: t.field({
      type: Group,
      nullable: true,
      description: 'Null if you can’t see it: the membership counts here because the group was invited.',
      resolve: (member, _args, context) => groupOf(member, context),
    }),
  }),
});

export const ProjectMember = builder.objectRef<Member>('ProjectMember').implement({
  description: 'A membership of a person in a project.',
  interfaces: [MemberInterface],
  fields: (t) => ({
    project: t.field({
      type: Project,
      nullable: true,
      resolve: ({ projectId }, _args, context) => projectById(context, projectId),
    }),
  }),
});
