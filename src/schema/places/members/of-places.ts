import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { Group, Project } from '../place/types.ts';
import { AccessLevelEnum } from './access-level.ts';
import { memberOrder, membersOf, relationsOf } from './list.ts';
import { GroupMember, MemberInterface } from './types.ts';

/** The members of a group and of a project, as fields of both. */

const direct = { DIRECT: { description: 'Members of the place itself.' } } as const;
const inherited = { INHERITED: { description: 'Members of groups above that you can see.' } } as const;

/** Groups and projects are not shared with groups, so these relations have no members. */
const none = { description: 'Nobody: groups and projects aren’t shared with groups.' } as const;

const GroupMemberRelation = builder.enumType('GroupMemberRelation', {
  description: 'Where members of a group come from.',
  values: {
    ...direct,
    ...inherited,
    DESCENDANTS: { description: 'Members of subgroups that you can see.' },
    SHARED_FROM_GROUPS: none,
  } as const,
});

const ProjectMemberRelation = builder.enumType('ProjectMemberRelation', {
  description: 'Where members of a project come from.',
  values: {
    ...direct,
    ...inherited,
    DESCENDANTS: { description: 'Nobody: nothing is below a project.' },
    INVITED_GROUPS: none,
    SHARED_INTO_ANCESTORS: none,
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

/** The relations of a list that have members at all. */
const defaultRelations = ['DIRECT', 'INHERITED'] as const;
const isStored = (relation: string) => relation === 'DIRECT' || relation === 'INHERITED' || relation === 'DESCENDANTS';

nestedList(Group, 'groupMembers', {
  ...list,
  type: GroupMember,
  args: (t) => ({
    relations: t.field({ type: [GroupMemberRelation], defaultValue: [...defaultRelations] }),
    ...filterArgs,
  }),
  rows: (context, { relations, ...search }, _info, { id }) =>
    membersOf(context, { scope: 'group', id }, (relations ?? defaultRelations).filter(isStored), search),
});
nestedList(Project, 'projectMembers', {
  ...list,
  type: MemberInterface,
  args: (t) => ({
    relations: t.field({ type: [ProjectMemberRelation], defaultValue: [...defaultRelations] }),
    ...filterArgs,
  }),
  rows: (context, { relations, ...search }, _info, { id }) =>
    membersOf(context, { scope: 'project', id }, (relations ?? defaultRelations).filter(isStored), search),
});

/** Arguments of the lists of version 0.1, which `members` at the root still has. */
export const searchArgs = builder.args((t) => ({
  inherited: t.boolean({
    defaultValue: false,
    description: 'Whether to include inherited members, from groups above that you can see.',
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
