import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rootList } from '../../engine/list.ts';
import { existingMember, memberOrder, membersOf, relationsOf } from './list.ts';
import { searchArgs } from './of-places.ts';
import { memberPlace } from './place.ts';
import { MemberInterface } from './types.ts';

const placeArgs = builder.args((t) => ({
  group: t.id({ description: 'Full path, global id or number of a group.' }),
  project: t.id({ description: 'Full path, global id or number of a project.' }),
}));

rootList('members', {
  type: MemberInterface,
  description: 'The members of a group or a project that you can see, each person once.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  args: () => ({ ...placeArgs, ...searchArgs }),
  orders: memberOrder,
  by: 'user_id_asc',
  rows: async (context, asked) =>
    membersOf(context, await memberPlace(context, asked), relationsOf(asked.inherited), asked),
});

builder.queryFields((t) => ({
  member: t.field({
    type: MemberInterface,
    nullable: true,
    description: 'The membership of a person in a group or a project that you can see.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: {
      ...placeArgs,
      userId: t.arg.id({ required: true }),
      inherited: t.arg.boolean({
        defaultValue: false,
        description:
          'Whether to include inherited memberships, and those of invited groups. Only of groups that you can see.',
      }),
    },
    resolve: async (_root, args, context) => {
      const place = await memberPlace(context, args);
      return await existingMember(context, place, args.userId, args.inherited ?? false);
    },
  }),
}));
