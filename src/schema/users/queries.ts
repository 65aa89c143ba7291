import { reads } from '../../policy/index.ts';
import { builder } from '../builder.ts';
import { User } from './types.ts';

builder.queryField('currentUser', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'The person whose credential this request carries.',
    admission: { class: 'token', scopes: [...reads, 'read_user', 'profile', 'email'] },
    resolve: (query, _root, _args, { viewer, database }) =>
      viewer.person && database.prisma.user.findUnique({ ...query, where: { id: viewer.person.id } }),
  }),
);

builder.queryField('user', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'A person by name; null where there is none.',
    admission: { class: 'token', scopes: [...reads, 'read_user'] },
    args: { username: t.arg.string({ required: true }) },
    resolve: async (query, _root, { username }, { database }) => {
      // A person's name is the path of their namespace, and found whatever its case.
      const route = await database.prisma.route.findUnique({
        where: { path: username.toLowerCase() },
        select: { namespace: { select: { ownerId: true } } },
      });
      const id = route?.namespace?.ownerId;
      return id == null ? null : await database.prisma.user.findUnique({ ...query, where: { id } });
    },
  }),
);
