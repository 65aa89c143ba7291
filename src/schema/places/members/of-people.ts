import type { Context } from '../../../context.ts';
import { membershipLists } from './statements/memberships.ts';
import type { Scope } from './statements/row.ts';
import { reads } from '../../../policy/index.ts';
import { listOfEach, nestedList } from '../../engine/list.ts';
import { User } from '../../accounts/users/types.ts';
import { asMembers, watcherOf } from './list.ts';
import { GroupMember, ProjectMember } from './types.ts';

/** The direct memberships of a person. */

const listed = {
  group: listOfEach((context) => membershipLists('group', watcherOf(context))),
  project: listOfEach((context) => membershipLists('project', watcherOf(context))),
} satisfies Record<Scope, unknown>;

const of = (scope: Scope, context: Context, person: number) => asMembers(listed[scope](context, person, {}));

const list = {
  nullable: true,
  admission: { class: 'token', scopes: reads, anonymous: true },
  orders: { id: { column: 'm.id', type: 'int' } },
  by: 'id_asc',
} as const;

nestedList(User, 'groupMemberships', {
  ...list,
  type: GroupMember,
  description: 'Their direct memberships of groups that you can see.',
  rows: (context, _asked, _info, { id }) => of('group', context, id),
});
nestedList(User, 'projectMemberships', {
  ...list,
  type: ProjectMember,
  description: 'Their direct memberships of projects that you can see, those in their own namespace included.',
  rows: (context, _asked, _info, { id }) => of('project', context, id),
});
