import { builder } from '../../../engine/builder.ts';
import { userById } from '../read.ts';
import { UserCore } from '../types.ts';

/** The payload of a mutation of a person: it carries the person after the change. */
export const userPayload = <More extends object = object>(name: string) =>
  builder.objectRef<{ readonly id: number } & More>(name).implement({
    fields: (t) => ({
      user: t.field({ type: UserCore, resolve: async ({ id }, _args, context) => (await userById(context, id))! }),
    }),
  });
