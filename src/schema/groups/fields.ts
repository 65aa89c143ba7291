import { visibleGroups } from '../../database/statements/groups.ts';
import { batched } from '../batched.ts';
import { builder } from '../builder.ts';
import { namespaceById } from '../places/read.ts';
import { seenBy } from '../places/seen-by.ts';
import { Group } from '../places/types.ts';

/** Whether the viewer sees a group that a record refers to. */
const isVisibleGroup = batched<true>(async (context, ids) => {
  const { variant, visible } = seenBy(context);
  const rows = await context.database.rows(visibleGroups(variant, visible), [ids, context.viewer.person?.id ?? null]);
  return new Map(rows.map(({ id }) => [id, true]));
});

builder.objectFields(Group, (t) => ({
  updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  parent: t.field({
    type: Group,
    nullable: true,
    description: 'The group that it lies in, if it is in one and you can see that one.',
    resolve: ({ parentId }, _args, context) =>
      parentId === null ? null : isVisibleGroup(context, parentId).then((visible) => (visible ? namespaceById(context, parentId) : null)),
  }),
}));
