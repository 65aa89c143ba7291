import { builder } from '../../engine/builder.ts';
import { userById } from './read.ts';
import { User } from './types.ts';

/** The payload of a change of a person: it carries them as they are now. */
export const userPayload = <More extends object = object>(name: string) =>
  builder.objectRef<{ readonly id: number } & More>(name).implement({
    fields: (t) => ({
      user: t.field({ type: User, resolve: async ({ id }, _args, context) => (await userById(context, id))! }),
    }),
  });
