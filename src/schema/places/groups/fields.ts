import { builder } from '../../engine/builder.ts';
import { visibleGroupById } from '../place/read.ts';
import { Group } from '../place/types.ts';

builder.objectFields(Group, (t) => ({
  updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  parent: t.field({
    type: Group,
    nullable: true,
    description: 'The group that it lies in, if it is in one and you can see that one.',
    resolve: ({ parentId }, _args, context) => visibleGroupById(context, parentId),
  }),
}));
