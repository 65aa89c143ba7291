import { builder } from '../builder.ts';
import { Group } from '../places/types.ts';

/** The payload of a mutation that leaves one group changed. */
export const groupPayload = (name: string, description?: string) =>
  builder.objectRef<{ id: number }>(name).implement({
    fields: (t) => ({
      group: t.prismaField({
        type: Group,
        ...(description !== undefined && { description }),
        resolve: (query, { id }, _args, { database }) => database.prisma.namespace.findUniqueOrThrow({ ...query, where: { id } }),
      }),
    }),
  });
