import type { Context } from '../../context.ts';
import { BadRequest, Forbidden, Unauthenticated } from '../../errors.ts';
import { isAdministrator, reads } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { numberOf } from '../places/look-up.ts';
import { User } from './types.ts';

/** A person's name is the path of their namespace, and found whatever its case. */
async function idByName({ database }: Context, username: string): Promise<number> {
  const route = await database.prisma.route.findUnique({
    where: { path: username.toLowerCase() },
    select: { namespace: { select: { ownerId: true } } },
  });
  return route?.namespace?.ownerId ?? 0;
}

builder.queryField('user', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'A person by id or by name; null where there is none.',
    admission: { class: 'token', scopes: [...reads, 'read_user'], anonymous: true },
    args: { id: t.arg.id(), username: t.arg.string() },
    resolve: async (query, _root, { id, username }, context) => {
      if ((id == null) === (username == null)) throw new BadRequest('Name a person by id or by username.');
      // Whoever counts through the ids would otherwise learn everyone's name.
      if (!isKnown(context)) throw id == null ? new Unauthenticated() : new Forbidden('Not authorized!');
      const found = id == null ? await idByName(context, username!) : numberOf(id);
      return await context.database.prisma.user.findUnique({ ...query, where: { id: found, deletingSince: null } });
    },
  }),
);

/** Whether somebody in particular asks: a person, or the operator. */
const isKnown = ({ viewer }: Context) => viewer.person !== null || isAdministrator(viewer);
