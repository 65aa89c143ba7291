import type { MemberRow } from './statements.ts';
import { builder } from '../../engine/builder.ts';
import { nestedList } from '../../engine/list.ts';
import { namespaceById, projectById } from '../place/read.ts';
import { Group, Project } from '../place/types.ts';
import { User } from '../../accounts/users/types.ts';
import { accessLevelOf, AccessLevelType } from './access-level.ts';
import { memberOrder, membersOf } from './list.ts';

export const Member = builder.objectRef<MemberRow>('Member').implement({
  description: 'What a person is in a group or project.',
  fields: (t) => ({
    user: t.field({
      type: User,
      // Read along with what they are.
      resolve: (member) => member,
    }),
    accessLevel: t.field({ type: AccessLevelType, resolve: ({ access_level }) => accessLevelOf(access_level) }),
    createdAt: t.field({ type: 'DateTime', description: 'Since when.', resolve: ({ created_at }) => created_at }),
    expiresAt: t.field({
      type: 'Date',
      nullable: true,
      description: 'The first day (UTC) on which it counts no more; null where it doesn’t end.',
      resolve: ({ expires_at }) => expires_at,
    }),
    sourceGroup: t.field({
      type: Group,
      nullable: true,
      description:
        'The group of which the person is a direct member, if it is one: this one, or one above that gives the role.',
      resolve: ({ source_group }, _args, context) => namespaceById(context, source_group),
    }),
    sourceProject: t.field({
      type: Project,
      nullable: true,
      description: 'The project of which the person is a direct member, if it is one.',
      resolve: ({ source_project }, _args, context) => projectById(context, source_project),
    }),
  }),
});

/** Arguments of every list of members. */
export const searchArgs = builder.args((t) => ({
  inherited: t.boolean({
    defaultValue: false,
    description: 'Those of the groups above too, as far as you can see these.',
  }),
  search: t.string({ description: 'Part of a name or username.' }),
  userIds: t.idList({ description: 'Only these people.' }),
  skipUserIds: t.idList({ description: 'Not these people.' }),
}));

const list = {
  type: Member,
  description: 'Who is a member, by the numbers of the people, each once and with the highest role.',
  args: () => searchArgs,
  orders: memberOrder,
  by: ['USER_ID', 'ASC'],
} as const;

nestedList(Group, 'members', {
  ...list,
  rows: (context, asked, _info, { id }) => membersOf(context, { scope: 'group', id }, asked),
});
nestedList(Project, 'members', {
  ...list,
  rows: (context, asked, _info, { id }) => membersOf(context, { scope: 'project', id }, asked),
});
