import { hashPassword } from '../../auth/index.ts';
import { requireAdministrator } from '../administrators.ts';
import { builder } from '../builder.ts';
import { Problems, textProblems, unlessTaken } from '../input.ts';
import { pathProblems } from '../places/paths.ts';
import { passwordProblems } from './password.ts';
import { Email, TierType, User } from './types.ts';
import { existingUser } from './find.ts';


function emailProblems(address: string): string[] {
  return /^[^@\s]+@[^@\s]+$/.test(address) && address.length <= 255 ? [] : ['is invalid'];
}

builder.mutationField('createUser', (t) =>
  t.prismaField({
    type: User,
    nullable: true,
    description: 'Makes an account, with its own namespace. For administrators.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('CreateUserInput', {
          fields: (field) => ({
            username: field.string({ required: true }),
            name: field.string({ required: true }),
            email: field.string({ required: true, description: 'The primary address.' }),
            emailVerified: field.boolean({ required: true, description: 'Whether it is known to be the person’s own.' }),
            password: field.string({ description: 'Left out: nobody can sign in with one yet.' }),
            administrator: field.boolean({ defaultValue: false }),
            tier: field.field({ type: TierType, defaultValue: 'FREE' }),
          }),
        }),
      }),
    },
    resolve: async (query, _root, { input }, context) => {
      requireAdministrator(context);
      const { username, name, password } = input;
      const address = input.email.trim().toLowerCase();
      const problems = new Problems();
      problems.add('username', pathProblems(username, true));
      problems.add('name', textProblems(name));
      problems.add('email', emailProblems(address));
      if (password != null) problems.add('password', passwordProblems(password));
      problems.refuse();

      const passwordHash = password == null ? null : await hashPassword(password);
      return await unlessTaken({ Route: 'username', Email: 'email' }, () =>
        context.database.prisma.$transaction(async (prisma) => {
          const user = await prisma.user.create({
            data: {
              username,
              name,
              passwordHash,
              administrator: input.administrator ?? false,
              tier: input.tier ?? 'FREE',
            },
          });
          const namespace = await prisma.namespace.create({
            data: { kind: 'USER', ownerId: user.id, path: username, name, fullPath: username, visibility: 'PUBLIC' },
          });
          await prisma.namespace.update({ where: { id: namespace.id }, data: { ancestry: [namespace.id] } });
          await prisma.route.create({ data: { path: username.toLowerCase(), namespaceId: namespace.id } });
          await prisma.email.create({
            data: { userId: user.id, primaryOf: user.id, address, verifiedAt: input.emailVerified ? new Date() : null },
          });
          return await prisma.user.findUniqueOrThrow({ ...query, where: { id: user.id } });
        }),
      );
    },
  }),
);

builder.mutationField('addEmail', (t) =>
  t.prismaField({
    type: Email,
    nullable: true,
    description: 'Adds a further address to an account. For administrators.',
    admission: { class: 'session' },
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('AddEmailInput', {
          fields: (field) => ({
            userId: field.id({ required: true }),
            address: field.string({ required: true }),
            verified: field.boolean({ required: true }),
          }),
        }),
      }),
    },
    resolve: async (query, _root, { input }, context) => {
      requireAdministrator(context);
      const address = input.address.trim().toLowerCase();
      const problems = new Problems();
      problems.add('address', emailProblems(address));
      problems.refuse();
      const user = await existingUser(context, input.userId);
      return await unlessTaken({ Email: 'address' }, () =>
        context.database.prisma.email.create({
          ...query,
          data: { userId: user.id, address, verifiedAt: input.verified ? new Date() : null },
        }),
      );
    },
  }),
);
