import { reads } from '../../../policy/index.ts';
import { builder } from '../../engine/builder.ts';
import { rootList } from '../../engine/list.ts';
import { existingMember, memberOrder, membersOf } from './list.ts';
import { memberPlace } from './place.ts';
import { Member, searchArgs } from './types.ts';

const placeArgs = builder.args((t) => ({
  group: t.id({ description: 'Id or full path of a group.' }),
  project: t.id({ description: 'Id or full path of a project.' }),
}));

rootList('members', {
  type: Member,
  description: 'The members of a group or a project that you can see, each person once.',
  admission: { class: 'token', scopes: reads, anonymous: true },
  args: () => ({ ...placeArgs, ...searchArgs }),
  orders: memberOrder,
  by: 'user_id_asc',
  rows: async (context, asked) => membersOf(context, await memberPlace(context, asked), asked),
});

builder.queryFields((t) => ({
  member: t.field({
    type: Member,
    nullable: true,
    description: 'The membership of a person in a group or a project that you can see.',
    admission: { class: 'token', scopes: reads, anonymous: true },
    args: {
      ...placeArgs,
      userId: t.arg.id({ required: true }),
      inherited: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to include inherited memberships, from groups above that you can see.',
      }),
    },
    resolve: async (_root, args, context) => {
      const place = await memberPlace(context, args);
      return await existingMember(context, place, args.userId, args.inherited ?? false);
    },
  }),
}));
