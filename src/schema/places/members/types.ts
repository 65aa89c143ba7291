import type { MemberRow } from './statements.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { namespaceById, projectById } from '../place/read.ts';
import { Group, Project } from '../place/types.ts';
import { UserCore } from '../../accounts/users/types.ts';
import { accessLevelOf, AccessLevelEnum } from './access-level.ts';
import { memberOrder, membersOf } from './list.ts';

export const Member = builder.objectRef<MemberRow>('Member').implement({
  description: 'A membership of a person in a group or project.',
  fields: (t) => ({
    user: t.field({
      type: UserCore,
      // Read together with the membership.
      resolve: (member) => member,
    }),
    accessLevel: t.field({ type: AccessLevelEnum, resolve: ({ access_level }) => accessLevelOf(access_level) }),
    createdAt: t.field({
      type: 'Time',
      description: 'When the membership was created.',
      resolve: ({ created_at }) => created_at,
    }),
    expiresAt: t.field({
      type: 'Date',
      nullable: true,
      description: 'The first day (UTC) on which the membership is no longer valid; null if it doesn’t expire.',
      resolve: ({ expires_at }) => expires_at,
    }),
    sourceGroup: t.field({
      type: Group,
      nullable: true,
      description: 'The group that the role comes from: this one or one above; null if it comes from a project.',
      resolve: ({ source_group }, _args, context) => namespaceById(context, source_group),
    }),
    sourceProject: t.field({
      type: Project,
      nullable: true,
      description: 'The project that the role comes from; null if it comes from a group.',
      resolve: ({ source_project }, _args, context) => projectById(context, source_project),
    }),
  }),
});

/** Arguments of every list of members. */
export const searchArgs = builder.args((t) => ({
  inherited: t.boolean({
    defaultValue: false,
    description: 'Whether to include inherited members, from groups above that you can see.',
  }),
  search: t.string({ description: 'Part of a name or username.' }),
  userIds: t.idList({ description: 'Only these people.' }),
  skipUserIds: t.idList({ description: 'Not these people.' }),
}));

const list = {
  type: Member,
  description: 'The members, ordered by the ids of people; each person once, with their highest role.',
  args: () => searchArgs,
  orders: memberOrder,
  by: 'user_id_asc',
} as const;

nestedList(Group, 'members', {
  ...list,
  rows: (context, asked, _info, { id }) => membersOf(context, { scope: 'group', id }, asked),
});
nestedList(Project, 'members', {
  ...list,
  rows: (context, asked, _info, { id }) => membersOf(context, { scope: 'project', id }, asked),
});
