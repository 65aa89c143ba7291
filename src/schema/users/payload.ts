import { builder } from '../builder.ts';
import { User } from './types.ts';

/** The payload of a change of a person: it carries them as they are now. */
export const userPayload = <More extends object = object>(name: string) =>
  builder.objectRef<{ readonly id: number } & More>(name).implement({
    fields: (t) => ({
      user: t.prismaField({
        type: User,
        resolve: (query, { id }, _args, { database }) => database.prisma.user.findUniqueOrThrow({ ...query, where: { id } }),
      }),
    }),
  });
