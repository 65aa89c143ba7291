import type { Context } from '../../../context.ts';
import type { UserRecord } from '../../../database/access/records.ts';
import { User } from '../../accounts/users/types.ts';
import { builder } from '../../engine/builder.ts';
import { readApart } from '../../engine/page.ts';
import { Group, Project } from '../place/types.ts';
import { memberOrder, membersOf, relationsOf } from './list.ts';
import type { Scope } from './statements/row.ts';

/** People whose names a text field completes: everyone with a role in a group or a project. */

const AutocompletedUser = builder.objectRef<UserRecord>('AutocompletedUser').implement({
  interfaces: [User],
  description: 'A person whose name a text field completes.',
});

/** How many are proposed at most. */
const most = 20;

const firstPage = { after: null, before: null, offset: 0, limit: most, inverted: false };

async function proposedIn(context: Context, scope: Scope, id: number, search: string | null | undefined) {
  const members = membersOf(context, { scope, id }, relationsOf(true), { search });
  const page = await members.page({ name: 'user_id', direction: 'asc', ...memberOrder.user_id }, firstPage);
  return page.map(({ user }) => user).filter(({ state }) => state === 'ACTIVE');
}

for (const [type, scope] of [
  [Group, 'group'],
  [Project, 'project'],
] as const)
  builder.objectField(type as typeof Group, 'autocompleteUsers', (t) =>
    t.field({
      type: [AutocompletedUser],
      nullable: true,
      ...readApart,
      description: `Active people with a role in it, at most ${most}, ordered by their ids.`,
      args: { search: t.arg.string({ description: 'Part of a name or username.' }) },
      resolve: ({ id }, { search }, context) => proposedIn(context, scope, id, search),
    }),
  );
