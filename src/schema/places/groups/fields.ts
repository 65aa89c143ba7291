import { builder } from '../../engine/builder.ts';
import { visibleGroupById } from '../place/read.ts';
import { Group } from '../place/types.ts';

builder.objectFields(Group, (t) => ({
  updatedAt: t.expose('updatedAt', { type: 'Time' }),
  parent: t.field({
    type: Group,
    nullable: true,
    description: 'The parent group; null at the root, and if you can’t see it.',
    resolve: ({ parentId }, _args, context) => visibleGroupById(context, parentId),
  }),
}));
