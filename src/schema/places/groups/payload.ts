import { builder } from '../../engine/builder.ts';
import { namespaceById } from '../place/read.ts';
import { Group } from '../place/types.ts';

/** The payload of a mutation of one group: the group after the change. */
export const groupPayload = (name: string, description?: string) =>
  builder.objectRef<{ id: number }>(name).implement({
    fields: (t) => ({
      group: t.field({
        type: Group,
        ...(description !== undefined && { description }),
        resolve: async ({ id }, _args, context) => (await namespaceById(context, id))!,
      }),
    }),
  });
