import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { Group, Project } from '../place/types.ts';
import { AccessLevelEnum } from './access-level.ts';
import { memberOrder, membersOf, relationsOf } from './list.ts';
import { GroupMember, MemberInterface } from './types.ts';

/** The members of a group and of a project, as fields of both. */

const direct = { DIRECT: { description: 'Members of the place itself.' } } as const;
const inherited = { INHERITED: { description: 'Members of groups above that you can see.' } } as const;

const GroupMemberRelation = builder.enumType('GroupMemberRelation', {
  description: 'Where members of a group come from.',
  values: {
    ...direct,
    ...inherited,
    DESCENDANTS: { description: 'Members of subgroups that you can see.' },
    SHARED_FROM_GROUPS: { description: 'Direct members of groups that are invited to it or to groups above.' },
  } as const,
});

const ProjectMemberRelation = builder.enumType('ProjectMemberRelation', {
  description: 'Where members of a project come from.',
  values: {
    ...direct,
    ...inherited,
    DESCENDANTS: { description: 'No one: nothing is below a project.' },
    INVITED_GROUPS: { description: 'Everyone with a role in a group that is invited to it.' },
    SHARED_INTO_ANCESTORS: { description: 'Direct members of groups that are invited to groups above.' },
  } as const,
});

/** Filters of both lists. */
const filterArgs = builder.args((t) => ({
  search: t.string({ description: 'Part of a name or username.' }),
  accessLevels: t.field({ type: [AccessLevelEnum], description: 'Only people whose highest role is one of these.' }),
}));

const list = {
  description: 'The members, ordered by the ids of people; each person once, with their highest role.',
  orders: memberOrder,
  by: 'user_id_asc',
} as const;

const defaultRelations = ['DIRECT', 'INHERITED'] as const;

nestedList(Group, 'groupMembers', {
  ...list,
  type: GroupMember,
  args: (t) => ({
    relations: t.field({ type: [GroupMemberRelation], defaultValue: [...defaultRelations] }),
    ...filterArgs,
  }),
  rows: (context, { relations, ...search }, _info, { id }) =>
    membersOf(context, { scope: 'group', id }, relations ?? defaultRelations, search),
});
nestedList(Project, 'projectMembers', {
  ...list,
  type: MemberInterface,
  args: (t) => ({
    relations: t.field({ type: [ProjectMemberRelation], defaultValue: [...defaultRelations] }),
    ...filterArgs,
  }),
  rows: (context, { relations, ...search }, _info, { id }) =>
    membersOf(context, { scope: 'project', id }, relations ?? defaultRelations, search),
});

/** Arguments of the lists of version 0.1, which `members` at the root still has. */
export const searchArgs = builder.args((t) => ({
  inherited: t.boolean({
    defaultValue: false,
    description:
      'Whether to include everyone with a role: inherited from groups above, or by groups that are invited. Only of groups that you can see.',
  }),
  search: t.string({ description: 'Part of a name or username.' }),
  userIds: t.idList({ description: 'Only these people.' }),
  skipUserIds: t.idList({ description: 'Not these people.' }),
}));

const former = { ...list, type: MemberInterface, args: () => searchArgs } as const;
nestedList(Group, 'members', {
  ...former,
  deprecationReason: 'Use `groupMembers`.',
  rows: (context, asked, _info, { id }) =>
    membersOf(context, { scope: 'group', id }, relationsOf(asked.inherited), asked),
});
nestedList(Project, 'members', {
  ...former,
  deprecationReason: 'Use `projectMembers`.',
  rows: (context, asked, _info, { id }) =>
    membersOf(context, { scope: 'project', id }, relationsOf(asked.inherited), asked),
});
